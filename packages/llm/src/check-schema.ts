import { aList, anObject, filledText, flag, isAbsent, listOf, oneOf, text, type Check } from './check-fields.js';
import { quote, refuse } from './refuse.js';

/** Deeper schemas than any tool has; what walks them calls itself. */
const MAX_DEPTH = 64;

const type = oneOf('string', 'number', 'integer', 'boolean', 'object', 'array', 'null');

const number: Check = (value, param) => {
  if (typeof value !== 'number') throw refuse(param, `must be a number, not ${quote(value)}`);
};
const count: Check = (value, param) => {
  if (typeof value !== 'number' || value < 0) throw refuse(param, `must be a number of at least 0, not ${quote(value)}`);
};
/** Draft 4 has a flag where later ones have the number. */
const bound: Check = (value, param) => {
  if (typeof value !== 'boolean') number(value, param);
};

/** Keywords with plain values. Titles, descriptions and formats are not looked at: nothing depends on them. */
const PLAIN: Readonly<Record<string, Check>> = {
  type: (value, param) => (Array.isArray(value) ? listOf(type) : type)(value, param),
  required: listOf(text),
  enum: aList,
  pattern: text,
  $ref: filledText,
  minimum: number,
  maximum: number,
  multipleOf: number,
  exclusiveMinimum: bound,
  exclusiveMaximum: bound,
  minLength: count,
  maxLength: count,
  minItems: count,
  maxItems: count,
  minProperties: count,
  maxProperties: count,
  uniqueItems: flag,
};
const ONE_SCHEMA = ['additionalProperties', 'contains', 'else', 'if', 'not', 'propertyNames', 'then', 'unevaluatedItems'];
const MANY_SCHEMAS = ['allOf', 'anyOf', 'oneOf', 'prefixItems'];
const NAMED_SCHEMAS = ['$defs', 'definitions', 'dependentSchemas', 'patternProperties', 'properties'];

/**
 * Looks whether `schema` is a JSON Schema of any draft, as far as its form goes: keywords that validators and models read have values of
 * their kind, at every depth. Nothing is compiled. Throws `ApiError` that names the keyword.
 */
export function checkSchema(schema: unknown, param: string): void {
  anObject(schema, param);
  checkLevel(schema, param, 1);
}

function checkLevel(schema: unknown, param: string, depth: number): void {
  if (typeof schema === 'boolean') return;
  anObject(schema, param);
  if (depth > MAX_DEPTH) throw refuse(param, `the schema is nested deeper than ${MAX_DEPTH} levels`);
  const keywords = schema as Readonly<Record<string, unknown>>;
  for (const name in keywords) {
    const value = keywords[name];
    const at = `${param}.${name}`;
    const below: Check = (inner, place) => checkLevel(inner, place, depth + 1);
    if (isAbsent(value)) continue;
    if (Object.hasOwn(PLAIN, name)) PLAIN[name]?.(value, at);
    else if (ONE_SCHEMA.includes(name)) below(value, at);
    else if (MANY_SCHEMAS.includes(name)) listOf(below)(value, at);
    else if (name === 'items') (Array.isArray(value) ? listOf(below) : below)(value, at);
    else if (NAMED_SCHEMAS.includes(name)) checkNamed(value, at, below);
  }
}

function checkNamed(schemas: unknown, param: string, below: Check): void {
  anObject(schemas, param);
  for (const [name, schema] of Object.entries(schemas as object)) below(schema, `${param}.${name}`);
}
