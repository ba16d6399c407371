import { describe, expect, test } from 'vitest';
import { verifies } from '@codelab/testkit';
import fc from 'fast-check';
import { findWindowsFault, parsePath } from './parse-path.js';

const verdict = (text: string, platform: NodeJS.Platform = 'linux'): string => {
  const parsed = parsePath(text, platform);
  return parsed.ok ? parsed.path.text : parsed.code;
};

describe(verifies('W1:path-text', 'a path that leads out by its text is refused before the disk is looked at'), () => {
  test.each([
    ['..', 'PATH_OUTSIDE_WORKSPACE'],
    ['../ws-evil/secret.txt', 'PATH_OUTSIDE_WORKSPACE'],
    ['src/../a', 'PATH_OUTSIDE_WORKSPACE'],
    ['a/..', 'PATH_OUTSIDE_WORKSPACE'],
    ['..\\a', 'PATH_OUTSIDE_WORKSPACE'],
    ['a\\..\\..\\b', 'PATH_OUTSIDE_WORKSPACE'],
    ['/etc/passwd', 'PATH_OUTSIDE_WORKSPACE'],
    ['//server/share', 'PATH_OUTSIDE_WORKSPACE'],
    ['\\\\server\\share', 'PATH_OUTSIDE_WORKSPACE'],
    ['\\a', 'PATH_OUTSIDE_WORKSPACE'],
    ['C:\\a', 'PATH_OUTSIDE_WORKSPACE'],
    ['c:/a', 'PATH_OUTSIDE_WORKSPACE'],
    ['C:a', 'PATH_OUTSIDE_WORKSPACE'],
    ['', 'INVALID_PATH'],
    ['a\0b', 'INVALID_PATH'],
    ['../a\0', 'INVALID_PATH'],
    ['a\\b', 'INVALID_PATH'],
    ['\ud800', 'INVALID_PATH'],
    ['a'.repeat(256), 'INVALID_PATH'],
    [`${'ä/'.repeat(127)}ab`, 'INVALID_PATH'],
  ])('%p: %s', (text, code) => expect(verdict(text)).toBe(code));
});

test.each([
  ['.', '.'],
  ['./', '.'],
  ['src/auth.js', 'src/auth.js'],
  ['./src//auth.js/', 'src/auth.js'],
  ['..a/b..', '..a/b..'],
  ['...', '...'],
  [' a ', ' a '],
  ['con', 'con'],
  ['ab:c', 'ab:c'],
  ['a'.repeat(255), 'a'.repeat(255)],
  ['\u{1f600}'.repeat(255), '\u{1f600}'.repeat(255)],
])('%p is the path %p', (text, path) => expect(verdict(text)).toBe(path));

test('the message has the limit and the figure, and not the whole path', () => {
  expect(parsePath('x'.repeat(5000))).toMatchObject({
    ok: false,
    message: expect.stringMatching(/^The path has 5000 characters, at most 255 are allowed: x{77}…$/),
  });
});

test.each(['CON', 'nul.txt', 'com1', 'COM¹.log', 'aux .txt', 'file:stream', 'a?', 'a*b', 'end.', 'end ', 'a\u0001b', 'CONIN$'])(
  'on Windows %p is no file name',
  (name) => {
    expect(findWindowsFault(name)).toBeDefined();
    expect(verdict(`src/${name}/x`, 'win32')).toBe('INVALID_PATH');
  },
);

test.each(['console', 'com', 'com10', 'nully.txt', '.env', 'a.b', 'lpt'])('on Windows %p is one', (name) => {
  expect(findWindowsFault(name)).toBeUndefined();
  expect(verdict(name, 'win32')).toBe(name);
});

test('whatever is accepted has only names in it', () => {
  const text = fc.oneof(
    fc.string({ unit: fc.constantFrom('.', '/', '\\', 'a', ':', '\0', ' ', 'C'), maxLength: 12 }),
    fc.string({ unit: 'binary', maxLength: 300 }),
  );
  fc.assert(
    fc.property(text, (path) => {
      const parsed = parsePath(path);
      if (!parsed.ok) return;
      expect(parsed.path.segments.every((name) => name !== '' && name !== '.' && name !== '..' && !/[/\\\0]/.test(name))).toBe(true);
      expect(parsePath(parsed.path.text)).toEqual(parsed);
    }),
    { numRuns: 2000 },
  );
});
