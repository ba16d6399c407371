import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { verifies } from '@codelab/testkit';
import { chmodSync, existsSync, mkdirSync, renameSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { gitIn, temporaryWorkspace, type TemporaryWorkspace } from '../../test/temporary-workspace.js';
import { findWorkspaceRoot } from '../files/paths/workspace-root.js';
import { Workspace } from '../open-workspace.js';

let temporary: TemporaryWorkspace;
beforeEach(async () => {
  temporary = await temporaryWorkspace();
});
afterEach(() => temporary.remove());

const diff = (path = '.', staged?: boolean): ReturnType<TemporaryWorkspace['run']> =>
  temporary.run('git.diff', staged === undefined ? { path } : { path, staged });
const commitAll = (): void => {
  temporary.git('add', '-A');
  temporary.git('commit', '-qm', 'x');
};

describe('changes', () => {
  beforeEach(() => {
    temporary.git('init', '-q');
    temporary.write('src/auth.js', 'one\ntwo\n');
    temporary.write('b.txt', 'b\n');
    commitAll();
  });

  test("unstaged ones are shown as git shows them, in the specification's shape", async () => {
    temporary.write('src/auth.js', 'one\nzwei\n');
    expect(await diff()).toEqual({ diff: temporary.git('diff') });
    expect(await diff('src')).toEqual({ diff: temporary.git('diff', '--', 'src') });
    expect(await diff('b.txt')).toEqual({ diff: '' });
    expect(await diff('missing')).toEqual({ diff: '' });
  });

  test('staged ones only if they are asked for', async () => {
    temporary.write('b.txt', 'c\n');
    temporary.git('add', 'b.txt');
    expect(await diff('.', false)).toEqual({ diff: '' });
    expect(await diff('.', true)).toEqual({ diff: temporary.git('diff', '--cached') });
  });

  test('settings of the user change nothing about the format', async () => {
    temporary.write('b.txt', 'ü\n');
    const plain = await diff();
    for (const [name, value] of [
      ['diff.noprefix', 'true'],
      ['diff.mnemonicPrefix', 'true'],
      ['color.ui', 'always'],
      ['diff.context', '0'],
      ['core.quotePath', 'true'],
    ] as const)
      temporary.git('config', name, value);
    expect(await diff()).toEqual(plain);
  });

  test('a path is a path, not a pattern or an option', async () => {
    temporary.write('[b]*.txt', 'x\n');
    temporary.write('--output=evil', 'x\n');
    commitAll();
    temporary.write('[b]*.txt', 'y\n');
    temporary.write('b.txt', 'y\n');
    temporary.write('--output=evil', 'y\n');
    expect(await diff('[b]*.txt')).toEqual({ diff: temporary.git('--literal-pathspecs', 'diff', '--', '[b]*.txt') });
    expect(await diff(':/')).toEqual({ diff: '' });
    expect(await diff('--output=evil')).toEqual({ diff: expect.stringContaining('+y') });
    expect(await diff('../x')).toBe('PATH_OUTSIDE_WORKSPACE');
  });

  test('the target of a link outside is not shown', async () => {
    rmSync(join(temporary.root, 'b.txt'));
    symlinkSync(join(temporary.outside, 'secret.txt'), join(temporary.root, 'b.txt'));
    rmSync(join(temporary.root, 'src'), { recursive: true });
    writeFileSync(join(temporary.outside, 'auth.js'), 'SECRET');
    symlinkSync(temporary.outside, join(temporary.root, 'src'));
    expect(JSON.stringify(await diff())).not.toContain('SECRET');
  });

  test('5 MB are shown, more is not', async () => {
    temporary.write('b.txt', `${'x'.repeat(5 * 1024 * 1024)}\n`);
    expect(await temporary.failure('git.diff', { path: '.' })).toBe(
      'FILE_TOO_LARGE: The diff of . has more than 5242880 bytes; ask for a part of it.',
    );
    temporary.write('b.txt', `${'x'.repeat(5 * 1024 * 1024 - 1024)}\n`);
    expect(await diff()).toMatchObject({ diff: expect.stringContaining('xxx') });
  });

  test('a result that JSON blows up beyond a frame is refused by its tool', async () => {
    temporary.write('b.txt', `${'\u0001'.repeat(2 * 1024 * 1024)}\n`);
    expect(await diff()).toBe('FILE_TOO_LARGE');
  });

  test('what is not UTF-8 is named', async () => {
    temporary.write('b.txt', Buffer.from([0xe4, 0x0a]));
    expect(await temporary.failure('git.diff', { path: '.' })).toBe(
      'ENCODING_ERROR: The changes of b.txt are not valid UTF-8; ask for other paths one by one.',
    );
  });

  test('a cancelled call is cancelled', async () => {
    const signal = AbortSignal.abort();
    expect(await temporary.run('git.diff', { path: '.' }, { signal })).toBe('CANCELLED');
  });
});

test('before the first commit there is a diff too', async () => {
  temporary.git('init', '-q');
  temporary.write('a', 'a\n');
  temporary.git('add', 'a');
  expect(await diff('.', true)).toEqual({ diff: temporary.git('diff', '--cached') });
});

test('without a repository the code says so', async () => {
  expect(await temporary.failure('git.diff', { path: '.' })).toBe(
    'GIT_NOT_INITIALIZED: The workspace is in no git repository; run "git init" in it first.',
  );
});

test(verifies('W1:git-subfolder', 'a workspace that is a part of a repository shows that part, by its own paths'), async () => {
  gitIn(temporary.base, ['init', '-q']);
  temporary.write('a.txt', 'a\n');
  writeFileSync(join(temporary.outside, 'secret.txt'), 'a\n');
  gitIn(temporary.base, ['add', '-A']);
  gitIn(temporary.base, ['commit', '-qm', 'x']);
  temporary.write('a.txt', 'b\n');
  writeFileSync(join(temporary.outside, 'secret.txt'), 'SECRET\n');
  const answer = await diff();
  expect(answer).toEqual({ diff: expect.stringContaining('--- a/a.txt\n+++ b/a.txt\n') });
  expect(JSON.stringify(answer)).not.toContain('SECRET');
  expect(await diff('ws')).toEqual({ diff: '' });
});

describe(verifies('H1:git-runs-nothing', 'nothing that the repository configures is run'), () => {
  const marker = (): string => join(temporary.base, 'ran');
  const program = (): string => {
    const path = join(temporary.base, 'program');
    writeFileSync(path, `#!/bin/sh\necho "$0 $*" >> '${marker()}'\ncat\n`);
    chmodSync(path, 0o755);
    return path;
  };
  const prepare = (): void => {
    temporary.git('init', '-q');
    temporary.write('a.txt', 'a\n');
    commitAll();
  };

  test.each([
    ['an external diff', 'diff.external', ''],
    ['a diff driver', 'diff.evil.command', '* diff=evil'],
    ['a text converter', 'diff.evil.textconv', '* diff=evil'],
    ['a clean filter', 'filter.evil.clean', '* filter=evil'],
    ['a filter process', 'filter.evil.process', '* filter=evil'],
    ['a filter with a strange name', 'filter.a=b.c.clean', '* filter=a=b.c'],
    ['a file system monitor', 'core.fsmonitor', ''],
    ['a pager', 'core.pager', ''],
    ['a pager of one command', 'pager.diff', ''],
    ['hooks', 'core.hooksPath', ''],
    ['an alias', 'alias.diff', ''],
  ])('%s', async (_name, key, attributes) => {
    prepare();
    temporary.git('config', key, key.endsWith('hooksPath') ? temporary.base : program());
    if (key.startsWith('alias')) temporary.git('config', key, `!${program()}`);
    if (attributes !== '') temporary.write('.git/info/attributes', `${attributes}\n`);
    temporary.write('a.txt', 'b\n');
    expect(await diff()).toEqual({ diff: expect.stringContaining('+b') });
    expect(await temporary.run('apply_patch', { diff: '--- a/a.txt\n+++ b/a.txt\n@@ -1 +1 @@\n-a\n+b\n' })).toBe('PATCH_APPLY_FAILED');
    expect(existsSync(marker())).toBe(false);
  });

  test('an include does not smuggle a filter in', async () => {
    prepare();
    temporary.write('included', `[filter "evil"]\n\tclean = ${program()}\n`);
    temporary.git('config', 'include.path', '../included');
    temporary.write('.gitattributes', '* filter=evil\n');
    temporary.write('a.txt', 'b\n');
    expect(await diff('a.txt')).toEqual({ diff: expect.stringContaining('+b') });
    expect(existsSync(marker())).toBe(false);
  });

  test('a remote is not asked for objects that are missing', async () => {
    prepare();
    const { length } = temporary.git('rev-parse', 'HEAD:a.txt');
    expect(length).toBe(41);
    const blob = temporary.git('rev-parse', 'HEAD:a.txt').trim();
    rmSync(join(temporary.root, '.git/objects', blob.slice(0, 2), blob.slice(2)));
    temporary.git('config', 'core.repositoryFormatVersion', '1');
    temporary.git('config', 'extensions.partialClone', 'evil');
    temporary.git('config', 'remote.evil.url', `ext::${program()} x`);
    temporary.git('config', 'remote.evil.promisor', 'true');
    temporary.git('config', 'protocol.ext.allow', 'always');
    temporary.write('a.txt', 'b\n');
    expect(await diff()).toBe('GIT_ERROR');
    expect(existsSync(marker())).toBe(false);
  });

  test('a git in the workspace, on a PATH that leads there, is not git', async () => {
    prepare();
    renameSync(program(), join(temporary.root, 'git'));
    const { PATH } = process.env;
    process.env['PATH'] = `.:${temporary.root}::${PATH ?? ''}`;
    temporary.write('a.txt', 'b\n');
    const answer = await diff('a.txt');
    process.env['PATH'] = PATH;
    expect(answer).toEqual({ diff: expect.stringContaining('+b') });
    expect(existsSync(marker())).toBe(false);
  });

  test('variables of the caller do not steer it', async () => {
    prepare();
    process.env['GIT_DIR'] = join(temporary.outside, '.git');
    process.env['GIT_EXTERNAL_DIFF'] = program();
    temporary.write('a.txt', 'b\n');
    const answer = await diff();
    delete process.env['GIT_DIR'];
    delete process.env['GIT_EXTERNAL_DIFF'];
    expect(answer).toEqual({ diff: expect.stringContaining('+b') });
    expect(existsSync(marker())).toBe(false);
  });
});

describe(verifies('W1:git-elsewhere', 'a .git that leads to another repository does not show it'), () => {
  beforeEach(() => {
    gitIn(temporary.outside, ['init', '-q']);
    gitIn(temporary.outside, ['add', '-A']);
    gitIn(temporary.outside, ['commit', '-qm', 'x']);
  });
  const nothing = async (): Promise<void> => {
    for (const staged of [false, true]) {
      const message = await temporary.failure('git.diff', { path: '.', staged });
      expect(message).toContain('GIT_ERROR');
      expect(message).not.toContain('SECRET');
    }
  };

  test('by a file', async () => {
    temporary.write('.git', `gitdir: ${temporary.outside}/.git\n`);
    await nothing();
  });
  test('by a link', async () => {
    symlinkSync(join(temporary.outside, '.git'), join(temporary.root, '.git'));
    await nothing();
  });
  test('by a common directory', async () => {
    temporary.git('init', '-q');
    temporary.write('.git/commondir', `${temporary.outside}/.git\n`);
    await nothing();
  });
  test('by a work tree of its own', async () => {
    temporary.git('init', '-q');
    temporary.git('config', 'core.worktree', temporary.base);
    await nothing();
  });

  test('but a linked work tree and a submodule are shown', async () => {
    rmSync(temporary.root, { recursive: true });
    gitIn(temporary.outside, ['worktree', 'add', '-q', temporary.root]);
    const open = async (root: string): Promise<Workspace> =>
      await Workspace.open(await findWorkspaceRoot(root, temporary.dataDir), temporary.dataDir, {});
    const show = async (root: string): Promise<unknown> => {
      writeFileSync(join(root, 'secret.txt'), 'changed\n');
      return (await open(root)).run('git.diff', { path: '.' }, { signal: new AbortController().signal, callId: 'c' });
    };
    expect(await show(temporary.root)).toMatchObject({ ok: true, result: { diff: expect.stringContaining('+changed') } });
    const top = join(temporary.base, 'super');
    mkdirSync(top);
    gitIn(top, ['init', '-q']);
    gitIn(top, ['-c', 'protocol.file.allow=always', 'submodule', 'add', '-q', temporary.outside, 'sub']);
    expect(await show(join(top, 'sub'))).toMatchObject({ ok: true, result: { diff: expect.stringContaining('+changed') } });
  });
});

test('without git one sentence says what to do', async () => {
  temporary.git('init', '-q');
  const { PATH } = process.env;
  process.env['PATH'] = '/nonexistent';
  const message = await temporary.failure('git.diff', { path: '.' });
  process.env['PATH'] = PATH;
  expect(message).toBe('GIT_ERROR: git is not installed, or not on the PATH; install git 2.31 or newer.');
});

test('what git complains about is passed on in its first words', async () => {
  temporary.git('init', '-q');
  temporary.write('.git/config', '[broken');
  expect(await temporary.failure('git.diff', { path: '.' })).toMatch(/^GIT_ERROR: git .*: bad config line \d/);
});

describe('more than one path, and untracked files', () => {
  beforeEach(() => {
    temporary.git('init', '-q');
    for (const name of ['a', 'b', 'c']) temporary.write(name, 'x\n');
    commitAll();
    for (const name of ['a', 'b', 'c']) temporary.write(name, 'y\n');
  });

  test('the paths that are named are shown together', async () => {
    expect(await temporary.run('git.diff', { path: 'a', paths: ['c', './a'] })).toEqual({ diff: temporary.git('diff', '--', 'a', 'c') });
    expect(await temporary.run('git.diff', { path: 'a', paths: ['../c'] })).toBe('PATH_OUTSIDE_WORKSPACE');
    expect(await temporary.run('git.diff', { path: 'a', staged: true, untracked: true })).toBe('INVALID_ARGUMENTS');
  });

  test('untracked files are shown as new ones; what is ignored or made for secrets is not; nothing is staged by it', async () => {
    temporary.write('.gitignore', 'ignored\n');
    temporary.write('ignored', 'no');
    temporary.write('.env', 'KEY=no');
    temporary.write('sub/new "ü', 'new\n');
    temporary.write('*', 'star\n');
    temporary.write('binary', Buffer.from([0, 1, 2]));
    symlinkSync(join(temporary.outside, 'secret.txt'), join(temporary.root, 'link'));
    const objects = temporary.git('count-objects');
    const answer = (await temporary.run('git.diff', { path: '.', untracked: true })) as { diff: string; left_out: string[] };
    expect(answer.left_out).toEqual(['.env']);
    expect(answer.diff).toContain('new file mode 100644\nindex 0000000..');
    for (const part of [
      '--- a/a\n+++ b/a\n',
      '+++ b/*\n@@ -0,0 +1 @@\n+star\n',
      '+new\n',
      'Binary files /dev/null and b/binary differ',
      '+++ b/link\n',
    ])
      expect(answer.diff).toContain(part);
    expect(answer.diff).not.toMatch(/SECRET|KEY=no|\+no$/m);
    expect(temporary.git('diff', '--cached', '--name-only')).toBe('');
    expect(temporary.git('count-objects')).toBe(objects);
  });

  test('one of them by its path, and before the first commit', async () => {
    temporary.write('new', 'new\n');
    expect(await temporary.run('git.diff', { path: 'new', untracked: true })).toEqual({
      diff: expect.stringMatching(/^diff --git a\/new b\/new\nnew file/),
    });
    rmSync(join(temporary.root, '.git'), { recursive: true });
    temporary.git('init', '-q');
    const { diff: all } = (await temporary.run('git.diff', { path: '.', untracked: true })) as { diff: string };
    expect(all.match(/^\+\+\+ b\/.*$/gm)).toEqual(['+++ b/a', '+++ b/b', '+++ b/c', '+++ b/new']);
  });

  test('5 MB in all', async () => {
    temporary.write('new', 'x\n'.repeat(3 * 1024 * 1024));
    expect(await temporary.run('git.diff', { path: '.', untracked: true })).toBe('FILE_TOO_LARGE');
  });
});
