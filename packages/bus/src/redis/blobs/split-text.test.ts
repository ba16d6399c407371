import fc from 'fast-check';
import { expect, test } from 'vitest';
import { digestsIn, isSplit, joinText, splitText } from './split-text.js';

const join = (text: string, fromUnits: number): string => {
  const split = splitText(text, fromUnits);
  return split === undefined ? text : joinText(split.stored, (digest) => split.strings.get(digest) ?? '?');
};

test('any JSON text comes back as it was', () => {
  const escapes = fc.string({ unit: fc.constantFrom('"', '\\', 'a', 'é', '\n', '🙂', '\ud800'), maxLength: 40 });
  const values = fc.array(fc.tuple(escapes, fc.array(escapes, { maxLength: 4 })), { maxLength: 4 });
  fc.assert(
    fc.property(values, fc.integer({ min: 1, max: 20 }), (value, fromUnits) => {
      const text = JSON.stringify(value);
      return join(text, fromUnits) === text;
    }),
  );
});

test('a split text has only its short strings, says how long the whole is, and takes a field at its beginning', () => {
  const content = 'quoted \\" and \\\\'.repeat(10);
  const text = `{"role":"tool","content":"${content}","items":["${content}","short"]}`;
  const { stored, strings } = splitText(text, 100)!;
  expect(isSplit(stored)).toBe(true);
  expect([...strings.values()]).toEqual([content]);
  expect(stored).toMatch(
    new RegExp(`^@${String(text.length)},(\\d+:[\\w-]{43},?){2} {"role":"tool","content":"","items":\\["","short"\\]}$`),
  );
  expect(digestsIn(stored)).toEqual([[...strings.keys()][0], [...strings.keys()][0]]);
  expect(joinText(stored.replace('{', '{"seq":12,'), () => content)).toBe(text.replace('{', '{"seq":12,'));
});

test('a text without long strings is left alone, however long it is', () => {
  expect(splitText(JSON.stringify(Array.from({ length: 100 }, () => 'short')), 20)).toBeUndefined();
  expect(splitText(`{"a":"${'x'.repeat(19)}"}`, 20)).toBeUndefined();
});
