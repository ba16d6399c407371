import type { ErrorObject } from 'ajv';

/** What to write for the values whose rule is a pattern or format, by the last name of their path. */
const HINTS: Readonly<Record<string, string>> = {
  base_url: 'a URL that begins with http:// or https:// and holds no user, password or fragment',
  api_key_env: 'the name of an environment variable in capitals, such as GROQ_API_KEY; the key itself never stands in this file',
};

/** Names that are easily taken for one that holds a key. */
const KEY_LIKE = /^(?:api[-_]?key|key|token|secret|password|authorization|headers?)$/i;

/**
 * One problem of the models file as a sentence: where, what is wrong, what to write. It repeats no value: one could be a key.
 *
 * @param value the whole file
 */
export function tellProblem(error: ErrorObject, value: unknown): string {
  const keys = error.instancePath
    .split('/')
    .slice(1)
    .map((key) => key.replaceAll('~1', '/').replaceAll('~0', '~'));
  const { key, what } = tell(error, keys, value);
  const path = toPath(key === undefined ? keys : [...keys, key]);
  return `${path === '' ? 'The file' : path} ${what}.`;
}

/** `models.gpt-5.price.input`, `routes.fast.models[0].weight`. */
export function toPath(keys: readonly string[]): string {
  return keys.map((key, place) => (/^\d+$/.test(key) && place > 0 ? `[${key}]` : place === 0 ? key : `.${key}`)).join('');
}

interface Told {
  /** Added to the path. */
  readonly key?: string;
  readonly what: string;
}

function tell({ keyword, params, parentSchema, propertyName }: ErrorObject, keys: readonly string[], value: unknown): Told {
  const { additionalProperty, missingProperty, allowedValues, limit, comparison, type } = params as Readonly<Record<string, unknown>>;
  switch (keyword) {
    case 'additionalProperties':
      return { key: String(additionalProperty), what: tellUnknown(String(additionalProperty), parentSchema) };
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
      return { key: String(params.propertyName), what: `has a name that can't be: ${nameHint(keys)}` };
    default:
      return { what: `can't be used: write ${HINTS[propertyName ?? keys.at(-1) ?? ''] ?? 'another value'}` };
  }
}

function tellUnknown(name: string, schema: ErrorObject['parentSchema']): string {
  const known = Object.keys((schema as { properties?: object } | undefined)?.properties ?? {});
  if (KEY_LIKE.test(name)) {
    return 'is not known: keys never stand in this file; put the key into an environment variable and name that with api_key_env';
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

function nameHint([group]: readonly string[]): string {
  if (group === 'upstreams') return 'names of upstreams are of small letters, digits, - and _, at most 64';
  if (group === 'keys') return 'write tenant/name, tenant/* or *';
  return 'it is blank';
}

const at = (value: unknown, keys: readonly string[]): unknown =>
  keys.reduce((found, key) => (typeof found === 'object' && found !== null ? (found as Record<string, unknown>)[key] : undefined), value);
