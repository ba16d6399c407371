import { verifies } from '@codelab/testkit';
import { describe, expect, test } from 'vitest';
import fc from 'fast-check';
import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { judgeCommand } from '../judge-command.js';
import { readPlainLine } from './plain-line.js';

const wordsOf = (line: string): readonly (readonly string[])[] | undefined => readPlainLine(line)?.map(({ words }) => words);

/** What a real shell makes of the words of each line: `p` prints its arguments between marks. Globs stay as they are. */
const realWords = (shell: string, lines: readonly string[]): readonly (readonly string[])[] => {
  const script = [
    'set -f',
    'p() { for w in "$@"; do printf \'%s\\001\' "$w"; done; printf \'\\002\'; }',
    ...lines.map((line) => `p ${line}`),
  ].join('\n');
  const { stdout, status } = spawnSync(shell, ['-c', script], {
    encoding: 'utf8',
    input: '',
    env: { PATH: '/nonexistent', HOME: '/home/of/tests' },
  });
  expect(status).toBe(0);
  return stdout
    .split('\u0002')
    .slice(0, -1)
    .map((words) => words.split('\u0001').slice(0, -1));
};

/** Pieces that shells read in ways of their own. */
const PIECES = [
  'a',
  'b1',
  "'",
  '"',
  '\\',
  ' ',
  '\t',
  '#',
  '*',
  '?',
  '[',
  ']',
  '~',
  '!',
  '%',
  '+',
  '=',
  ':',
  ',',
  '@',
  '^',
  '-',
  '.',
  '/',
  'é',
  '$',
  '`',
  '{',
  '}',
  "$'",
  '\\n',
  '0',
];

describe(verifies('H1:command-two-readers', 'what runs unasked looks the same to two readers, and to the shells of this machine'), () => {
  test.each(['/bin/sh', '/bin/bash', '/bin/dash'].filter(existsSync))('%s passes on the words that the plain reader sees', (shell) => {
    const line = fc.array(fc.constantFrom(...PIECES), { minLength: 1, maxLength: 10 }).map((pieces) => pieces.join(''));
    const lines = fc.sample(line, { numRuns: 6000, seed: 3 }).filter((text) => {
      const read = readPlainLine(`p ${text}`);
      return read?.length === 1 && read[0]!.redirects.length === 0 && !/(^|[\s=:])~/.test(text);
    });
    expect(lines.length).toBeGreaterThan(500);
    expect(realWords(shell, lines)).toEqual(lines.map((text) => wordsOf(`p ${text}`)![0]!.slice(1)));
  });

  test.each<[string, string[][]]>([
    ['a "b c" d\\ e', [['a', 'b c', 'd e']]],
    ['a\'b\'"c"', [['abc']]],
    ['a "\\$x \\n"', [['a', '$x \\n']]],
    ['a; b && c || d | e & f\ng', [['a'], ['b'], ['c'], ['d'], ['e'], ['f'], ['g']]],
    ['(a; b) | c', [['a'], ['b'], ['c']]],
    ['a # b\nc', [['a'], ['c']]],
    ['a#b', [['a#b']]],
    ["a ''", [['a', '']]],
    ['a <<E\nx\nE\nb', [['a'], ['b']]],
    ['a <<-E | b\n\tx\n\tE\nc', [['a'], ['b'], ['c']]],
  ])('%j', (line, words) => expect(wordsOf(line)).toEqual(words));

  test.each([
    '$x',
    '`x`',
    '"$x"',
    '"`x`"',
    "$'x'",
    '{a,b}',
    'a=1',
    'a=1 b',
    'if a',
    'then',
    '{ a',
    '! !',
    'a |& b',
    'a ;; b',
    '; a',
    'a && ; b',
    'a >| b',
    'a <<< b',
    'a <> b',
    'f() b',
    'a <<E',
    'a <<E\n$x\nE',
    "a 'b",
    'a "b',
    'a\\',
    'a\\\nb',
    '\u00a0',
    'a\u00a0b',
    'é',
    'a\rb',
    "'a\rb'",
    '=a',
    'a !b',
    '(',
    'a (b)',
    '[[ a',
    'time time',
    'coproc a',
    '12>a',
  ])('%j is more than plain, or not the same to the parser', (line) =>
    expect(readPlainLine(line) === undefined || judgeCommand(line).commands.every(({ literal }) => !literal)).toBe(true),
  );
});
