import { describe, expect, test } from 'vitest';
import { compilePath, compileSegment } from './glob.js';
import { readFilePattern } from './file-pattern.js';

test.each([
  ['*.ts', 'a.ts', true],
  ['*.ts', '.ts', true],
  ['*.ts', 'a.tsx', false],
  ['a*b*c', 'aXbYbZc', true],
  ['a*b*c', 'aXbYbZ', false],
  ['?', 'a', true],
  ['?', 'ab', false],
  ['[a-c]x', 'bx', true],
  ['[!a-c]x', 'bx', false],
  ['[^a-c]x', 'dx', true],
  ['[]-]x', ']x', true],
  ['[[:digit:]]', '7', true],
  ['[\\]]', ']', true],
  ['\\*', '*', true],
  ['\\*', 'a', false],
  ['a**b', 'axxb', true],
  ['', '', true],
])('the name pattern %p matches %p: %p', (pattern, name, expected) => expect(compileSegment(pattern)!(name)).toBe(expected));

test.each([
  ['src/*.ts', 'src/a.ts', true],
  ['src/*.ts', 'src/x/a.ts', false],
  ['src/**/*.ts', 'src/a.ts', true],
  ['src/**/*.ts', 'src/x/y/a.ts', true],
  ['**/a', 'a', true],
  ['**/a', 'x/y/a', true],
  ['**/a/**/b', 'x/a/b', true],
  ['**/a/**/b', 'x/a/y/z/b', true],
  ['a/**', 'a/b', true],
  ['a/**', 'a', false],
  ['**', 'a/b', true],
])('the path pattern %p matches %p: %p', (pattern, path, expected) => expect(compilePath(pattern)!(path)).toBe(expected));

test.each(['[', 'a[b', 'a\\'])('%p is no pattern', (pattern) => {
  expect(compileSegment(pattern)).toBeUndefined();
  expect(() => readFilePattern(pattern)).toThrow(/cannot be read/);
});

describe('a pattern that others take years for', () => {
  test('takes no time', () => {
    const name = 'a'.repeat(255);
    expect(compileSegment(`${'*a'.repeat(100)}b`)!(name)).toBe(false);
    expect(compilePath(`${'**/a/'.repeat(50)}b`)!(`${'a/'.repeat(120)}a`)).toBe(false);
    expect(() => readFilePattern('{a,b}'.repeat(10))).toThrow(/more than 64 alternatives/);
  });
});

test('braces are alternatives', () => {
  const pattern = readFilePattern('*.{ts,tsx}');
  expect(['a.ts', 'a.tsx', 'a.js', 'a.{ts,tsx}'].map((name) => pattern.matches(name, name))).toEqual([true, true, false, false]);
  const nested = readFilePattern('./src/{a,{b,c}}.ts');
  expect(['src/a.ts', 'src/b.ts', 'src/c.ts', 'src/d.ts'].map((path) => nested.matches(path, ''))).toEqual([true, true, true, false]);
});
