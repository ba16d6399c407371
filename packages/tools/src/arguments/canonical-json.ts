import { hash } from 'node:crypto';

const LONE_SURROGATE = /\p{Surrogate}/u;

const quote = (text: string): string => {
  if (LONE_SURROGATE.test(text)) throw new TypeError('canonical JSON has no lone surrogates');
  return JSON.stringify(text);
};

const number = (value: number): string => {
  if (!Number.isFinite(value)) throw new TypeError(`canonical JSON has no ${String(value)}`);
  return JSON.stringify(value);
};

const object = (value: Readonly<Record<string, unknown>>): string => {
  const names = Object.keys(value).filter((name) => value[name] !== undefined);
  // Array.prototype.sort compares UTF-16 code units, which is the order that RFC 8785 asks for.
  return `{${names
    .sort()
    .map((name) => `${quote(name)}:${canonicalJson(value[name])}`)
    .join(',')}}`;
};

/**
 * The canonical JSON text of a value (RFC 8785): no blanks, names sorted by UTF-16 code units, numbers as ECMAScript prints them. Equal
 * values have equal texts, whatever program made them. A property that is `undefined` counts as absent.
 *
 * @throws TypeError for what JSON cannot hold: non-finite numbers, lone surrogates, `undefined` in a list, functions, symbols, bigints.
 */
export function canonicalJson(value: unknown): string {
  if (value === null || typeof value === 'boolean') return String(value);
  if (typeof value === 'string') return quote(value);
  if (typeof value === 'number') return number(value);
  if (Array.isArray(value)) return `[${Array.from(value, canonicalJson).join(',')}]`;
  if (typeof value === 'object') return object(value as Readonly<Record<string, unknown>>);
  throw new TypeError(`canonical JSON has no ${typeof value}`);
}

/**
 * The digest that binds a decision to arguments (H2): lower-case hex SHA-256 of their canonical JSON. Computed here and nowhere else.
 *
 * @throws TypeError for what JSON cannot hold, see {@link canonicalJson}
 */
export const argsDigest = (args: unknown): string => hash('sha256', canonicalJson(args));
