/** What one field of a form takes. `fallback`: what counts when the field is left as it is. */
export type FormInput =
  | {
      readonly kind: 'text';
      readonly format?: string;
      readonly minLength?: number;
      readonly maxLength?: number;
      readonly fallback?: string;
    }
  | {
      readonly kind: 'number';
      readonly integer: boolean;
      readonly minimum?: number;
      readonly maximum?: number;
      readonly fallback?: number;
    }
  | { readonly kind: 'boolean'; readonly fallback?: boolean }
  | { readonly kind: 'choice'; readonly options: readonly FormOption[]; readonly fallback?: string }
  | {
      readonly kind: 'choices';
      readonly options: readonly FormOption[];
      readonly minimum?: number;
      readonly maximum?: number;
      readonly fallback: readonly string[];
    };

/** `title`: what people see. */
export interface FormOption {
  readonly value: string;
  readonly title: string;
}

/** A question of a form. */
export interface FormField {
  /** Names the answer. */
  readonly name: string;
  readonly title: string;
  readonly description?: string;
  readonly required: boolean;
  readonly input: FormInput;
}

export type FormAnswer = string | number | boolean | readonly string[];

type Loose = Readonly<Record<string, unknown>>;

/** Fields of one form; a server that asks for more doesn't ask, it floods. */
const MAX_FIELDS = 64;

/**
 * Reads the form that a server asks with: an object whose properties are primitive. Returns a sentence where it is none, or asks for something
 * that can't be asked.
 */
export function readForm(schema: unknown): readonly FormField[] | string {
  if (!isLoose(schema) || !isLoose(schema['properties'] ?? {})) return 'the form is no object with properties';
  const properties = Object.entries((schema['properties'] ?? {}) as Loose);
  if (properties.length > MAX_FIELDS) return `the form has ${properties.length} fields, more than ${MAX_FIELDS}`;
  const required = Array.isArray(schema['required']) ? schema['required'] : [];
  const fields: FormField[] = [];
  for (const [name, value] of properties) {
    const input = isLoose(value) ? readInput(value) : undefined;
    if (input === undefined) return `the field ${name} is of a kind that can't be asked for`;
    const { title, description } = value as Loose;
    fields.push({ name, input, title: textOf(title) ?? name, description: textOf(description), required: required.includes(name) });
  }
  return fields;
}

function readInput(field: Loose): FormInput | undefined {
  const fallback = field['default'];
  const options = optionsOf(field['enum'], field['enumNames']) ?? optionsOf(field['oneOf']);
  if (options !== undefined)
    return { kind: 'choice', options, fallback: options.some(({ value }) => value === fallback) ? (fallback as string) : undefined };
  switch (field['type']) {
    case 'string':
      return {
        ...{ kind: 'text', format: textOf(field['format']), fallback: typeof fallback === 'string' ? fallback : undefined },
        ...{ minLength: numberOf(field['minLength']), maxLength: numberOf(field['maxLength']) },
      };
    case 'number':
    case 'integer':
      return {
        ...{ kind: 'number', integer: field['type'] === 'integer', fallback: numberOf(fallback) },
        ...{ minimum: numberOf(field['minimum']), maximum: numberOf(field['maximum']) },
      };
    case 'boolean':
      return { kind: 'boolean', fallback: typeof fallback === 'boolean' ? fallback : undefined };
    case 'array':
      return readChoices(field);
    default:
      return undefined;
  }
}

function readChoices({ items, default: fallback, minItems, maxItems }: Loose): FormInput | undefined {
  const options = isLoose(items) ? (optionsOf(items['enum']) ?? optionsOf(items['anyOf']) ?? optionsOf(items['oneOf'])) : undefined;
  if (options === undefined) return undefined;
  const chosen = Array.isArray(fallback) ? options.map(({ value }) => value).filter((value) => fallback.includes(value)) : [];
  return { kind: 'choices', options, minimum: numberOf(minItems), maximum: numberOf(maxItems), fallback: chosen };
}

/** Values alone, with names beside them, or as `{const, title}`. */
function optionsOf(values: unknown, names?: unknown): readonly FormOption[] | undefined {
  if (!Array.isArray(values) || values.length === 0) return undefined;
  const options = values.map((value: unknown, index): FormOption | undefined => {
    if (typeof value === 'string') return { value, title: (Array.isArray(names) ? textOf(names[index]) : undefined) ?? value };
    if (!isLoose(value) || typeof value['const'] !== 'string') return undefined;
    return { value: value['const'], title: textOf(value['title']) ?? value['const'] };
  });
  return options.every((option) => option !== undefined) ? options : undefined;
}

const isLoose = (value: unknown): value is Loose => typeof value === 'object' && value !== null && !Array.isArray(value);
const textOf = (value: unknown): string | undefined => (typeof value === 'string' && value !== '' ? value : undefined);
const numberOf = (value: unknown): number | undefined => (typeof value === 'number' && Number.isFinite(value) ? value : undefined);
