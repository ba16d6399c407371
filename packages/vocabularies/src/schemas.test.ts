import { describe, expect, test } from 'vitest';
import type { JsonSchema } from '@codelab/protocol';
import { type JsonObject, PLAN_TOOL, TOOLS, VOCABULARY_NAMES } from '@codelab/tools';
import { verifies } from '@codelab/testkit';
import { fitArguments } from './arguments/fit-arguments.js';
import { findRow, findVocabulary } from './vocabularies.js';

/** Of JSON Schema, what OpenAI's function calling and Anthropic's tools both read; llm-proxy moves limits into descriptions where a server is strict. */
const KEYWORDS: Readonly<Record<string, readonly string[]>> = {
  object: ['properties', 'required', 'additionalProperties'],
  array: ['items', 'minItems', 'maxItems'],
  string: ['minLength', 'maxLength', 'pattern'],
  integer: ['minimum', 'maximum'],
  boolean: [],
};
const COMMON = ['type', 'description', 'enum', 'default'];

const IS_OF_TYPE: Readonly<Record<string, (value: unknown) => boolean>> = {
  string: (value) => typeof value === 'string',
  integer: Number.isInteger,
  boolean: (value) => typeof value === 'boolean',
};

/** What is wrong with a schema, with the way to it. */
function faultsOf(schema: JsonSchema, way = '$'): string[] {
  const {
    type,
    properties = {},
    required = [],
    items,
  } = schema as {
    readonly type?: unknown;
    readonly properties?: Readonly<Record<string, JsonSchema>>;
    readonly required?: readonly string[];
    readonly items?: JsonSchema;
  };
  const known = typeof type === 'string' ? KEYWORDS[type] : undefined;
  if (known === undefined) return [`${way}: type ${JSON.stringify(type)}`];
  const faults = Object.keys(schema).flatMap((word) => (COMMON.includes(word) || known.includes(word) ? [] : [`${way}: ${word}`]));
  const values = [...((schema.enum as readonly unknown[] | undefined) ?? []), ...('default' in schema ? [schema.default] : [])];
  if (values.some((value) => IS_OF_TYPE[type as string]?.(value) !== true)) faults.push(`${way}: a value of another type`);
  if (type === 'object' && schema.additionalProperties !== false) faults.push(`${way}: takes more than it names`);
  if (type === 'array' && items === undefined) faults.push(`${way}: items of any kind`);
  faults.push(...required.filter((name) => !Object.hasOwn(properties, name)).map((name) => `${way}: requires ${name}`));
  for (const [name, property] of Object.entries(properties)) {
    if (!/^[a-zA-Z0-9_.-]{1,64}$/.test(name)) faults.push(`${way}: the name ${name}`);
    if (Object.hasOwn(property, 'default') && required.includes(name)) faults.push(`${way}.${name}: required, with a default`);
    faults.push(...faultsOf(property, `${way}.${name}`));
  }
  return items === undefined ? faults : [...faults, ...faultsOf(items, `${way}[]`)];
}

const CHARACTERS_PER_TOKEN = 3.7;

describe.each(VOCABULARY_NAMES.flatMap((name) => findVocabulary(name) ?? []))('$name', ({ name: vocabulary, rows, etiquette }) => {
  const everyRow = verifies('L3:portable-schemas', 'the schemas of all tools are such that every provider takes them');
  test.each(rows)(`${everyRow}: $name`, ({ name, description, parameters, without, aliases = {}, argumentAliases = {} }) => {
    expect(name).toMatch(/^[a-zA-Z0-9_-]{1,64}$/);
    expect(faultsOf(parameters)).toEqual([]);
    expect(parameters.type).toBe('object');
    for (const text of [description, without?.description ?? '']) expect(text.length / CHARACTERS_PER_TOKEN).toBeLessThanOrEqual(120);
    expect(description.length).toBeGreaterThan(40);
    const shown = Object.keys(parameters.properties ?? {});
    for (const [other, meant] of Object.entries(argumentAliases))
      expect([shown.includes(other), shown.includes(meant)]).toEqual([false, true]);
    for (const alias of Object.keys(aliases)) expect(findRow(vocabulary, alias)?.name).toBe(name);
  });

  test('each name is that of one row, and there is something to say of how to work', () => {
    const names = rows.flatMap(({ name, aliases = {} }) => [name, ...Object.keys(aliases)]);
    expect(new Set(names).size).toBe(names.length);
    expect(etiquette.length).toBeGreaterThan(0);
  });
});

/** A schema as strict function calling has it: everything is required, what was optional may be null, and some limits are words. */
function strictOf(schema: JsonSchema, isOptional = false): JsonSchema {
  const { minLength: _min, maxLength: _max, default: _default, properties, required = [], items, type, ...rest } = schema as Schema;
  const values = schema.enum as readonly unknown[] | undefined;
  const given = Object.entries(properties ?? {});
  return {
    ...rest,
    type: isOptional ? [type, 'null'] : type,
    ...(values && isOptional ? { enum: [...values, null] } : {}),
    ...(items && { items: strictOf(items) }),
    ...(properties && {
      properties: Object.fromEntries(given.map(([name, one]) => [name, strictOf(one, !required.includes(name))])),
      required: given.map(([name]) => name),
    }),
  };
}
type Schema = JsonSchema &
  Readonly<Record<string, unknown>> & {
    readonly properties?: Readonly<Record<string, JsonSchema>>;
    readonly items?: JsonSchema;
    readonly required?: readonly string[];
  };

/** Keywords of strict function calling (https://platform.openai.com/docs/guides/structured-outputs#supported-schemas). */
const STRICT: ReadonlySet<string> = new Set([
  ...['type', 'description', 'enum', 'properties', 'required', 'additionalProperties', 'items', 'minItems', 'maxItems'],
  ...['pattern', 'format', 'minimum', 'maximum', 'exclusiveMinimum', 'exclusiveMaximum', 'multipleOf', 'anyOf', '$ref', '$defs'],
]);

/** What strict function calling refuses in a schema; levels and properties are counted over the whole. */
function strictFaults(schema: JsonSchema, way = '$', level = 1): string[] {
  const { properties = {}, required = [], items } = schema as Schema;
  const faults = Object.keys(schema).flatMap((word) => (STRICT.has(word) ? [] : [`${way}: ${word}`]));
  if (level > 10) faults.push(`${way}: too deep`);
  if (/\(\?[=!<]/.test(typeof schema.pattern === 'string' ? schema.pattern : '')) faults.push(`${way}: a pattern that looks around`);
  if (JSON.stringify(Object.keys(properties)) !== JSON.stringify(required)) faults.push(`${way}: something is not required`);
  if (Object.keys(properties).length > 0 && schema.additionalProperties !== false) faults.push(`${way}: takes more than it names`);
  for (const [name, property] of Object.entries(properties)) faults.push(...strictFaults(property, `${way}.${name}`, level + 1));
  return items === undefined ? faults : [...faults, ...strictFaults(items, `${way}[]`, level + 1)];
}

/** The least that fits a schema. */
function sampleOf(schema: JsonSchema): unknown {
  const {
    type,
    properties = {},
    required = [],
    items,
    minimum = 0,
    minItems = 0,
    minLength = 0,
  } = schema as Schema & {
    readonly minimum?: number;
    readonly minItems?: number;
    readonly minLength?: number;
  };
  if (schema.enum !== undefined) return (schema.enum as readonly unknown[])[0];
  if (type === 'object') return Object.fromEntries(required.map((name) => [name, sampleOf(properties[name]!)]));
  if (type === 'array') return Array.from({ length: minItems }, () => sampleOf(items!));
  return type === 'integer' ? minimum : type === 'boolean' ? false : 'x'.repeat(minLength);
}

describe('strict function calling', () => {
  const rows = VOCABULARY_NAMES.flatMap((vocabulary) => (findVocabulary(vocabulary)?.rows ?? []).map((row) => ({ vocabulary, ...row })));

  test.each(rows)(
    verifies('L3:strict-schemas', '$vocabulary $name is refused by no rule of it, and what it then writes as null counts as left out'),
    ({ parameters }) => {
      expect(strictFaults(strictOf(parameters))).toEqual([]);
      const least = sampleOf(parameters) as JsonObject;
      const nulls = Object.fromEntries(Object.keys(parameters.properties ?? {}).map((property) => [property, null]));
      const read = fitArguments(parameters, least);
      expect(read.ok).toBe(true);
      expect(fitArguments(parameters, { ...nulls, ...least })).toEqual(read);
    },
  );

  test.each([...TOOLS, PLAN_TOOL])(verifies('L3:strict-schemas', 'canonical $name is refused by no rule of it'), ({ parameters }) =>
    expect(strictFaults(strictOf(parameters))).toEqual([]),
  );
});

test.each([...TOOLS, PLAN_TOOL])(
  `${verifies('L3:portable-schemas', 'the schemas of all tools are such that every provider takes them')}: canonical $name`,
  ({ parameters }) => expect(faultsOf(parameters)).toEqual([]),
);
