import type { JsonSchema } from '@codelab/protocol';
import { isJsonObject, type JsonObject } from '@codelab/tools';

/** Arguments that fit a row's schema, or the phrase that says which doesn't, what came, and what was expected. */
export type FittedArguments = { readonly ok: true; readonly args: JsonObject } | { readonly ok: false; readonly message: string };

/** The words of JSON Schema that rows use. */
interface Schema {
  readonly type?: 'string' | 'integer' | 'number' | 'boolean' | 'array' | 'object';
  readonly enum?: readonly unknown[];
  readonly default?: unknown;
  readonly minimum?: number;
  readonly maximum?: number;
  readonly minLength?: number;
  readonly maxLength?: number;
  readonly minItems?: number;
  readonly maxItems?: number;
  readonly items?: Schema;
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly required?: readonly string[];
}

/** An argument doesn't fit; thrown and caught in this file. */
class Misfit extends Error {}

/**
 * Fits what a model wrote to a schema (vocabularies, rule 13): numbers and truth values in quotes are read, a list or an object in quotes is
 * parsed, an object where a text is due becomes its JSON, one item where a list is due becomes a list, `null` is absence, and names that
 * the schema doesn't know are dropped. Then types, limits and what is required are checked. The first misfit is told:
 * `todos[0].status: "open"; expected pending, in_progress or completed`.
 */
export function fitArguments(schema: JsonSchema, given: JsonObject): FittedArguments {
  try {
    return { ok: true, args: fitObject(schema, given, '') };
  } catch (error) {
    if (error instanceof Misfit) return { ok: false, message: error.message };
    throw error;
  }
}

const misfit = (path: string, came: string, schema: Schema): Misfit =>
  new Misfit(`${path || 'arguments'}: ${came}; expected ${expected(schema)}`);

function fit(schema: Schema, value: unknown, path: string): unknown {
  const fitted = fitType(schema, value, path);
  if (schema.enum !== undefined && !schema.enum.includes(fitted)) throw misfit(path, shown(value), schema);
  return fitted;
}

function fitType(schema: Schema, value: unknown, path: string): unknown {
  switch (schema.type) {
    case 'string':
      return fitString(schema, value, path);
    case 'integer':
    case 'number':
      return fitNumber(schema, value, path);
    case 'boolean':
      return fitBoolean(schema, value, path);
    case 'array':
      return fitList(schema, value, path);
    case 'object': {
      const parsed = typeof value === 'string' ? parseJson(value) : value;
      if (!isJsonObject(parsed)) throw misfit(path, shown(value), schema);
      return fitObject(schema, parsed, path);
    }
    case undefined:
      return value;
  }
}

function fitString(schema: Schema, value: unknown, path: string): string {
  const text = typeof value === 'string' ? value : JSON.stringify(value);
  const { minLength = 0, maxLength = Infinity } = schema;
  if (text.length < minLength) throw misfit(path, text === '' ? 'empty' : shown(text), schema);
  if (text.length > maxLength && [...text].length > maxLength) throw misfit(path, `${String([...text].length)} characters`, schema);
  return text;
}

function fitNumber(schema: Schema, value: unknown, path: string): number {
  const number = typeof value === 'string' && /^\s*[-+]?(\d+\.?\d*|\.\d+)(e[-+]?\d+)?\s*$/i.test(value) ? Number(value) : value;
  const { minimum = -Infinity, maximum = Infinity } = schema;
  const fits = typeof number === 'number' && (schema.type === 'number' ? Number.isFinite(number) : Number.isSafeInteger(number));
  if (!fits || number < minimum || number > maximum) throw misfit(path, shown(value), schema);
  return number;
}

function fitBoolean(schema: Schema, value: unknown, path: string): boolean {
  if (typeof value === 'boolean') return value;
  const word = typeof value === 'string' ? value.trim().toLowerCase() : '';
  if (word === 'true') return true;
  if (word === 'false') return false;
  throw misfit(path, shown(value), schema);
}

function fitList(schema: Schema, value: unknown, path: string): unknown[] {
  const parsed = typeof value === 'string' ? parseJson(value) : value;
  const list: readonly unknown[] = Array.isArray(parsed) ? parsed : [value];
  const { items = {}, minItems = 0, maxItems = Infinity } = schema;
  if (list.length < minItems || list.length > maxItems) throw misfit(path, `${String(list.length)} items`, schema);
  return list.map((item, place) => fit(items, item, `${path}[${String(place)}]`));
}

function fitObject(schema: Schema, given: JsonObject, path: string): JsonObject {
  const { properties = {}, required = [] } = schema;
  const fitted: Record<string, unknown> = {};
  for (const [name, property] of Object.entries(properties)) {
    const at = path === '' ? name : `${path}.${name}`;
    const value = Object.hasOwn(given, name) ? (given[name] ?? undefined) : undefined;
    if (value !== undefined) fitted[name] = fit(property, value, at);
    else if (required.includes(name)) throw misfit(at, 'missing', property);
    else if (property.default !== undefined) fitted[name] = property.default;
  }
  return fitted as JsonObject;
}

const parseJson = (text: string): unknown => {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return undefined;
  }
};

const MAX_SHOWN = 60;

const shown = (value: unknown): string => {
  const text = JSON.stringify(value) ?? 'nothing';
  return text.length > MAX_SHOWN ? `${text.slice(0, MAX_SHOWN)}…` : text;
};

/** `a, b or c` · `integer 1-600000` · `1-100` items · `string`. */
function expected(schema: Schema): string {
  if (schema.enum !== undefined) return words(schema.enum.map(String));
  const { type = 'a value' } = schema;
  if (type === 'array') return range(schema.minItems, schema.maxItems) || 'a list';
  const limits = type === 'string' ? range(schema.minLength, schema.maxLength) : range(schema.minimum, schema.maximum);
  const unit = type === 'string' && limits !== '' ? ' characters' : '';
  return limits === '' ? type : `${type} ${limits}${unit}`;
}

const words = (all: readonly string[]): string => (all.length < 2 ? all.join('') : `${all.slice(0, -1).join(', ')} or ${all.at(-1)!}`);

const range = (min: number | undefined, max: number | undefined): string => {
  if (min !== undefined && max !== undefined) return `${String(min)}-${String(max)}`;
  if (min !== undefined) return min === 0 ? '' : `≥ ${String(min)}`;
  return max === undefined ? '' : `≤ ${String(max)}`;
};
