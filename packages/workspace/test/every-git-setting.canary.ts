import { afterAll, beforeAll, expect, test } from 'vitest';
import { nameOf } from '../src/git/settings.js';
import { gitCanary, TOOLS, type GitCanary } from './git-canary.js';
import { canaryValues, everySetting } from './git-settings.js';

/** What looks at most, for each setting by itself. */
const COMMANDS = ['git status', 'git log -p', 'git show', 'git diff', 'git blame a.txt'];

let canary: GitCanary;
beforeAll(async () => {
  canary = await gitCanary();
});
afterAll(() => canary.temporary.remove());

/**
 * Every setting by itself, which takes some minutes: run by hand, with
 * `npx vitest run --project canary`.
 */
test('every setting in turn', async () => {
  const tools = TOOLS.filter(([name]) => /status|diff|log/.test(name));
  const settings = everySetting();
  const [, value] = canaryValues(canary)[0]!;
  const faults: string[] = [];
  let calls = 0;
  for (const [index, setting] of settings.entries()) {
    const outputs = await canary.tryAll([{ ...setting, value }], { commands: COMMANDS, tools });
    calls += outputs.length;
    if (canary.ran() !== '' || outputs.some((output) => output.includes('SECRET'))) faults.push(nameOf(setting));
    if (index % 100 === 99 || index === settings.length - 1)
      process.stdout.write(`${String(index + 1)} settings, ${String(calls)} runs, ${String(faults.length)} faults\n`);
  }
  expect(faults).toEqual([]);
}, 3_600_000);
