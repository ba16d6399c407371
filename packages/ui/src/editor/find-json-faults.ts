import type { JsonSchema } from '@codelab/protocol';

/** The way to a value: names of properties and places in lists. */
export type JsonPath = readonly (string | number)[];

/** What is wrong with a value. `message` is a sentence; `isName`: it is about the property's name. */
export interface JsonFault {
  readonly path: JsonPath;
  readonly message: string;
  readonly isName?: true;
}

type Schema = Readonly<Record<string, unknown>>;

/**
 * What of a value doesn't fit a JSON Schema, as far as editors need it: types, choices, required and unknown properties, sizes and patterns.
 * What it doesn't know it lets pass: the servers check again. It walks the schema and compiles nothing, since pages may not make code.
 */
export function findJsonFaults(schema: JsonSchema | undefined, value: unknown, path: JsonPath = []): readonly JsonFault[] {
  if (!isObject(schema)) return [];
  const options = alternativesOf(schema);
  if (options !== undefined) return findAlternativeFaults(options, value, path);
  const fault = (message: string): readonly JsonFault[] => [{ path, message }];
  if ('const' in schema && !isSame(schema['const'], value)) return fault(`It must be ${JSON.stringify(schema['const'])}.`);
  const choices = schema['enum'];
  if (Array.isArray(choices) && !choices.some((choice) => isSame(choice, value)))
    return fault(`It must be one of ${listed(choices.map((choice) => JSON.stringify(choice)))}.`);
  const types = typesOf(schema);
  if (types.length > 0 && !types.some((type) => isOfType(type, value))) return fault(`It must be ${types.map(nameType).join(' or ')}.`);
  if (typeof value === 'string') return findTextFaults(schema, value, path);
  if (typeof value === 'number') return findNumberFaults(schema, value, path);
  if (Array.isArray(value)) return findListFaults(schema, value, path);
  return isObject(value) ? findObjectFaults(schema, value, path) : [];
}

/** What a value may be instead, where a schema offers several. */
export const alternativesOf = (schema: Schema): readonly JsonSchema[] | undefined =>
  [schema['anyOf'], schema['oneOf']].find((options): options is JsonSchema[] => Array.isArray(options) && options.length > 0);

/** The types that a schema names. */
export const typesOf = ({ type }: Schema): readonly string[] =>
  typeof type === 'string' ? [type] : Array.isArray(type) ? (type as string[]) : [];

function findAlternativeFaults(options: readonly JsonSchema[], value: unknown, path: JsonPath): readonly JsonFault[] {
  const found = options.map((option) => findJsonFaults(option, value, path));
  return found.some((faults) => faults.length === 0) ? [] : (found.toSorted((one, other) => depth(other) - depth(one))[0] ?? []);
}

/** An alternative that fits farther down is the one that was meant. */
const depth = (faults: readonly JsonFault[]): number => Math.max(...faults.map(({ path }) => path.length));

function findObjectFaults(schema: Schema, value: Schema, path: JsonPath): readonly JsonFault[] {
  const known = isObject(schema['properties']) ? schema['properties'] : {};
  const required = Array.isArray(schema['required']) ? (schema['required'] as readonly string[]) : [];
  const missing = required.filter((name) => !Object.hasOwn(value, name)).map((name) => ({ path, message: `“${name}” is missing.` }));
  const others = schema['additionalProperties'];
  const own = Object.entries(value).flatMap(([name, property]): readonly JsonFault[] => {
    const at = [...path, name];
    if (Object.hasOwn(known, name)) return findJsonFaults(known[name] as JsonSchema, property, at);
    if (others !== false) return isObject(others) ? findJsonFaults(others, property, at) : [];
    return [{ path: at, message: `There is no “${name}”. Known: ${listed(Object.keys(known))}.`, isName: true }];
  });
  return [...missing, ...own];
}

function findListFaults({ items, minItems, maxItems }: Schema, value: readonly unknown[], path: JsonPath): readonly JsonFault[] {
  const size = sizeFault(value.length, minItems, maxItems, ['item', 'items']);
  const own = isObject(items) ? value.flatMap((item, index) => findJsonFaults(items, item, [...path, index])) : [];
  return [...(size === undefined ? [] : [{ path, message: size }]), ...own];
}

function findTextFaults({ minLength, maxLength, pattern }: Schema, value: string, path: JsonPath): readonly JsonFault[] {
  const size = sizeFault([...value].length, minLength, maxLength, ['character', 'characters']);
  if (size !== undefined) return [{ path, message: size }];
  return typeof pattern === 'string' && !fits(pattern, value) ? [{ path, message: `It doesn’t look like ${pattern}` }] : [];
}

function findNumberFaults({ minimum, maximum }: Schema, value: number, path: JsonPath): readonly JsonFault[] {
  if (typeof minimum === 'number' && value < minimum) return [{ path, message: `It must be at least ${minimum}.` }];
  return typeof maximum === 'number' && value > maximum ? [{ path, message: `It must be at most ${maximum}.` }] : [];
}

function sizeFault(size: number, least: unknown, most: unknown, [one, many]: readonly [string, string]): string | undefined {
  if (typeof least === 'number' && size < least) return `It needs at least ${least} ${least === 1 ? one : many}.`;
  return typeof most === 'number' && size > most ? `It may have at most ${most} ${most === 1 ? one : many}.` : undefined;
}

/** Longer texts are not held against a pattern here: a pattern of somebody else must not hold the page up. */
const MAX_MATCHED = 200;

function fits(pattern: string, value: string): boolean {
  if (value.length > MAX_MATCHED || pattern.length > MAX_MATCHED || /[+*}]\)[+*{]/.test(pattern)) return true;
  try {
    return new RegExp(pattern, 'u').test(value);
  } catch {
    return true; // not a pattern of this language
  }
}

const isOfType = (type: string, value: unknown): boolean => {
  switch (type) {
    case 'object':
      return isObject(value);
    case 'array':
      return Array.isArray(value);
    case 'null':
      return value === null;
    case 'integer':
      return Number.isInteger(value);
    default:
      return typeof value === type;
  }
};

const TYPE_NAMES: Readonly<Record<string, string>> = {
  object: 'an object',
  array: 'a list',
  string: 'a text',
  number: 'a number',
  integer: 'a whole number',
  boolean: 'true or false',
  null: 'null',
};
export const nameType = (type: string): string => TYPE_NAMES[type] ?? type;

const listed = (names: readonly string[]): string => (names.length > 12 ? [...names.slice(0, 12), '…'] : names).join(', ') || 'nothing';
const isSame = (one: unknown, other: unknown): boolean => JSON.stringify(one) === JSON.stringify(other);
export const isObject = (value: unknown): value is Schema => typeof value === 'object' && value !== null && !Array.isArray(value);
