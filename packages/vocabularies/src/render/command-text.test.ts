import { expect, test } from 'vitest';
import { outputOf } from './command-text.js';
import { plainOutput } from './plain-output.js';

const SHARE = { head: 15_000, tail: 9_000, showsFailures: true } as const;

const log = (middle: readonly string[]): string =>
  [...Array.from({ length: 2_000 }, () => 'ok 1 - works'), ...middle, ...Array.from({ length: 1_000 }, () => 'ok 2 - works')].join('\n');

test.each([
  ['tap', '    not ok 7 - parses dates'],
  ['node --test', '  ✖ parses dates (1.2ms)'],
  ['jest', '  ● dates › parses dates'],
  ['vitest', ' FAIL  src/a.test.ts > parses dates'],
  ['mocha', '  1) parses dates'],
  ['pytest', 'FAILED tests/test_a.py::test_dates - assert 1 == 2'],
  ['go', '    --- FAIL: TestDates/zone (0.00s)'],
  ['cargo', 'test dates::parses ... FAILED'],
  ['tsc', "src/a.ts(3,7): error TS2322: Type 'string' is not assignable to type 'number'."],
  ['gcc', "a.c:3:7: error: expected ';' before 'return'"],
])('a failure of %s is shown from the middle', (_runner, line) => {
  const text = outputOf({ stdout: log([line]), log: 'codelab-log:/call_1.txt' }, SHARE);
  expect(text).toContain(`; all of it: codelab-log:/call_1.txt]\n[of what is left out, lines that look like failures:]\n${line}\n`);
  expect(text.length).toBeLessThan(30_000);
});

test('of many failures, however long, some are shown and the others counted', () => {
  const text = outputOf({ stdout: log(Array.from({ length: 500 }, (_, n) => `not ok ${String(n)} ${'x'.repeat(5_000)}`)) }, SHARE);
  expect(text).toContain('[475 more such lines]');
  expect(text.length).toBeLessThan(30_000);
});

test('nothing that is short or has no failures gets a word more', () => {
  expect(outputOf({ stdout: 'not ok 1\n', stderr: 'warning\n' }, SHARE)).toBe('not ok 1\nwarning');
  expect(outputOf({ stdout: log([]) }, SHARE)).not.toContain('look like failures');
});

test('terminal codes go, links and titles too; a hostile output takes no long time', () => {
  expect(plainOutput('\u001B]0;title\u0007\u001B[1;31mred\u001B[0m\r\n\u001B]8;;http://x\u001B\\link\u001B]8;;\u001B\\')).toBe('red\nlink');
  expect(plainOutput('10%\r55%\rdone\nnext')).toBe('done\nnext');
  const begin = performance.now();
  plainOutput('\u001B]'.repeat(200_000) + '\u001B['.repeat(200_000) + '\r'.repeat(400_000));
  expect(performance.now() - begin).toBeLessThan(5_000);
});
