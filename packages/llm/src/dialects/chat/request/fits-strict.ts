import type { JsonSchema, Strictness } from '../../../canonical/message.js';
import { asList, asObject, isObject } from '../../../json/read-json.js';

/** What OpenAI takes in a strict schema (https://platform.openai.com/docs/guides/structured-outputs#supported-schemas). */
const KEYWORDS = new Set([
  ...['$schema', 'type', 'title', 'description', 'enum', 'const', 'properties', 'required', 'additionalProperties', 'items'],
  ...['anyOf', '$ref', '$defs', 'definitions', 'pattern', 'format', 'minItems', 'maxItems'],
  ...['multipleOf', 'minimum', 'maximum', 'exclusiveMinimum', 'exclusiveMaximum'],
]);
const TYPES = new Set<unknown>(['string', 'number', 'integer', 'boolean', 'object', 'array', 'null']);
const FORMATS = new Set<unknown>(['date-time', 'time', 'date', 'duration', 'email', 'hostname', 'ipv4', 'ipv6', 'uuid']);

/** Levels of schemas in one another: OpenAI's limit for objects. */
const MAX_DEPTH = 10;
/** Values of all enums together, and properties of all objects: OpenAI's limits. */
const MAX_ENUM_VALUES = 1_000;
const MAX_PROPERTIES = 5_000;

/** What OpenAI is told of `strict`: it refuses a request with a schema that isn't in its strict form. */
export const strictFor = (strict: Strictness | undefined, schema: JsonSchema): boolean | undefined =>
  strict === 'if_possible' ? fitsStrict(schema) || undefined : strict;

/** Whether OpenAI takes a schema as strict. When in doubt it doesn't: then the model still reads the schema. */
function fitsStrict(schema: JsonSchema): boolean {
  const count = { properties: 0, enumValues: 0 };
  return schema.type === 'object' && schema.anyOf === undefined && fits(schema, count, 0);
}

interface Count {
  properties: number;
  enumValues: number;
}

function fits(schema: unknown, count: Count, depth: number): boolean {
  if (!isObject(schema) || depth > MAX_DEPTH || !Object.keys(schema).every((key) => KEYWORDS.has(key))) return false;
  if (schema.$ref !== undefined) return typeof schema.$ref === 'string' && schema.$ref.startsWith('#') && Object.keys(schema).length === 1;
  const types = Array.isArray(schema.type) ? schema.type : schema.type === undefined ? [] : [schema.type];
  const inner = [...Object.values({ ...asObject(schema.$defs), ...asObject(schema.definitions) }), ...asList(schema.anyOf)];
  if (types.length === 0 ? schema.anyOf === undefined : !types.every((type) => TYPES.has(type))) return false;
  if (schema.format !== undefined && !FORMATS.has(schema.format)) return false;
  count.enumValues += asList(schema.enum).length;
  if (types.includes('object') || schema.properties !== undefined) {
    if (!isClosed(schema)) return false;
    const members = Object.values(asObject(schema.properties));
    count.properties += members.length;
    inner.push(...members);
  }
  if (types.includes('array') || schema.items !== undefined) inner.push(schema.items);
  if (count.enumValues > MAX_ENUM_VALUES || count.properties > MAX_PROPERTIES) return false;
  return inner.every((one) => fits(one, count, depth + 1));
}

/** An object that takes what it names, all of it, and nothing else. */
function isClosed({ properties, required, additionalProperties }: Readonly<Record<string, unknown>>): boolean {
  if (additionalProperties !== false || !isObject(properties) || !Array.isArray(required)) return false;
  const names = new Set<unknown>(required);
  const members = Object.keys(properties);
  return names.size === members.length && members.every((name) => names.has(name));
}
