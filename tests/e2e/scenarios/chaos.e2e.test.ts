import { expect, test } from 'vitest';
import { verifies } from '@codelab/testkit';
import { runCommand } from '../start-system.js';

const chaos = (...words: readonly string[]) => runCommand(['chaos', ...words]);

test.each([
  [['--seeds', 'many'], /--seeds.*whole number from 1/],
  [['--seed', '-1'], /--seed.*whole number from 0/],
  [['--faults', '1'], /name that with --seed alone/],
  [['--seed', '3', '--seeds', '2', '--faults', '1'], /name that with --seed alone/],
  [['--other', '/nowhere'], /\/nowhere is no built clone/],
])(verifies('R3:chaos-command', 'chaos %j is refused with 2 and a sentence'), async (words, sentence) => {
  const { code, stderr } = await chaos(...words);
  expect(stderr).toMatch(sentence);
  expect(code).toBe(2);
});

test(
  verifies('R3:chaos-command', 'a schedule runs again by its number, without what was left out of it, and the last line counts'),
  async () => {
    const { code, stdout, stderr } = await chaos('--seed', '7', '--faults', 'none');
    expect(stdout.trimEnd().split('\n'), stderr).toEqual([
      expect.stringMatching(/^seed 7 +ok .* s {2}single: no faults$/),
      '1 passed, 0 failed',
    ]);
    expect(code).toBe(0);
  },
);
