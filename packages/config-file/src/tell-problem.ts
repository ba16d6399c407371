import type { ErrorObject } from 'ajv';

/** What problems of one kind of file say beside the rule that was broken. */
export interface FileWords {
  /** What to write for the values whose rule is a pattern or format, by the last name of their path. */
  readonly hints: Readonly<Record<string, string>>;
  /** What names may be, by the group that they stand in. */
  readonly names: Readonly<Record<string, string>>;
  /** Where a key belongs that was written into the file, as the end of a sentence. */
  readonly keysBelong: string;
}

/** Names that are easily taken for one that holds a key. */
const KEY_LIKE = /^(?:api[-_]?key|key|token|secret|password|authorization|headers?)$/i;

/** One problem of a file of settings. */
export interface Problem {
  /** The names on the way to it, from the top. */
  readonly keys: readonly string[];
  /** Where, what is wrong, what to write: a sentence. It repeats no value: one could be a key. */
  readonly sentence: string;
}

/**
 * What broke a rule of the schema, as a problem.
 *
 * @param value the whole file
 */
export function tellProblem(error: ErrorObject, value: unknown, words: FileWords): Problem {
  const way = error.instancePath
    .split('/')
    .slice(1)
    .map((key) => key.replaceAll('~1', '/').replaceAll('~0', '~'));
  const { key, what } = tell(error, way, { value, words });
  const keys = key === undefined ? way : [...way, key];
  return problemAt(keys, what);
}

/** @param what the rest of the sentence, without its full stop */
export function problemAt(keys: readonly string[], what: string): Problem {
  const path = toPath(keys);
  return { keys, sentence: `${path === '' ? 'The file' : path} ${what}.` };
}

/** `models.gpt-5.price.input`, `routes.fast.models[0].weight`. */
function toPath(keys: readonly string[]): string {
  return keys.map((key, place) => (/^\d+$/.test(key) && place > 0 ? `[${key}]` : place === 0 ? key : `.${key}`)).join('');
}

interface Told {
  /** Added to the path. */
  readonly key?: string;
  readonly what: string;
}

interface Context {
  readonly value: unknown;
  readonly words: FileWords;
}

function tell({ keyword, params, parentSchema, propertyName }: ErrorObject, keys: readonly string[], { value, words }: Context): Told {
  const { additionalProperty, missingProperty, allowedValues, limit, comparison, type } = params as Readonly<Record<string, unknown>>;
  switch (keyword) {
    case 'additionalProperties':
      return { key: String(additionalProperty), what: tellUnknown(String(additionalProperty), parentSchema, words) };
    case 'required':
      return { key: String(missingProperty), what: `is missing: write ${expected(parentSchema, String(missingProperty))}` };
    case 'type':
      return { what: `is ${nameOf(at(value, keys))}: write ${ofType(String(type))}` };
    case 'enum':
      return { what: `must be one of ${(allowedValues as readonly string[]).join(', ')}` };
    case 'minimum':
    case 'maximum':
      return { what: `must be ${String(comparison)} ${String(limit)}` };
    case 'minLength':
    case 'minItems':
      return { what: 'is empty: write at least one' };
    case 'propertyNames':
      return { key: String(params.propertyName), what: `has a name that can't be: ${words.names[keys[0] ?? ''] ?? 'it is blank'}` };
    default:
      return {
        what: `can't be used: write ${words.hints[propertyName ?? keys.findLast((name) => !/^\d+$/.test(name)) ?? ''] ?? 'another value'}`,
      };
  }
}

function tellUnknown(name: string, schema: ErrorObject['parentSchema'], words: FileWords): string {
  const known = Object.keys((schema as { properties?: object } | undefined)?.properties ?? {});
  if (KEY_LIKE.test(name)) {
    return `is not known: keys never stand in this file; ${words.keysBelong}`;
  }
  return `is not known: there is ${known.join(', ')}`;
}

function expected(schema: ErrorObject['parentSchema'], name: string): string {
  const property = (schema as { properties?: Readonly<Record<string, { enum?: readonly string[]; type?: string }>> } | undefined)
    ?.properties?.[name];
  return property?.enum ? property.enum.join(' or ') : ofType(property?.type ?? '');
}

const TYPES: Readonly<Record<string, string>> = {
  object: 'names with values below it',
  array: 'a list',
  string: 'a text',
  number: 'a number',
  integer: 'a whole number',
  boolean: 'true or false',
};

const ofType = (type: string): string => TYPES[type] ?? 'a value';

function nameOf(value: unknown): string {
  if (value === null || value === undefined) return 'empty';
  if (Array.isArray(value)) return 'a list';
  if (typeof value === 'object') return 'a group of names';
  if (typeof value === 'number') return Number.isInteger(value) ? 'a whole number' : 'a number with a fraction';
  return typeof value === 'string' ? 'a text' : 'true or false';
}

const at = (value: unknown, keys: readonly string[]): unknown =>
  keys.reduce((found, key) => (typeof found === 'object' && found !== null ? (found as Record<string, unknown>)[key] : undefined), value);
