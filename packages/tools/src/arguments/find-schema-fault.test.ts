import { expect, test } from 'vitest';
import { findSchemaFault } from './parse-arguments.js';

test.each([
  {},
  { type: 'object', properties: { a: { type: ['string', 'null'], enum: ['x'] } }, required: ['a'] },
  { $schema: 'http://json-schema.org/draft-07/schema#', type: 'object' },
  { type: 'object', properties: {}, 'x-own': 7 },
  { type: 'string', pattern: '(a+)+$' },
])('%j is a schema', (schema) => expect(findSchemaFault(schema)).toBeUndefined());

test.each([
  [{ type: 'objekt' }, 'at /type must be equal to one of the allowed values'],
  [{ properties: [] }, 'at /properties must be object'],
  [{ type: 'object', required: 'a' }, 'at /required must be array'],
  [{ properties: { a: { minLength: -1 } } }, 'at /properties/a/minLength must be >= 0'],
])('%j is none, and the place is named', (schema, fault) => expect(findSchemaFault(schema)).toBe(fault));
