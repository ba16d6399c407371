import { expect, test } from '@jest/globals';
import { checkNesting, MAX_NESTING } from './check-nesting.js';

const nested = (levels: number, inside = '') => '['.repeat(levels) + inside + ']'.repeat(levels);

test('nesting is counted where it is nesting', () => {
  expect(() => checkNesting(nested(MAX_NESTING))).not.toThrow();
  expect(() => checkNesting(nested(MAX_NESTING + 1))).toThrow('nested deeper than 256');
  expect(() => checkNesting(`{"a":${nested(MAX_NESTING)}}`)).toThrow('nested deeper');
});

test.each([
  ['brackets in a string', JSON.stringify('['.repeat(1000))],
  ['brackets after an escaped quote', JSON.stringify(`"${'['.repeat(1000)}`)],
  ['a string that ends in a backslash', `[${JSON.stringify('\\')},${JSON.stringify('{'.repeat(1000))}]`],
  ['many that stand side by side', `[${Array.from({ length: 400 }, () => '[]').join(',')}]`],
  ['a string without an end', `"${'['.repeat(1000)}`],
])('%s are no nesting', (_what, text) => {
  expect(() => checkNesting(text)).not.toThrow();
});
