import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { eventually, verifies } from '@codelab/testkit';
import { chmodSync, existsSync, mkdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { gitIn, temporaryWorkspace, type TemporaryWorkspace } from '../../test/temporary-workspace.js';

let temporary: TemporaryWorkspace;
beforeEach(async () => {
  temporary = await temporaryWorkspace();
});
afterEach(() => temporary.remove());

const unasked = (command: string, cwd = '.'): ReturnType<TemporaryWorkspace['run']> => temporary.run('run_command', { command, cwd });
const marker = (): string => join(temporary.base, 'ran');

describe(verifies('H1:unapproved-command', 'without an approval only a harmless command runs, whatever the server says'), () => {
  test('a harmless one does', async () => {
    temporary.write('a', 'text\n');
    temporary.write('sub/b', 'b\n');
    expect(await unasked('cat a && ls sub')).toMatchObject({ exit_code: 0, stdout: 'text\nb\n' });
    expect(await unasked('cat b', 'sub')).toMatchObject({ stdout: 'b\n' });
    expect(await unasked('cat missing')).toMatchObject({ exit_code: 1 });
  });

  test.each([
    'touch x',
    'echo x > x',
    'ls; rm -rf .',
    'cat $HOME/x',
    '$(touch x)',
    'npm test',
    './a.sh',
    'git commit -m x',
    'git push',
    'cat .env',
    'ls "',
  ])('%s does not', async (command) => {
    temporary.write('.env', 'SECRET');
    const before = temporary.snapshot();
    expect(await unasked(command)).toBe('DENIED_BY_POLICY');
    expect(temporary.snapshot()).toEqual(before);
  });

  test('what is refused is refused with an approval too', async () => {
    expect(await temporary.run('run_command', { command: 'rm -rf /' }, { approved: true })).toBe('DENIED_BY_POLICY');
    expect(await temporary.run('run_persistent', { command: 'rm -rf /', process_id: 'x' }, { approved: true })).toBe('DENIED_BY_POLICY');
  });
});

test(verifies('W1:command-paths', 'no path of a command that nobody approved leads outside, by text or by link'), async () => {
  symlinkSync(join(temporary.outside, 'secret.txt'), join(temporary.root, 'leaf'));
  symlinkSync(temporary.outside, join(temporary.root, 'out'));
  symlinkSync('.env', join(temporary.root, 'harmless'));
  temporary.write('.env', 'SECRET');
  mkdirSync(join(temporary.root, 'sub'));
  const denied = /^(PATH_OUTSIDE_WORKSPACE|DENIED_BY_POLICY|INVALID_PATH)$/;
  for (const command of [
    ...['cat leaf', 'cat out/secret.txt', 'cd out && ls', 'cd sub && cat ../leaf', 'cd sub; cd ..; cat leaf', 'cat harmless', 'ls out'],
    ...[
      'cat ../outside/secret.txt',
      `cat ${temporary.outside}/secret.txt`,
      'head -n 1 leaf',
      'grep -r S out',
      'find out',
      'ls out/',
      'wc -l ./leaf',
    ],
    ...['rg SECRET leaf', 'cat *', 'cat < leaf', 'grep -f leaf .env', 'git diff --no-index sub leaf'],
  ]) {
    const answer = await unasked(command);
    expect([command, typeof answer === 'string' ? answer : JSON.stringify(answer)]).toEqual([command, expect.stringMatching(denied)]);
  }
});

describe(verifies('H1:command-git', 'a git that nobody approved runs nothing of the repository, and shows no other one'), () => {
  const program = (): string => {
    const path = join(temporary.base, 'program');
    writeFileSync(path, `#!/bin/sh\necho "$0 $*" >> '${marker()}'\ncat\n`);
    chmodSync(path, 0o755);
    return path;
  };
  beforeEach(() => {
    temporary.git('init', '-q');
    temporary.write('a.txt', 'a\n');
    temporary.git('add', '-A');
    temporary.git('commit', '-qm', 'x');
    temporary.write('a.txt', 'b\n');
  });

  test.each(['git status', 'git diff', 'git log -p', 'git --no-pager show', 'git log -1 -- "*.txt"'])('%s runs', async (command) => {
    expect(await unasked(command)).toMatchObject({ exit_code: 0, stderr: '' });
  });

  test.each([
    ['core.fsmonitor', ''],
    ['core.pager', ''],
    ['filter.evil.clean', '* filter=evil'],
    ['filter.evil.process', '* filter=evil'],
    ['diff.external', ''],
    ['diff.evil.command', '* diff=evil'],
    ['diff.evil.textconv', '* diff=evil'],
    ['gpg.program', ''],
  ])('with %s', async (key, attributes) => {
    temporary.git('config', key, program());
    if (attributes !== '') temporary.write('.git/info/attributes', `${attributes}\n`);
    for (const command of ['git status', 'git diff', 'git log -p -1']) await unasked(command);
    expect(existsSync(marker())).toBe(false);
  });

  test('a submodule with settings of its own asks', async () => {
    gitIn(temporary.outside, ['init', '-q']);
    gitIn(temporary.outside, ['add', '-A']);
    gitIn(temporary.outside, ['commit', '-qm', 'x']);
    temporary.git('-c', 'protocol.file.allow=always', 'submodule', 'add', '-q', temporary.outside, 'sub');
    gitIn(join(temporary.root, 'sub'), ['config', 'core.fsmonitor', program()]);
    temporary.write('.gitmodules', '[submodule "sub"]\n\tpath = sub\n\turl = x\n\tignore = none\n');
    temporary.write('sub/secret.txt', 'changed');
    expect(await unasked('git status')).toBe('DENIED_BY_POLICY');
    temporary.git('rm', '-qf', '--cached', '.gitmodules');
    expect(await unasked('git diff')).toBe('DENIED_BY_POLICY');
    expect(existsSync(marker())).toBe(false);
  });

  test('in a repository inside of this one its settings count', async () => {
    mkdirSync(join(temporary.root, 'nested'));
    gitIn(join(temporary.root, 'nested'), ['init', '-q']);
    gitIn(join(temporary.root, 'nested'), ['config', 'core.fsmonitor', program()]);
    gitIn(join(temporary.root, 'nested'), ['config', 'diff.external', program()]);
    expect(await unasked('git diff', 'nested')).toBe('DENIED_BY_POLICY');
    expect(await unasked('cd nested && git status')).toBe('DENIED_BY_POLICY');
    expect(existsSync(marker())).toBe(false);
  });

  test('a .git that leads elsewhere is not followed', async () => {
    gitIn(temporary.outside, ['init', '-q']);
    mkdirSync(join(temporary.root, 'lead'));
    temporary.write('lead/.git', `gitdir: ${temporary.outside}/.git\n`);
    expect(await unasked('git status', 'lead')).toBe('GIT_ERROR');
  });
});

describe(verifies('H2:command-files', 'a file whose code a command runs is not run if it changed since the command was approved'), () => {
  const approve = async (command: string, cwd = '.'): Promise<() => ReturnType<TemporaryWorkspace['run']>> => {
    const { preview, operands } = await temporary.workspace.preview('run_command', { command, cwd });
    expect(preview.kind).toBe('command');
    expect(operands.length).toBeGreaterThan(0);
    return () => temporary.run('run_command', { command, cwd }, { approved: true, operands });
  };
  const script = (path: string, text: string): void => {
    temporary.write(path, `#!/bin/sh\n${text}\n`);
    chmodSync(join(temporary.root, path), 0o755);
  };

  test('as it was, it runs', async () => {
    script('build.sh', 'echo built');
    expect(await (await approve('./build.sh'))()).toMatchObject({ stdout: 'built\n' });
  });

  test('a script that is swapped while the approval is pending', async () => {
    script('build.sh', 'echo built');
    const approved = await approve('./build.sh');
    script('build.sh', `touch ${marker()}`);
    expect(await approved()).toBe('APPROVAL_MISMATCH');
    expect(existsSync(marker())).toBe(false);
  });

  test('package.json, a Makefile that appears, and a link that is turned', async () => {
    temporary.write('sub/package.json', '{"scripts":{"test":"echo tested"}}');
    const npm = await approve('npm test', 'sub');
    temporary.write('sub/package.json', `{"scripts":{"test":"touch ${marker()}"}}`);
    expect(await npm()).toBe('APPROVAL_MISMATCH');
    const make = await approve('make');
    temporary.write('Makefile', `all:\n\ttouch ${marker()}\n`);
    expect(await make()).toBe('APPROVAL_MISMATCH');
    const bound = await approve('make');
    temporary.write('GNUmakefile', `all:\n\ttouch ${marker()}\n`); // make prefers it
    expect(await bound()).toBe('APPROVAL_MISMATCH');
    script('one.sh', 'echo one');
    symlinkSync('one.sh', join(temporary.root, 'link.sh'));
    const link = await approve('./link.sh');
    script('one.sh', `touch ${marker()}`);
    expect(await link()).toBe('APPROVAL_MISMATCH');
    expect(existsSync(marker())).toBe(false);
  });

  test('the directory, where a link that leads to it is turned', async () => {
    for (const name of ['one', 'two']) temporary.write(`${name}/package.json`, '{"scripts":{"test":"echo same"}}');
    symlinkSync('one', join(temporary.root, 'link'));
    const same = await approve('npm test', 'link');
    const turn = (to: string): void => {
      rmSync(join(temporary.root, 'link'));
      symlinkSync(to, join(temporary.root, 'link'));
    };
    temporary.write('two/package.json', `{"scripts":{"test":"touch ${marker()}"}}`);
    turn('two');
    expect(await same()).toBe('APPROVAL_MISMATCH');
    turn('one');
    expect(await same()).toMatchObject({ exit_code: 0 });
    expect(existsSync(marker())).toBe(false);
  });

  test('a script above the directory is bound by its place in the workspace', async () => {
    script('build.sh', 'echo built');
    mkdirSync(join(temporary.root, 'sub'));
    const approved = await approve('../build.sh', 'sub');
    expect(await approved()).toMatchObject({ stdout: 'built\n' });
    script('build.sh', `touch ${marker()}`);
    expect(await approved()).toBe('APPROVAL_MISMATCH');
  });

  test('and a process that goes on is bound to it too', async () => {
    script('serve.sh', 'echo up');
    const args = { command: './serve.sh', process_id: 'dev' };
    const { operands } = await temporary.workspace.preview('run_persistent', args);
    script('serve.sh', `touch ${marker()}`);
    expect(await temporary.run('run_persistent', args, { approved: true, operands })).toBe('APPROVAL_MISMATCH');
    expect(await temporary.run('run_persistent', { action: 'list' })).toEqual({ processes: [] });
    script('serve.sh', 'echo up');
    await temporary.run('run_persistent', args, { approved: true, operands });
    const ended = (): Promise<unknown> => temporary.run('run_persistent', { action: 'status', process_id: 'dev' });
    await eventually('its end', async () => ((await ended()) as { status: string }).status === 'exited');
  });

  test('the approver reads what the command means and which files it runs', async () => {
    script('build.sh', 'echo built');
    const { preview } = await temporary.workspace.preview('run_command', { command: 'ls && ./build.sh; ../tool.sh' });
    expect(preview.text).toMatch(/^ls && \.\/build\.sh; \.\.\/tool\.sh\n/);
    expect(preview.text).toMatch(/^ {2}build\.sh$/m);
    expect(preview.text).toMatch(/^ {2}\.\.\/tool\.sh \(cannot be: /m);
  });
});
