import { verifies } from '@codelab/testkit';
import { describe, expect, test } from 'vitest';
import fc from 'fast-check';
import { describeCommand } from './describe-command.js';
import { judgeCommand, type CommandVerdict } from './judge-command.js';
import { suggestPrefixes } from './rule-options/suggest-prefixes.js';

const STRICTNESS: Readonly<Record<CommandVerdict, number>> = { automatic: 0, ask: 1, refuse: 2 };
const strictness = (line: string): number => STRICTNESS[judgeCommand(line).verdict];

/** Commands without quotes, so that they can stand in some. */
const SIMPLE = fc.constantFrom(
  'ls',
  'ls -la src',
  'cat a.txt',
  'git status',
  'git log -1',
  'rg foo',
  'npm test',
  'rm x',
  'git push',
  './x',
  'curl x',
  'sudo ls',
  'rm -rf /',
  'chmod 777 x',
  'eval ls',
  'cat .env',
  'ls > out',
  'echo $HOME',
  'mkfs x',
  'make',
);
const JOINT = fc.constantFrom(' ; ', ' && ', ' || ', ' | ', ' & ', '\n', '\n\n', ' |\n', ' &&\n');
const LINE = fc
  .tuple(SIMPLE, fc.array(fc.tuple(JOINT, SIMPLE), { maxLength: 4 }))
  .map(([first, rest]) => first + rest.map((part) => part.join('')).join(''));
const WRAPPERS = [
  'sudo',
  'env',
  'env A=b',
  'timeout 5',
  'nice -n 3',
  'nohup',
  'time',
  'stdbuf -oL',
  'setsid',
  'xargs',
  'command',
  'exec',
  'watch',
  'busybox',
  'eval',
  'parallel',
  'flock x',
  'X=1',
  '!',
  'ssh host',
];
const AROUND = [
  (line: string) => `sh -c '${line}'`,
  (line: string) => `bash -lc "${line.replaceAll('$', '\\$')}"`,
  (line: string) => `(${line})`,
  (line: string) => `{ ${line}\n}`,
  (line: string) => `if true; then ${line}\nfi`,
  (line: string) => `while ${line}\ndo :; done`,
  (line: string) => `f() { ${line}\n}`,
  (line: string) => `echo $(${line})`,
  (line: string) => `echo "\`${line}\`"`,
  (line: string) => `cat <(${line})`,
  (line: string) => `sh <<'EOF'\n${line}\nEOF`,
  (line: string) => `cat <<EOF\n$(${line})\nEOF`,
];

/** What a hostile line is made of. */
const PIECES = [
  'rm',
  ' -rf',
  ' /',
  'ls',
  ' ',
  '\n',
  ';',
  '&',
  '|',
  '(',
  ')',
  '{',
  '}',
  '$',
  '$(',
  '${',
  '`',
  "'",
  '"',
  '\\',
  '<',
  '>',
  '<<E',
  '<(',
  '((',
  '[[',
  '#',
  '!',
  '=',
  '*',
  '~',
  'if ',
  'for ',
  'case ',
  'f()',
  'sh -c ',
  'sudo ',
  'find -exec ',
  'eval ',
  '\0',
  '\r',
  '\u202e',
  '\ud800',
  '😀',
  '.env',
];

describe(
  verifies('H1:command-never-throws', 'any text gets a verdict, a description of visible characters and suggestions, and nothing throws'),
  () => {
    const check = (line: string): void => {
      expect(Object.keys(STRICTNESS)).toContain(judgeCommand(line).verdict);
      expect(describeCommand(line)).toMatch(/^[^\p{Cc}\p{Cf}\p{Cs}]+(\n[^\p{Cc}\p{Cf}\p{Cs}]+)*$/u);
      suggestPrefixes(line);
    };
    test('strings', () => fc.assert(fc.property(fc.string({ unit: 'binary', maxLength: 60 }), check), { numRuns: 200 }));
    test('pieces of shell', () =>
      fc.assert(
        fc.property(
          fc.array(fc.constantFrom(...PIECES), { maxLength: 25 }).map((pieces) => pieces.join('')),
          check,
        ),
        { numRuns: 500 },
      ));
  },
);

describe(verifies('H1:command-monotone', 'what is put beside or around a command never lowers its verdict'), () => {
  test('another command', () =>
    fc.assert(
      fc.property(LINE, JOINT, LINE, (left, joint, right) => {
        expect(strictness(left + joint + right)).toBeGreaterThanOrEqual(Math.max(strictness(left), strictness(right)));
      }),
      { numRuns: 250 },
    ));
  test('a line break between the words makes commands of them that are judged as well', () =>
    fc.assert(
      fc.property(SIMPLE, SIMPLE, (first, second) => {
        expect(strictness(`${first}\n${second}`)).toBeGreaterThanOrEqual(strictness(second));
        expect(strictness(`echo "a\n" ; ${first}\n${second}`)).toBeGreaterThanOrEqual(strictness(second));
      }),
    ));
  test.each(WRAPPERS)('the wrapper %s', (wrapper) =>
    fc.assert(
      fc.property(SIMPLE, (line) => void expect(strictness(`${wrapper} ${line}`)).toBeGreaterThanOrEqual(strictness(line))),
      { numRuns: 40 },
    ),
  );
  test('scripts, groups, functions and substitutions', () =>
    fc.assert(
      fc.property(LINE, fc.array(fc.constantFrom(...AROUND), { minLength: 1, maxLength: 1 }), (line, around) => {
        expect(strictness(around.reduce((inner, wrap) => wrap(inner), line))).toBeGreaterThanOrEqual(strictness(line));
      }),
      { numRuns: 250 },
    ));
  test('two of them', () =>
    fc.assert(
      fc.property(LINE, fc.constantFrom(...AROUND.slice(2, 10)), fc.constantFrom(...AROUND.slice(2, 8)), (line, inner, outer) => {
        expect(strictness(outer(inner(line)))).toBeGreaterThanOrEqual(strictness(line));
      }),
      { numRuns: 200 },
    ));
});

describe(
  verifies('H1:command-bounded', 'a hostile line is judged within bounds on its commands, nesting and scripts, and never as harmless'),
  () => {
    const repeated = (piece: string, end = ''): string => piece.repeat(Math.floor((32_768 - end.length) / piece.length)) + end;
    test.each<[string, string]>([
      ['commands', repeated('x;')],
      ['pipes', repeated('x|', 'sh')],
      ['operands', repeated('a ')],
      ['redirections', repeated('>a ')],
      ['here-documents', repeated('<<A ')],
      ['parentheses', repeated('(')],
      ['substitutions', repeated('$(')],
      ['quoted substitutions', repeated('"$(')],
      ['backticks', repeated('`')],
      ['backslashes', repeated('\\')],
      ['braces', `rm -rf /{${repeated('a,', '}')}`.slice(0, 32_768)],
      ['arithmetic', `echo $((${'1+'.repeat(16_000)}1))`],
      ['shells', repeated('sh -c ')],
      ['wrappers', repeated('xargs ', 'ls')],
      ['find', `find ${'-exec find '.repeat(2900)}`],
      ['scripts in scripts', repeated('eval ', 'x')],
      ['fed shells', `echo '${'x;'.repeat(6000)}' | { ${'sh;'.repeat(5000)} }`],
      ['dots', `cat ${repeated('.').slice(0, 32_000)}x`],
      ['globs', `rm -rf x/${'*'.repeat(32_000)}/`],
      ['slashes', `rm -rf ~${'/'.repeat(32_000)}x`],
      ['keywords', repeated('if ')],
      ['directories', repeated('cd a||')],
      ['modes', `chmod ${'+r'.repeat(16_000)} x`],
      ['functions', repeated('f(){ ')],
    ])('%s', (_, line) => {
      const { verdict, commands } = judgeCommand(line);
      expect(verdict).not.toBe('automatic');
      expect(commands.length).toBeLessThanOrEqual(6_000);
    });
    test('a longer line is not even parsed', () => {
      expect(judgeCommand(`ls ${'a'.repeat(32_766)}`)).toEqual({
        verdict: 'ask',
        reason: 'the command has 32769 characters; up to 32768 are judged',
        commands: [],
      });
      expect(judgeCommand(`ls ${'a '.repeat(2000)}`).verdict).toBe('automatic');
    });
    test('what was seen of a line that is too much still counts', () =>
      expect(judgeCommand(`rm -rf /; ${'x;'.repeat(10_000)}`).verdict).toBe('refuse'));
  },
);
