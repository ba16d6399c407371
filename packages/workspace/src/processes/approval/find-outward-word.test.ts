import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { verifies } from '@codelab/testkit';
import { mkdirSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { temporaryWorkspace, type TemporaryWorkspace } from '../../../test/temporary-workspace.js';

let temporary: TemporaryWorkspace;
beforeEach(async () => {
  temporary = await temporaryWorkspace();
  const { root, outside } = temporary;
  temporary.write('sub/a.txt', 'a\n');
  for (const [link, target] of [
    ['leaf', join(outside, 'secret.txt')],
    ['dangling', join(outside, 'not-there')],
    ['out', outside],
    ['same', '.'],
    ['inside', 'sub/a.txt'],
  ] as const)
    symlinkSync(target, join(root, link));
  mkdirSync(join(root, 'sub/deep'));
});
afterEach(() => temporary.remove());

const findDoubt = (command: string, cwd = '.'): Promise<string | undefined> =>
  temporary.workspace.findDoubt('run_command', { command, cwd }, new AbortController().signal, true);

describe(verifies('H1:rule-links', 'a command that a rule allows asks where a link leads one of its words out of the workspace'), () => {
  test.each([
    ...['git commit -F leaf', 'git commit -Fleaf', 'git commit -qvFleaf', 'git commit --file=leaf', 'git commit --file=./sub/../leaf'],
    ...[
      'go test -coverprofile=dangling',
      'pytest --cov-report=html:out/x',
      'pytest out/new/file',
      'prettier --write out/a.ts',
      'tsc -p out',
    ],
    ...['cd out && git commit -am x', 'cd same && git commit -F ../secret.txt', 'cd sub && git commit -F ../leaf', 'git add -- out'],
  ])('%s', async (command) => {
    expect(await findDoubt(command)).toMatch(/^a rule allows it, but \S+ is or has a link that leads out of the workspace$/);
  });

  test.each([
    ...[
      'git commit -F inside',
      'git commit -m "leafs, out: of /etc/passwd ../x"',
      'git commit -am x',
      'npm test -- sub/a.txt',
      'pytest sub/new',
    ],
    ...['cd sub && git commit -F ../inside', 'cd same && git add sub', 'git checkout main', `git commit -m "${'long '.repeat(2_000)}"`],
  ])('%s stays inside', async (command) => {
    expect(await findDoubt(command)).toBeUndefined();
  });

  test('seen from where it runs', async () => {
    expect(await findDoubt('git commit -F ../leaf', 'sub')).toContain('../leaf');
    expect(await findDoubt('git commit -F leaf', 'sub')).toBeUndefined();
  });
});
