import { afterEach, beforeEach, expect, test } from 'vitest';
import { verifies } from '@codelab/testkit';
import { chmodSync, existsSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { gitIn, temporaryWorkspace, type TemporaryWorkspace } from '../../test/temporary-workspace.js';
import { openWorkspace } from '../open-workspace.js';

let temporary: TemporaryWorkspace;
beforeEach(async () => {
  temporary = await temporaryWorkspace();
});
afterEach(() => temporary.remove());

type Action = 'list' | 'create' | 'switch' | 'delete';
const branch = (action: Action, name?: string): ReturnType<TemporaryWorkspace['run']> => temporary.run('git.branch', { action, name });
const failure = (action: Action, name: string): Promise<string> => temporary.failure('git.branch', { action, name });
const prepare = (): void => {
  temporary.git('init', '-q');
  temporary.write('a', 'a\n');
  temporary.git('add', '-A');
  temporary.git('commit', '-qm', 'x');
};

test('branches are created, listed, switched to and deleted', async () => {
  prepare();
  const sha = temporary.git('rev-parse', 'HEAD').trim();
  expect(await branch('create', 'feature/ü')).toEqual({ success: true, name: 'feature/ü', current: 'main' });
  expect(await branch('switch', 'feature/ü')).toEqual({ success: true, name: 'feature/ü', current: 'feature/ü' });
  temporary.git('branch', '--set-upstream-to=main');
  expect(await branch('list')).toEqual({
    current: 'feature/ü',
    branches: [
      { name: 'feature/ü', sha, current: true, upstream: 'main' },
      { name: 'main', sha, current: false },
    ],
  });
  expect(await failure('delete', 'feature/ü')).toMatch(/^GIT_ERROR: feature\/ü is checked out; switch/);
  await branch('switch', 'main');
  expect(await branch('delete', 'feature/ü')).toEqual({ success: true, name: 'feature/ü', current: 'main' });
  expect(temporary.git('branch', '--format=%(refname)').trim()).toBe('refs/heads/main');
});

test('what is not there, or there already, is said', async () => {
  temporary.git('init', '-q');
  expect(await branch('list')).toEqual({ current: 'main', branches: [] });
  expect(await failure('create', 'x')).toBe('GIT_ERROR: There is no commit yet, so a branch has nothing to begin at; make a commit first.');
  temporary.git('commit', '-q', '--allow-empty', '-m', 'x');
  expect(await failure('create', 'main')).toBe('GIT_ERROR: There is a branch main already.');
  expect(await failure('switch', 'x')).toBe('GIT_ERROR: There is no local branch x.');
  expect(await branch('switch')).toBe('INVALID_ARGUMENTS');
  temporary.git('checkout', '-q', '--detach');
  expect(await branch('list')).toMatchObject({ current: null, branches: [{ name: 'main', current: false }] });
});

test('a name that git could take for something else is refused', async () => {
  prepare();
  const names = ['-f', '--orphan', '-', '@{-1}', '@', 'HEAD', 'a..b', 'a b', 'x.lock', 'a\nb', 'main~1', '/x', 'x/'];
  for (const name of names) expect([name, await branch('create', name)]).toEqual([name, 'INVALID_ARGUMENTS']);
  for (const action of ['switch', 'delete'] as const) expect(await branch(action, '@{-1}')).toBe('INVALID_ARGUMENTS');
});

test('no action on a branch loses a commit, a change or a file', async () => {
  prepare();
  await branch('create', 'other');
  temporary.git('switch', '-q', 'other');
  for (const name of ['a', 'untracked', 'ignored']) temporary.write(name, 'other\n');
  temporary.git('add', '-Af');
  temporary.git('commit', '-qm', 'other');
  temporary.git('switch', '-q', 'main');
  expect(await failure('delete', 'other')).toMatch(/^GIT_ERROR: git branch: .*not fully merged/);
  temporary.write('a', 'mine\n');
  expect(await failure('switch', 'other')).toMatch(/^GIT_ERROR: git switch: Your local changes .* overwritten by checkout: a$/);
  temporary.git('checkout', '-q', 'a');
  temporary.write('untracked', 'mine\n');
  expect(await failure('switch', 'other')).toMatch(/^GIT_ERROR: git switch: .*untracked.*: untracked$/);
  temporary.git('clean', '-qf');
  temporary.write('.git/info/exclude', 'ignored\n');
  temporary.write('ignored', 'mine\n');
  expect(await failure('switch', 'other')).toMatch(/^GIT_ERROR: git switch: /);
  expect([temporary.read('a'), temporary.read('ignored')]).toEqual(['a\n', 'mine\n']);
});

test(verifies('H1:branch-runs-nothing', 'switching runs no hook and no filter of the repository'), async () => {
  prepare();
  const marker = join(temporary.base, 'ran');
  const program = join(temporary.base, 'program');
  writeFileSync(program, `#!/bin/sh\necho "$0" >> '${marker}'\ncat\n`);
  chmodSync(program, 0o755);
  temporary.git('checkout', '-q', '-b', 'other');
  temporary.write('.gitattributes', '* filter=evil\n');
  temporary.write('a', 'b\n');
  temporary.git('add', '-A');
  temporary.git('commit', '-qm', 'x');
  temporary.git('checkout', '-q', 'main');
  for (const hook of ['post-checkout', 'reference-transaction']) {
    temporary.write(`.git/hooks/${hook}`, `#!/bin/sh\necho ${hook} >> '${marker}'\n`);
    chmodSync(join(temporary.root, '.git/hooks', hook), 0o755);
  }
  for (const key of ['filter.evil.smudge', 'filter.evil.process', 'core.fsmonitor']) temporary.git('config', key, program);
  await branch('create', 'third');
  expect(await branch('switch', 'other')).toMatchObject({ current: 'other' });
  expect(await branch('delete', 'third')).toMatchObject({ success: true });
  expect(temporary.read('a')).toBe('b\n');
  expect(existsSync(marker)).toBe(false);
});

test(verifies('W1:branch-part', 'in a part of a repository a switch that would change the rest is refused'), async () => {
  gitIn(temporary.base, ['init', '-q']);
  temporary.write('in', 'x');
  gitIn(temporary.base, ['add', '-A']);
  gitIn(temporary.base, ['commit', '-qm', 'x']);
  gitIn(temporary.base, ['branch', 'inside']);
  gitIn(temporary.base, ['checkout', '-q', '-b', 'elsewhere']);
  writeFileSync(join(temporary.outside, 'secret.txt'), 'changed');
  gitIn(temporary.base, ['commit', '-qam', 'x']);
  gitIn(temporary.base, ['checkout', '-q', 'inside']);
  temporary.write('in', 'y');
  gitIn(temporary.base, ['commit', '-qam', 'x']);
  expect(await branch('switch', 'main')).toMatchObject({ current: 'main' });
  expect(await failure('switch', 'elsewhere')).toBe(
    'GIT_ERROR: elsewhere differs in files outside of the workspace, which is a part of a bigger repository; switch by hand.',
  );
  expect(readdirSync(temporary.outside)).toEqual(['secret.txt']);
});

test('in a linked work tree, what another one has checked out stays, and the message names no folder of ours', async () => {
  gitIn(temporary.outside, ['init', '-q']);
  gitIn(temporary.outside, ['commit', '-qm', 'x', '--allow-empty']);
  rmSync(temporary.root, { recursive: true });
  gitIn(temporary.outside, ['worktree', 'add', '-q', '-b', 'two', temporary.root]);
  const workspace = await openWorkspace({ root: temporary.root, dataDir: temporary.dataDir });
  for (const action of ['switch', 'delete']) {
    const answer = await workspace.run('git.branch', { action, name: 'main' }, { signal: new AbortController().signal, callId: 'c' });
    expect(answer).toMatchObject({ ok: false, error: { message: expect.stringMatching(/main.* checked out at '\.git'$/) } });
  }
});
