import { expect, test } from 'vitest';
import { verifies } from '@codelab/testkit';
import fc from 'fast-check';
import { readFileSync } from 'node:fs';
import { outputOf } from '../command-text.js';
import { plainOutput } from '../plain-output.js';

const fixture = (name: string): string => readFileSync(new URL(`./__fixtures__/${name}.txt`, import.meta.url), 'utf8');
const log = 'codelab-log:/call_1.txt';

test.each([
  [
    'jest-v',
    ['● suite 3 › sums the basket', 'the sum is wrong', '● suite 7 › parses dates', 'Tests:       2 failed, 1 skipped, 300 passed'],
    120,
  ],
  [
    'vitest',
    ['FAIL  test/s3.test.mjs > suite 3 > sums the basket', 'the sum is wrong', 'parses dates', 'Tests  2 failed | 300 passed'],
    120,
  ],
  ['node-spec', ['✖ sums the basket', 'the sum is wrong', '✖ parses dates', 'ℹ fail 2'], 120],
  ['ava', ['✘ [fail]: s3 › sums the basket', 'the sum is wrong', '1 test failed'], 40],
  ['pytest-v', ['test_sums_the_basket', 'AssertionError: the sum is wrong', 'no database', '1 failed, 240 passed, 1 skipped, 1 error'], 60],
  ['cargo', ['tests::sums_the_basket', 'the sum is wrong', 'test result: FAILED. 60 passed; 1 failed'], 60],
  ['node-tap', ['not ok 31 - sums the basket', "error: 'the sum is wrong'", 'not ok 4 - suite 3', '# fail 1'], 60],
  ['unittest-v', ['FAIL: test_sums_the_basket', 'the sum is wrong', 'ERROR: test_parses_dates', 'no database', 'FAILED (failures=1'], 40],
  ['maven', ['shop.Suite3Test.sumsTheBasket', 'the sum is wrong', 'no database', 'Tests run: 82, Failures: 1, Errors: 1'], 75],
])('of the output of %s the failures are left, and how it ended', (name, kept, lines) => {
  const text = outputOf({ stdout: fixture(name), log });
  for (const part of kept) expect(text).toContain(part);
  expect(text).toContain(log);
  expect(text.split('\n').length).toBeLessThan(lines);
  expect(text).not.toContain('\u001B');
  expect(text).not.toMatch(/case 0\.3 passes|test_case_0_3|case_33/);
});

test.each([
  ['jest-v', 'PASS  test/s9.test.js', 'sums the basket'],
  ['node-spec', '✖ sums the basket'],
  ['pytest-v', 'FAILED'],
  ['cargo', 'tests::sums_the_basket'],
  ['node-tap', 'not ok 31 - sums the basket'],
  ['maven', 'the sum is wrong'],
])('the output of %s is folded, too, where it was stopped before its end', (name, last, kept = last) => {
  const whole = plainOutput(fixture(name));
  const text = outputOf({ stdout: whole.slice(0, whole.lastIndexOf(last) + last.length), log });
  expect(text).toContain(kept);
  expect(text).toMatch(/\[[\w: ]+: \d+ lines of passed tests left out; all of it: codelab-log:/i);
});

const many = (line: (n: number) => string): string => Array.from({ length: 300 }, (_, n) => `${line(n)}\n`).join('');

test.each([
  [
    'go test',
    many((n) => `=== RUN   TestA${n}\n--- PASS: TestA${n} (0.00s)`),
    '--- FAIL: TestSum (0.01s)\n    sum_test.go:9: 3, not 4\nFAIL\tshop\t0.1s',
  ],
  [
    'gradle',
    many((n) => `> Task :a${n} UP-TO-DATE\nshop.ATest > case${n}() PASSED`),
    'shop.ATest > sums() FAILED\n    at A.java:9\n301 tests completed, 1 failed',
  ],
  [
    'dotnet test',
    many((n) => `  Passed Shop.A.Case${n} [1 ms]`),
    '  Failed Shop.A.Sums [3 ms]\n  Error Message:\n   3, not 4\nFailed!  - Failed:     1, Passed:   300',
  ],
  ['rspec', `${'.'.repeat(80)}\n`.repeat(30), 'Failures:\n\n  1) Shop sums\n     expected: 4\n          got: 3\n\n900 examples, 1 failure'],
  [
    'phpunit',
    many((n) => ` ✔ Case ${n} passes`),
    '1) ShopTest::testSums\nFailed asserting that 3 matches 4.\n\nTests: 301, Assertions: 301, Failures: 1.',
  ],
  [
    'playwright',
    many((n) => `  ✓  ${n} [chromium] › a.spec.ts:3:1 › case ${n} (1s)`),
    '  1) [chromium] › a.spec.ts:9:1 › sums\n\n    Error: 3, not 4\n\n  1 failed\n  300 passed (9.1s)',
  ],
])('%s: the lines of passed tests give way to their number', (runner, passed, rest) => {
  const [note, ...shown] = outputOf({ stdout: `${passed}${rest}\n`, log }).split('\n');
  expect(note).toMatch(new RegExp(`^\\[${runner}: \\d+ lines of passed tests left out; all of it: ${log}\\]$`));
  expect(shown.join('\n')).toBe(rest);
});

test.each(['jest', 'pytest'])('the output of %s that is short anyway stays as it is', (name) => {
  expect(outputOf({ stdout: fixture(name).slice(0, 1_900) })).toBe(fixture(name).slice(0, 1_900).replace(/\n$/, ''));
});

test(verifies('L3:test-runners', 'whatever failed, no name and no message is lost, and the limit is never exceeded'), () => {
  const failure = fc.record({
    name: fc.stringMatching(/^[a-z][a-z ]{2,30}[a-z]$/),
    message: fc.stringMatching(/^[a-z]{5,40}$/),
    trace: fc.nat(400),
  });
  const run = fc.record({ failures: fc.array(failure, { minLength: 1, maxLength: 40 }), passed: fc.nat(3_000), noise: fc.nat(40_000) });
  fc.assert(
    fc.property(run, ({ failures, passed, noise }) => {
      const blocks = failures.map(
        ({ name, message, trace }) => `  ● ${name}\n\n    ${message}\n${'      at f (a.js:1:1)\n'.repeat(trace)}`,
      );
      const passing = Array.from({ length: passed }, (_, n) => `  ✓ passes ${String(n)} (1 ms)\n`).join('');
      const console = 'x'
        .repeat(79)
        .concat('\n')
        .repeat(Math.floor(noise / 80));
      const total = `Tests:       ${String(failures.length)} failed, ${String(passed)} passed, ${String(failures.length + passed)} total`;
      const text = outputOf({ stdout: `${passing}${console}${blocks.join('\n')}\n${console}${total}\n`, log });
      expect(text.length).toBeLessThanOrEqual(30_000);
      for (const { name, message } of failures) expect([text.includes(name), text.includes(message)]).toEqual([true, true]);
      expect(text).toContain(total);
    }),
    { numRuns: 60 },
  );
});

test('unknown output is shown by its beginning and its end', () => {
  const text = Array.from({ length: 5_000 }, (_, n) => `line ${String(n)}`).join('\n');
  const shown = outputOf({ stdout: text, log });
  expect(shown).toMatch(/^line 0\n[^]*\[cut: \d+ characters left out; all of it: codelab-log:\/call_1\.txt\]\n[^]*line 4999$/);
  expect(outputOf({ stdout: '✓ a\n'.repeat(1_000) })).toBe('✓ a\n'.repeat(1_000).trimEnd());
});

test.each([
  ['\u001B[31mred\u001B[0m \u001B]0;title\u0007x\u001B(B', 'red x'],
  [' 10%\r 50%\r100%\ndone\r\nend', '100%\ndone\nend'],
  ['- spin\r\\ spin\r  \r', '\\ spin'],
  ['\u001B[', '['],
  ['\u001B]0;no end\nx', ']0;no end\nx'],
])('%j is shown as %j', (text, shown) => expect(plainOutput(text)).toBe(shown));

test('300 kB of anything are shown in time', () => {
  const started = performance.now();
  for (const piece of [
    '\u001B',
    '\u001B]',
    '\u001B[1',
    '\r',
    ' ',
    '● ',
    '_',
    'Tests: 1 total\n  ● a\n',
    '=== RUN x\n',
    '\t',
    ' > ',
    '# tests 1\nok 1 # ',
    '1) (',
  ])
    expect(outputOf({ stdout: `ok  \tx\n${piece.repeat(300_000 / piece.length)}` }).length).toBeLessThanOrEqual(31_000);
  expect(performance.now() - started).toBeLessThan(20_000);
});
