import { expect, test } from 'vitest';
import { readForm } from '@codelab/tools/human';
import { readElicitationAnswer, toElicitationSchema } from './elicitation.js';

test('a form comes out as it went in, and only answers of its kinds are taken', () => {
  const schema = {
    type: 'object',
    properties: {
      name: { type: 'string', title: 'Name', minLength: 2, default: 'Ada' },
      age: { type: 'integer', minimum: 0 },
      sure: { type: 'boolean', default: true },
      way: { type: 'string', enum: ['l', 'r'], enumNames: ['Left', 'Right'] },
      parts: { type: 'array', items: { enum: ['a', 'b'] }, minItems: 1 },
    },
    required: ['name'],
  };
  const fields = readForm(schema);
  if (typeof fields === 'string') throw new Error(fields);
  const asked = toElicitationSchema(fields);
  expect(asked.required).toEqual(['name']);
  expect(readForm(asked)).toEqual(fields);
  expect(readElicitationAnswer({ action: 'accept', content: { name: 'B', age: 3, parts: ['a'] } })).toEqual({
    ...{ action: 'accept', content: { name: 'B', age: 3, parts: ['a'] } },
  });
  expect(readElicitationAnswer({ action: 'decline' })).toEqual({ action: 'decline' });
  expect(readElicitationAnswer({ action: 'something-new' })).toEqual({ action: 'cancel' });
});
