import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { verifies } from '@codelab/testkit';
import { chmodSync, existsSync, readFileSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { JsonObject } from '@codelab/tools';
import { gitIn, temporaryWorkspace, type TemporaryWorkspace } from '../../test/temporary-workspace.js';

let temporary: TemporaryWorkspace;
beforeEach(async () => {
  temporary = await temporaryWorkspace();
});
afterEach(() => temporary.remove());

const initialize = (directory = temporary.root): void => {
  gitIn(directory, ['init', '-q']);
  gitIn(directory, ['config', 'user.name', 'Mine']);
  gitIn(directory, ['config', 'user.email', 'mine@example.com']);
};
const commit = (message: string, files?: readonly string[]): Promise<JsonObject> =>
  temporary.run('git.commit', { message, files }) as Promise<JsonObject>;
const failure = (args: JsonObject): Promise<string> => temporary.failure('git.commit', args);
const filesOf = (revision = 'HEAD'): readonly string[] =>
  temporary
    .git('-c', 'core.quotePath=false', 'show', '-z', '--format=', '--name-only', revision)
    .split('\0')
    .filter((name) => name !== '');

test('what is staged is committed, and nothing else', async () => {
  initialize();
  temporary.write('a', 'a\n');
  temporary.write('b', 'b\n');
  temporary.git('add', 'a');
  const message = 'feat: ü\n\n# not a comment\nbody';
  expect(await commit(message)).toEqual({
    ...{ success: true, sha: temporary.git('rev-parse', 'HEAD').trim(), branch: 'main', files: ['a'], truncated: false },
  });
  expect(temporary.git('log', '-1', '--format=%an %ae%n%B').trim()).toBe(`Mine mine@example.com\n${message}`);
  expect(temporary.git('status', '--porcelain')).toBe('?? b\n');
});

test('files are staged first: changed, new, deleted, whole directories, with any name', async () => {
  initialize();
  const strange = ['with blank', 'new\nline', 'quo"te', 'ünïcode', '-f', ':(top)x', '*'];
  for (const name of ['gone', 'left', 'dir/changed', ...strange]) temporary.write(name, 'a\n');
  temporary.git('add', '-A');
  temporary.git('commit', '-qm', 'x');
  rmSync(join(temporary.root, 'gone'));
  for (const name of ['left', 'dir/changed', 'dir/new', ...strange]) temporary.write(name, 'b\n');
  expect(await commit('y', ['gone', 'dir'])).toMatchObject({ files: ['dir/changed', 'dir/new', 'gone'] });
  expect(await commit('z', ['*'])).toMatchObject({ files: ['*'] });
  expect(await commit('z', strange.slice(0, -1))).toMatchObject({ success: true });
  expect([...filesOf()].sort()).toEqual(strange.slice(0, -1).sort());
  expect(temporary.git('status', '--porcelain', 'left')).toBe(' M left\n');
});

test('what cannot be committed is said, and nothing is staged by it', async () => {
  initialize();
  temporary.write('a', 'a\n');
  expect(await failure({ message: 'x' })).toMatch(/^GIT_ERROR: Nothing is staged in the workspace/);
  expect(await failure({ message: ' \n' })).toMatch(/^INVALID_ARGUMENTS: /);
  expect(await failure({ message: 'x', files: ['a', 'missing'] })).toMatch(/^FILE_NOT_FOUND: File not found: missing\./);
  expect(await failure({ message: 'x', files: ['../outside/secret.txt'] })).toMatch(/^PATH_OUTSIDE_WORKSPACE/);
  temporary.write('.gitignore', 'ignored\n');
  temporary.write('ignored', '');
  expect(await failure({ message: 'x', files: ['ignored'] })).toMatch(/^GIT_ERROR: git add: .*ignored/);
  expect(temporary.git('diff', '--cached', '--name-only')).toBe('');
  await commit('x', ['.']);
  expect(await failure({ message: 'x', files: ['a'] })).toMatch(/^GIT_ERROR: Nothing is staged/);
});

test('without a name of the user it is said what to set', async () => {
  temporary.git('init', '-q');
  temporary.write('a', 'a\n');
  const { HOME, XDG_CONFIG_HOME, EMAIL } = process.env;
  Object.assign(process.env, { HOME: temporary.outside, XDG_CONFIG_HOME: temporary.outside });
  delete process.env['EMAIL'];
  const message = await failure({ message: 'x', files: ['a'] });
  for (const [name, value] of Object.entries({ HOME, XDG_CONFIG_HOME, EMAIL })) {
    if (value === undefined) delete process.env[name];
    else process.env[name] = value;
  }
  expect(message).toMatch(/^GIT_ERROR: git does not know in whose name to commit; set it by "git config --global user.name …"/);
  expect(temporary.git('diff', '--cached', '--name-only')).toBe('');
});

test(verifies('H1:commit-runs-nothing', 'a commit runs no hook, filter, signer or editor, and touches no remote'), async () => {
  initialize();
  const marker = join(temporary.base, 'ran');
  const program = join(temporary.base, 'program');
  writeFileSync(program, `#!/bin/sh\necho "$0 $*" >> '${marker}'\ncat\n`);
  chmodSync(program, 0o755);
  for (const hook of ['pre-commit', 'prepare-commit-msg', 'commit-msg', 'post-commit', 'reference-transaction', 'post-index-change']) {
    temporary.write(`.git/hooks/${hook}`, `#!/bin/sh\necho ${hook} >> '${marker}'\nexit 1\n`);
    chmodSync(join(temporary.root, '.git/hooks', hook), 0o755);
  }
  for (const key of ['filter.evil.clean', 'filter.evil.process', 'gpg.program', 'core.editor', 'core.fsmonitor', 'core.sshCommand'])
    temporary.git('config', key, program);
  temporary.git('config', 'commit.gpgSign', 'true');
  temporary.git('config', 'remote.origin.url', `ext::${program}`);
  temporary.write('.gitattributes', '* filter=evil\n');
  temporary.write('a', 'a\n');
  expect(await commit('x', ['a', '.gitattributes'])).toMatchObject({ success: true });
  expect(existsSync(marker)).toBe(false);
});

test('of a submodule the commit that is checked out is staged, and no git runs in it', async () => {
  const marker = join(temporary.base, 'ran');
  const program = join(temporary.base, 'program');
  writeFileSync(program, `#!/bin/sh\necho "$0 $*" >> '${marker}'\n`);
  chmodSync(program, 0o755);
  initialize(temporary.outside);
  gitIn(temporary.outside, ['add', '-A']);
  gitIn(temporary.outside, ['commit', '-qm', 'x']);
  initialize();
  for (const path of ['sub', 'dir/sub', 'other'])
    temporary.git('-c', 'protocol.file.allow=always', 'submodule', 'add', '-q', temporary.outside, path);
  expect(await commit('submodules', ['.'])).toMatchObject({ success: true });
  for (const path of ['sub', 'dir/sub', 'other']) {
    gitIn(join(temporary.root, path), ['-c', 'user.name=x', 'commit', '-qm', 'y', '--allow-empty']);
    gitIn(join(temporary.root, path), ['config', 'core.fsmonitor', program]);
    temporary.write(`${path}/secret.txt`, 'changed');
  }
  temporary.write('dir/new', 'a\n');
  expect(await commit('part', ['dir'])).toMatchObject({ files: ['dir/new', 'dir/sub'] });
  expect(await commit('one', ['sub'])).toMatchObject({ files: ['sub'] });
  rmSync(join(temporary.root, 'other'), { recursive: true });
  temporary.write('new', 'a\n');
  expect(await commit('all', ['.'])).toMatchObject({ files: ['new', 'other'] });
  for (const tool of ['git.status', 'git.diff', 'git.log']) await temporary.run(tool, tool === 'git.diff' ? { path: '.' } : {});
  expect(existsSync(marker)).toBe(false);
});

describe(verifies('W1:commit-part', 'in a part of a repository only what lies in it is staged and committed'), () => {
  const index = (): string => gitIn(temporary.base, ['diff', '--cached', '--name-status']);

  test('what is staged outside stays staged, and the rest of the index as it is', async () => {
    initialize(temporary.base);
    temporary.write('in', 'a\n');
    temporary.write('gone', 'a\n');
    gitIn(temporary.base, ['add', '-A', 'ws', 'outside']);
    gitIn(temporary.base, ['commit', '-qm', 'x']);
    writeFileSync(join(temporary.outside, 'secret.txt'), 'staged');
    writeFileSync(join(temporary.outside, 'new\n"*'), 'staged');
    rmSync(join(temporary.root, 'gone'));
    temporary.write('in', 'b\n');
    temporary.write('new', 'b\n');
    gitIn(temporary.base, ['add', 'outside', 'ws/gone']);
    const before = index();
    expect(await commit('y', ['in', 'new'])).toMatchObject({ files: ['gone', 'in', 'new'], branch: 'main' });
    expect(gitIn(temporary.base, ['show', '--format=', '--name-only'])).toBe('ws/gone\nws/in\nws/new\n');
    expect(index()).toBe(before.replace(/^.*\tws\/.*\n/gm, ''));
    expect(gitIn(temporary.base, ['status', '--porcelain', 'ws'])).toBe('');
    expect(readdirSync(join(temporary.base, '.git')).filter((name) => name.startsWith('codelab'))).toEqual([]);
    expect(await failure({ message: 'z' })).toMatch(/^GIT_ERROR: Nothing is staged/);
  });

  test('also as the first commit', async () => {
    initialize(temporary.base);
    temporary.write('in', 'a\n');
    gitIn(temporary.base, ['add', 'outside']);
    expect(await commit('x', ['.'])).toMatchObject({ files: ['in'] });
    expect(index()).toBe('A\toutside/secret.txt\n');
  });

  test('a merge that reaches outside is not torn', async () => {
    initialize(temporary.base);
    temporary.write('in', 'a\n');
    gitIn(temporary.base, ['add', 'ws', 'outside']);
    gitIn(temporary.base, ['commit', '-qm', 'x']);
    gitIn(temporary.base, ['checkout', '-q', '-b', 'side']);
    temporary.write('in', 'side\n');
    writeFileSync(join(temporary.outside, 'secret.txt'), 'side');
    gitIn(temporary.base, ['commit', '-qam', 'side']);
    gitIn(temporary.base, ['checkout', '-q', 'main']);
    gitIn(temporary.base, ['merge', '-q', '--no-ff', '--no-commit', 'side']);
    expect(await failure({ message: 'merged' })).toMatch(/^GIT_ERROR: A merge has files outside/);
  });
});

test('a merge in progress is finished by a commit', async () => {
  initialize();
  temporary.write('a', 'a\n');
  await commit('x', ['a']);
  temporary.git('checkout', '-q', '-b', 'side');
  temporary.write('a', 'side\n');
  await commit('side', ['a']);
  temporary.git('checkout', '-q', 'main');
  temporary.write('a', 'main\n');
  await commit('main', ['a']);
  expect(() => temporary.git('merge', '-q', 'side')).toThrow();
  expect(await failure({ message: 'x' })).toMatch(/^GIT_ERROR: git commit: .*unmerged/);
  temporary.write('a', 'both\n');
  expect(await commit('merged', ['a'])).toMatchObject({ success: true });
  expect(temporary.git('log', '-1', '--format=%P').trim().split(' ')).toHaveLength(2);
});

test('in a linked work tree with a detached head', async () => {
  initialize(temporary.outside);
  gitIn(temporary.outside, ['add', '-A']);
  gitIn(temporary.outside, ['commit', '-qm', 'x']);
  rmSync(temporary.root, { recursive: true });
  gitIn(temporary.outside, ['worktree', 'add', '-q', '--detach', temporary.root]);
  temporary = { ...temporary, ...(await reopened()) };
  temporary.write('a', 'a\n');
  expect(await commit('y', ['a'])).toMatchObject({ branch: null, files: ['a'] });
  expect(readFileSync(join(temporary.outside, 'secret.txt'), 'utf8')).toBe('SECRET');
});

const reopened = async (): Promise<Pick<TemporaryWorkspace, 'run'>> => {
  const { openWorkspace } = await import('../open-workspace.js');
  const workspace = await openWorkspace({ root: temporary.root, dataDir: temporary.dataDir });
  return {
    run: async (tool, args) => {
      const outcome = await workspace.run(tool, args, { signal: new AbortController().signal, callId: 'c' });
      return outcome.ok ? outcome.result : outcome.error.code;
    },
  };
};
