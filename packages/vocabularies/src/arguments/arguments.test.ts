import { expect, test } from 'vitest';
import { verifies } from '@codelab/testkit';
import fc from 'fast-check';
import { defineRow, type Row } from '../table/row.js';
import type { UseContext } from '../table/use-context.js';
import { fitArguments } from './fit-arguments.js';
import { readArguments } from './read-arguments.js';

const schema = {
  type: 'object',
  properties: {
    path: { type: 'string', minLength: 1, maxLength: 10 },
    limit: { type: 'integer', minimum: 1, maximum: 600_000, default: 2_000 },
    all: { type: 'boolean' },
    status: { enum: ['pending', 'in_progress', 'completed'] },
    edits: { type: 'array', minItems: 1, maxItems: 3, items: { type: 'object', properties: { to: { type: 'string' } }, required: ['to'] } },
    names: { type: 'array', items: { type: 'string' } },
  },
  required: ['path'],
  additionalProperties: false,
};
const fit = (given: object) => fitArguments(schema, given as never);

test.each<[object, object]>([
  [{ path: 'a' }, { path: 'a', limit: 2_000 }],
  [
    { path: 'a', limit: '12' },
    { path: 'a', limit: 12 },
  ],
  [
    { path: 'a', all: 'FALSE' },
    { path: 'a', limit: 2_000, all: false },
  ],
  [
    { path: 12, all: null, limit: null, unheard: 1 },
    { path: '12', limit: 2_000 },
  ],
  [{ path: { a: 1 } }, { path: '{"a":1}', limit: 2_000 }],
  [
    { path: 'a', names: 'b' },
    { path: 'a', limit: 2_000, names: ['b'] },
  ],
  [
    { path: 'a', names: '["b"]' },
    { path: 'a', limit: 2_000, names: ['b'] },
  ],
  [
    { path: 'a', edits: '[{"to":1}]' },
    { path: 'a', limit: 2_000, edits: [{ to: '1' }] },
  ],
])(verifies('L3:fitted-arguments', 'what a model wrote in another type is taken for what it means: %j'), (given, args) =>
  expect(fit(given)).toEqual({ ok: true, args }),
);

test.each<[object, string]>([
  [{}, 'path: missing; expected string 1-10 characters'],
  [{ path: '' }, 'path: empty; expected string 1-10 characters'],
  [{ path: 'x'.repeat(11) }, 'path: 11 characters; expected string 1-10 characters'],
  [{ path: 'a', limit: 0 }, 'limit: 0; expected integer 1-600000'],
  [{ path: 'a', limit: '1.5' }, 'limit: "1.5"; expected integer 1-600000'],
  [{ path: 'a', all: 'yes' }, 'all: "yes"; expected boolean'],
  [{ path: 'a', status: 'open' }, 'status: "open"; expected pending, in_progress or completed'],
  [{ path: 'a', edits: [] }, 'edits: 0 items; expected 1-3'],
  [{ path: 'a', edits: [{ to: 'x' }, {}] }, 'edits[1].to: missing; expected string'],
])(verifies('L3:misfit-named', 'what does not fit is named, with what came and what was expected: %j'), (given, message) =>
  expect(fit(given)).toEqual({ ok: false, message }),
);

test('whatever comes in, it is fitted or refused, and fitting what was fitted changes nothing', () => {
  fc.assert(
    fc.property(fc.dictionary(fc.constantFrom('path', 'limit', 'all', 'edits', 'names', '__proto__', 'x'), fc.jsonValue()), (given) => {
      const fitted = fit(given);
      if (fitted.ok) expect(fit(fitted.args)).toEqual(fitted);
    }),
    { numRuns: 2_000 },
  );
});

const row = (idempotency: 'safe' | 'unsafe'): Row =>
  defineRow({
    ...{ name: 'r', displayName: 'R', description: '', policy: 'allow', readonly: true, needs: [], stands: 'read_file', idempotency },
    parameters: schema,
    argumentAliases: { where: 'path' },
    aliases: { old: ({ file, ...rest }) => ({ ...rest, path: file }) },
    next: () => ({ text: '' }),
  });
const read = (text: string, idempotency: 'safe' | 'unsafe' = 'safe', name = 'r') =>
  readArguments(row(idempotency), name, text, {} as UseContext);

test(verifies('R2:no-invented-arguments', 'a broken text is repaired for a row that only reads, and refused for any other'), () => {
  expect(read('{"path": "a", "limit": 5')).toEqual({ ok: true, args: { path: 'a', limit: 5 } });
  expect(read('{"path": "a", "limit": 5', 'unsafe')).toMatchObject({ ok: false, message: expect.stringContaining('not valid JSON') });
  expect(read('{"limit": 5')).toEqual({ ok: false, message: 'path: missing; expected string 1-10 characters' });
  expect(read('')).toMatchObject({ ok: false });
});

test('an alias brings its own names; a list, a repeated name and a huge number are no arguments', () => {
  expect(read('{"file":"a"}', 'unsafe', 'old')).toEqual({ ok: true, args: { path: 'a', limit: 2_000 } });
  expect(read('{"where":"a"}')).toEqual({ ok: true, args: { path: 'a', limit: 2_000 } });
  expect(read('{"where":"a","path":"b"}')).toEqual({ ok: true, args: { path: 'b', limit: 2_000 } });
  expect(read('[1]')).toMatchObject({ ok: false, message: 'arguments: [1]; expected one JSON object' });
  expect(read('{"path":"a","path":"b"}')).toMatchObject({ ok: false, message: expect.stringContaining('twice') });
});
