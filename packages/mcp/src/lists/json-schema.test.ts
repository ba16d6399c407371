import { expect, test } from 'vitest';
import { compileSchema } from './json-schema.js';

test('a value is judged by a schema, patterns too', () => {
  const fits = compileSchema({ type: 'object', properties: { a: { type: 'string', pattern: '^x+$' } }, required: ['a'] });
  expect([fits({ a: 'xx' }), fits({ a: 'y' }), fits({})]).toEqual([true, false, false]);
});

test('a schema that leads back to itself, doubles its ways, or compares all with all costs its server the judgement and us no time', () => {
  const $defs: Record<string, object> = { a0: { type: 'object' } };
  for (let n = 1; n <= 40; n += 1)
    $defs[`a${String(n)}`] = { allOf: [{ $ref: `#/$defs/a${String(n - 1)}` }, { $ref: `#/$defs/a${String(n - 1)}` }] };
  const values = Array.from({ length: 50_000 }, (_, id) => ({ id }));
  const began = performance.now();
  expect(compileSchema({ allOf: [{ $ref: '#' }] })({})).toBe(true);
  expect(compileSchema({ $defs, $ref: '#/$defs/a40' })({})).toBe(true);
  expect(compileSchema({ properties: { values: { uniqueItems: true } } })({ values })).toBe(true);
  expect(compileSchema({ $ref: '#/nowhere' })({})).toBe(true);
  expect(performance.now() - began).toBeLessThan(5_000);
});
