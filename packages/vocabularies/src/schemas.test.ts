import { describe, expect, test } from '@jest/globals';
import type { JsonSchema } from '@codelab/protocol';
import { TOOLS, VOCABULARY_NAMES } from '@codelab/tools';
import { verifies } from '@codelab/testkit';
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

test.each(TOOLS)(
  `${verifies('L3:portable-schemas', 'the schemas of all tools are such that every provider takes them')}: canonical $name`,
  ({ parameters }) => expect(faultsOf(parameters)).toEqual([]),
);
