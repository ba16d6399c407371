import { expect, test } from 'vitest';
import { verifies } from '@codelab/testkit';
import fc from 'fast-check';
import { argsDigest, canonicalJson } from './canonical-json.js';

test(verifies('H2:canonical-json', 'the example of RFC 8785 has the text of RFC 8785'), () => {
  const value = JSON.parse(
    '{"numbers":[333333333.33333329,1E30,4.50,2e-3,0.000000000000000000000000001],' +
      '"string":"\\u20ac$\\u000F\\u000aA\'\\u0042\\u0022\\u005c\\\\\\"\\/","literals":[null,true,false]}',
  ) as unknown;
  expect(canonicalJson(value)).toBe(
    '{"literals":[null,true,false],"numbers":[333333333.3333333,1e+30,4.5,0.002,1e-27],' + '"string":"€$\\u000f\\nA\'B\\"\\\\\\\\\\"/"}',
  );
});

test('names are sorted by UTF-16 code units, as RFC 8785 asks, not by code points', () => {
  const value = { '€': 1, '\r': 2, '\ufb33': 3, '1': 4, '\u{1f600}': 5, '\u0080': 6, ö: 7 };
  expect(Object.values(JSON.parse(canonicalJson(value)) as object)).toEqual([4, 2, 6, 7, 1, 5, 3]);
});

test.each([
  ['-0', -0, '0'],
  ['an absent property', { a: undefined, b: 1 }, '{"b":1}'],
  ['an empty object in a list', [{}], '[{}]'],
  ['the largest safe integer', Number.MAX_SAFE_INTEGER, '9007199254740991'],
])('%s has one text', (_name, value, text) => expect(canonicalJson(value)).toBe(text));

test.each([[NaN], [Infinity], ['\ud800'], [{ '\udc00': 1 }], [[undefined]], [() => 1], [1n], [undefined]])(
  '%p has no canonical text',
  (value) => {
    expect(() => canonicalJson(value)).toThrow(TypeError);
  },
);

test(verifies('H2:digest-of-value', 'the digest does not depend on key order, blanks or escapes'), () => {
  const shuffle = (value: unknown): unknown => {
    if (Array.isArray(value)) return value.map(shuffle);
    if (typeof value !== 'object' || value === null) return value;
    return Object.fromEntries(
      Object.entries(value)
        .reverse()
        .map(([name, inner]) => [name, shuffle(inner)]),
    );
  };
  fc.assert(
    fc.property(fc.jsonValue(), (value) => {
      const text = canonicalJson(value);
      expect(canonicalJson(JSON.parse(JSON.stringify(shuffle(value), null, 2)))).toBe(text);
      expect(canonicalJson(JSON.parse(text))).toBe(text);
    }),
    { numRuns: 200 },
  );
});

test('the digest is the lower-case hex SHA-256 of the canonical text', () => {
  // sha256 of {"path":"src/auth.js"}, computed with sha256sum
  expect(argsDigest({ path: 'src/auth.js' })).toBe('4b465249584fc49d64c3d5db0abfa6eda0eb2a6c0d76a8c4f47cbf5c7c27583a');
});
