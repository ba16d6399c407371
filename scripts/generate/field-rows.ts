import type { JsonSchema } from '@codelab/protocol';

const code = (text: string): string => `\`${text}\``;
const shown = (value: unknown): string => code(typeof value === 'string' ? value : JSON.stringify(value));

const LONG = 12;

/** What a value may be, in one line: `integer`, `list of string, at most 8`, `one of …`. `null` in an optional field isn't worth a word. */
const typeOf = (schema: JsonSchema): string => {
  const { type, items, maxItems, maxLength } = schema as {
    readonly type?: string | readonly string[];
    readonly items?: JsonSchema;
    readonly maxItems?: number;
    readonly maxLength?: number;
  };
  if (schema['const'] !== undefined) return shown(schema['const']);
  const values = Array.isArray(schema['enum']) ? (schema['enum'] as unknown[]).filter((value) => value !== null) : [];
  if (values.length > LONG) return 'a code';
  if (values.length > 0) return values.map(shown).join(', ');
  const names = [type ?? 'any'].flat().filter((name) => name !== 'null');
  if (names[0] === 'array') return `list of ${typeOf(items ?? {})}${maxItems === undefined ? '' : `, at most ${String(maxItems)}`}`;
  return [names.join(' or '), ...(maxLength === undefined ? [] : [`at most ${String(maxLength)} characters`])].join(', ');
};

/** The rows of a table of fields: name, type, `yes` where it is required, meaning; those of nested objects with their path. */
export const fieldRows = (schema: JsonSchema, prefix = ''): string[][] => {
  const { properties = {}, required = [] } = schema as {
    readonly properties?: Readonly<Record<string, JsonSchema>>;
    readonly required?: readonly string[];
  };
  return Object.entries(properties).flatMap(([name, field]) => {
    const items = field['items'] as JsonSchema | undefined;
    const { description } = field as { readonly description?: string };
    const row = [code(prefix + name), typeOf(field), required.includes(name) ? 'yes' : '', description ?? ''];
    return [row, ...fieldRows(items ?? field, `${prefix}${name}${items === undefined ? '' : '[]'}.`)];
  });
};
