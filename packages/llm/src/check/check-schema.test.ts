import { expect, test } from 'vitest';
import type { ApiError } from '../errors/api-error.js';
import { checkSchema } from './check-schema.js';

const at = (schema: unknown): string | undefined => {
  try {
    checkSchema(schema, 'p');
  } catch (error) {
    return (error as ApiError).param;
  }
  return undefined;
};

test.each([
  [{}],
  [{ type: ['string', 'null'], description: 7, default: null, nullable: true, 'x-order': 1 }],
  [{ type: 'object', properties: { a: true, b: { $ref: '#/$defs/x' } }, required: [], additionalProperties: false, $defs: { x: {} } }],
  [{ items: [{ type: 'string' }], exclusiveMinimum: true, minimum: 0 }],
  [{ anyOf: [{ const: 1 }, { enum: [1, null] }], not: {}, patternProperties: { '^a': { minLength: 1 } } }],
  [{ properties: { type: { type: 'string' }, required: { type: 'boolean' } } }],
  [{ type: null, required: null }],
])('%j is a schema', (schema) => {
  expect(at(schema)).toBeUndefined();
});

test.each([
  [undefined, 'p'],
  [true, 'p'],
  [[], 'p'],
  [{ type: 'text' }, 'p.type'],
  [{ type: ['string', 'text'] }, 'p.type[1]'],
  [{ required: 'a' }, 'p.required'],
  [{ required: ['a', 1] }, 'p.required[1]'],
  [{ properties: [] }, 'p.properties'],
  [{ properties: { a: 'string' } }, 'p.properties.a'],
  [{ properties: { a: { items: { enum: 'x' } } } }, 'p.properties.a.items.enum'],
  [{ items: [{}, 1] }, 'p.items[1]'],
  [{ anyOf: {} }, 'p.anyOf'],
  [{ allOf: [{ minLength: -1 }] }, 'p.allOf[0].minLength'],
  [{ additionalProperties: 1 }, 'p.additionalProperties'],
  [{ maximum: '3' }, 'p.maximum'],
  [{ pattern: 1 }, 'p.pattern'],
  [{ $ref: '' }, 'p.$ref'],
  [{ uniqueItems: 1 }, 'p.uniqueItems'],
])('%j is none, at %s', (schema, param) => {
  expect(at(schema)).toBe(param);
});

test('a schema without end is refused', () => {
  let schema: object = {};
  for (let depth = 0; depth < 1_000; depth++) schema = { not: schema };
  expect(at(schema)).toMatch(/^p(\.not){64}$/);
});
