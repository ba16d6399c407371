import type { JsonSchema } from '@codelab/protocol';

/** A text as code. */
export const code = (text: string): string => `\`${text}\``;

/** A field of a schema that is a list. */
export const list = (schema: JsonSchema, name: string): readonly unknown[] =>
  Array.isArray(schema[name]) ? (schema[name] as unknown[]) : [];

/** The fields that a schema of an object names. */
export const properties = (schema: JsonSchema): [string, JsonSchema][] =>
  Object.entries((schema['properties'] ?? {}) as Record<string, JsonSchema>);

const BOUNDS = [
  ['minimum', 'from'],
  ['maximum', 'to'],
  ['maxLength', 'characters, at most'],
  ['maxItems', 'items, at most'],
  ['pattern', 'like'],
] as const;

const shown = (value: unknown): string => code(typeof value === 'string' ? value : JSON.stringify(value));

/** What a value may be, in one line: `integer, from 1, to 10`. */
const typeOf = (schema: JsonSchema): string => {
  if (schema['const'] !== undefined) return shown(schema['const']);
  const values = list(schema, 'enum');
  if (values.length > 0) return values.map(shown).join(', ');
  const { type, items } = schema as { readonly type?: string | readonly string[]; readonly items?: JsonSchema };
  const name = type === 'array' ? `list of ${typeOf(items ?? {})}` : [type ?? 'any'].flat().join(' or ');
  const bounds = BOUNDS.filter(([key]) => schema[key] !== undefined).map(([key, words]) => `${words} ${shown(schema[key])}`);
  return [name, ...bounds].join(', ');
};

/**
 * The fields of a schema, a row each: name, type, whether it must be there, meaning.
 * @param base the same without what version 2.1 adds
 */
export const fieldRows = (schema: JsonSchema, base: JsonSchema, prefix = ''): string[][] =>
  properties(schema).flatMap(([name, field]) => {
    const items = (field['items'] ?? {}) as JsonSchema;
    const known = properties(base).find(([other]) => other === name)?.[1];
    const necessity = list(schema, 'required').includes(name)
      ? 'yes'
      : field['default'] === undefined
        ? ''
        : `${shown(field['default'])} without`;
    const meaning = typeof field['description'] === 'string' ? field['description'] : '';
    const since = known === undefined ? '*2.1* ' : '';
    return [
      [code(prefix + name), typeOf(field), necessity, since + meaning],
      ...fieldRows(items, known === undefined ? items : ((known['items'] ?? {}) as JsonSchema), `${prefix}${name}[].`),
    ];
  });
