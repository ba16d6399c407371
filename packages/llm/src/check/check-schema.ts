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

/** How a keyword holds schemas. */
const HOLDS: Readonly<Record<string, 'one' | 'list' | 'either' | 'named'>> = {
  ...Object.fromEntries(
    ['additionalProperties', 'contains', 'else', 'if', 'not', 'propertyNames', 'then', 'unevaluatedItems'].map(
      (name) => [name, 'one'] as const,
    ),
  ),
  ...Object.fromEntries(['allOf', 'anyOf', 'oneOf', 'prefixItems'].map((name) => [name, 'list'] as const)),
  ...Object.fromEntries(
    ['$defs', 'definitions', 'dependentSchemas', 'patternProperties', 'properties'].map((name) => [name, 'named'] as const),
  ),
  items: 'either',
};

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
    if (isAbsent(value)) continue;
    if (Object.hasOwn(PLAIN, name)) PLAIN[name]?.(value, `${param}.${name}`);
    else if (Object.hasOwn(HOLDS, name)) checkHeld(name, value, { param: `${param}.${name}`, depth: depth + 1 });
  }
}

function checkHeld(keyword: string, value: unknown, { param, depth }: { readonly param: string; readonly depth: number }): void {
  const how = HOLDS[keyword];
  if (how === 'named') {
    anObject(value, param);
    for (const name in value as object) checkLevel((value as Record<string, unknown>)[name], `${param}.${name}`, depth);
  } else if (how === 'list' || (how === 'either' && Array.isArray(value))) {
    listOf((inner, place) => checkLevel(inner, place, depth))(value, param);
  } else {
    checkLevel(value, param, depth);
  }
}
