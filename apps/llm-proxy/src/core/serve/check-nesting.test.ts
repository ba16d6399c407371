import { expect, test } from 'vitest';
import { checkNesting, MAX_CONTAINERS, MAX_NESTING } from './check-nesting.js';

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

test('a million objects and lists are more than any conversation has', () => {
  expect(() => checkNesting(`[${'[],'.repeat(MAX_CONTAINERS - 2)}[]]`)).not.toThrow();
  expect(() => checkNesting(`[${'{},'.repeat(MAX_CONTAINERS)}{}]`)).toThrow('more than 1000000 objects and lists');
});
