import { afterEach, beforeEach, expect, test } from 'vitest';
import { verifies } from '@codelab/testkit';
import {
  chmodSync,
  existsSync,
  lstatSync,
  mkdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { temporaryWorkspace, type TemporaryWorkspace } from '../../test/temporary-workspace.js';
import { openWorkspace, type Workspace } from '../open-workspace.js';
import type { UndoStep } from './undo-plan.js';

let temporary: TemporaryWorkspace;
let calls = 0;

beforeEach(async () => {
  temporary = await temporaryWorkspace();
});
afterEach(() => temporary.remove());

const at = (path: string): string => join(temporary.root, path);

const call = async (turnId: string, toolName: string, args: Parameters<Workspace['run']>[1]): Promise<void> => {
  calls += 1;
  const options = { signal: new AbortController().signal, callId: `call_${String(calls)}`, turnId, approved: true };
  expect(await temporary.workspace.run(toolName, args, options)).toMatchObject({ ok: true });
};
const write = (turnId: string, path: string, content: string): Promise<void> => call(turnId, 'write_file', { path, content });
const command = (turnId: string, line: string): Promise<void> => call(turnId, 'run_command', { command: line });

const stepsOf = async (turnId: string): Promise<readonly UndoStep[]> => (await temporary.workspace.undo.plan(turnId)).steps;
const brief = (steps: readonly UndoStep[]): string[] => steps.map(({ path, action, state }) => `${action} ${path} ${state}`).sort();
const planOf = async (turnId: string): Promise<string[]> => brief(await stepsOf(turnId));

test(verifies('W2:undo-turn', 'a turn is undone as a whole, and the undoing can be undone'), async () => {
  temporary.write('a.txt', 'one\n');
  await write('t1', 'a.txt', 'two\n');
  await write('t1', 'a.txt', 'three\n');
  await write('t1', 'sub/new.txt', 'new\n');
  await write('t2', 'b.txt', 'other turn\n');
  expect((await temporary.workspace.undo.list()).map(({ turnId, calls: { length } }) => [turnId, length])).toEqual([
    ['t2', 1],
    ['t1', 3],
  ]);
  expect(await planOf('t1')).toEqual(['remove sub/new.txt ready', 'restore a.txt ready']);
  const { restored, conflicts, undoId } = await temporary.workspace.undo.restore('t1');
  expect([restored.length, conflicts]).toEqual([2, []]);
  expect(temporary.snapshot()).toEqual({ 'a.txt': 'one\n', 'b.txt': 'other turn\n' });
  expect(existsSync(at('sub'))).toBe(false);
  expect((await temporary.workspace.undo.list()).map(({ turnId, isUndone }) => [turnId, isUndone])).toEqual([
    [undoId, false],
    ['t2', false],
    ['t1', true],
  ]);
  await temporary.workspace.undo.restore(undoId!);
  expect(temporary.snapshot()).toEqual({ 'a.txt': 'three\n', 'b.txt': 'other turn\n', 'sub/new.txt': 'new\n' });
  expect((await temporary.workspace.undo.list()).find(({ turnId }) => turnId === 't1')?.isUndone).toBe(false);
});

test(verifies('W2:undo-conflict', 'a file that was changed since is named and stays as it is, unless the user insists'), async () => {
  for (const name of ['a', 'b', 'c', 'd']) temporary.write(name, 'old');
  await write('t1', 'a', 'turn');
  await write('t1', 'b', 'turn');
  await write('t1', 'c', 'turn');
  await write('t1', 'd', 'turn');
  temporary.write('a', 'mine');
  rmSync(at('b'));
  temporary.write('d', 'old');
  const { restored, conflicts } = await temporary.workspace.undo.restore('t1');
  expect(brief(restored)).toEqual(['restore c ready']);
  expect(conflicts.map(({ path, why }) => [path, why]).sort()).toEqual([
    ['a', 'it was changed since'],
    ['b', 'it is not there any more'],
  ]);
  expect(temporary.snapshot()).toEqual({ a: 'mine', c: 'old', d: 'old' });
  await temporary.workspace.undo.restore('t1', { force: true });
  expect(temporary.snapshot()).toEqual({ a: 'old', b: 'old', c: 'old', d: 'old' });
});

test('an edit of the user between two calls of a turn is not lost in silence', async () => {
  temporary.write('a', 'old');
  await write('t1', 'a', 'first');
  temporary.write('a', 'mine');
  await write('t1', 'a', 'second');
  expect(await stepsOf('t1')).toMatchObject([{ state: 'conflict', why: 'somebody else changed it during the turn', canForce: true }]);
});

test(verifies('W2:undo-command', 'what a command does to files is undone: changed, made, deleted, moved, binary, mode'), async () => {
  temporary.git('init', '-q');
  temporary.write('.gitignore', 'ignored\n');
  temporary.write('.gitattributes', '* text=auto eol=lf\n*.txt filter=evil\n');
  temporary.write('changed.txt', 'a\r\nb\r\n');
  temporary.write('deleted', 'gone');
  temporary.write('from', 'moves');
  temporary.write('key', 'private');
  temporary.write('script', '#!/bin/sh\n');
  temporary.write('binary', Buffer.from([0, 255, 13, 10, 0]));
  temporary.write('ignored', 'old');
  chmodSync(at('key'), 0o600);
  temporary.git('add', 'changed.txt', 'deleted');
  const before = temporary.snapshot();
  const index = readFileSync(at('.git/index'));
  await command(
    't1',
    'echo x >> changed.txt; rm deleted key; mkdir -p sub; mv from sub/to; chmod +x script; printf "\\1\\0" > binary; echo new > ignored; echo m > made',
  );
  expect(await planOf('t1')).toEqual([
    'create deleted ready',
    'create from ready',
    'create key ready',
    'remove made ready',
    'remove sub/to ready',
    'restore binary ready',
    'restore changed.txt ready',
    'restore script ready',
  ]);
  expect((await temporary.workspace.undo.restore('t1')).conflicts).toEqual([]);
  expect(temporary.snapshot()).toEqual({ ...before, ignored: 'new\n' });
  expect(statSync(at('script')).mode & 0o111).toBe(0);
  expect(statSync(at('key')).mode & 0o777).toBe(0o600);
  expect(readFileSync(at('.git/index'))).toEqual(index);
});

test(
  verifies('W2:undo-dirty-tree', 'staged, unstaged and untracked changes of the user, the index, the stash and the refs survive'),
  async () => {
    temporary.git('init', '-q');
    for (const name of ['staged', 'unstaged', 'stashed', 'file']) temporary.write(name, 'committed\n');
    temporary.git('add', '-A');
    temporary.git('commit', '-qm', 'one');
    temporary.write('stashed', 'in the stash\n');
    temporary.git('stash', '-q');
    temporary.write('staged', 'staged\n');
    temporary.git('add', 'staged');
    temporary.write('staged', 'staged, then changed\n');
    temporary.write('unstaged', 'changed\n');
    temporary.write('untracked', 'untracked\n');
    const user = (): unknown => [
      temporary.git('status', '--porcelain'),
      temporary.git('diff', '--cached'),
      temporary.git('stash', 'list'),
      temporary.git('for-each-ref'),
      temporary.snapshot(),
    ];
    const [before, index] = [user(), readFileSync(at('.git/index'))];
    await command('t1', 'for f in staged unstaged untracked file; do echo command >> $f; done');
    await temporary.workspace.undo.restore('t1');
    expect(user()).toEqual(before);
    expect(index.length).toBeGreaterThan(0);
  },
);

test(verifies('W2:undo-uncovered', 'what a command does and can not be undone is named'), async () => {
  temporary.write('big', '');
  truncateSync(at('big'), 9 * 1024 * 1024);
  mkdirSync(at('inner'));
  temporary.write('inner/file', 'x');
  temporary.git('init', '-q', 'inner');
  await command('t1', 'echo x >> big; ln -s big link; echo y > inner/file; echo z > plain');
  const [turn] = await temporary.workspace.undo.list();
  expect(turn!.uncovered.join('\n')).toMatch(/big is not covered: it has 9437186 bytes; at most 8388608 are kept\./);
  expect(turn!.uncovered.join('\n')).toMatch(/inner is not covered: it is a repository of its own\./);
  expect(turn!.uncovered.join('\n')).toMatch(/link is not covered: it is, or was, a link/);
  expect(await planOf('t1')).toEqual(['remove plain ready']);
  await temporary.workspace.undo.restore('t1');
  expect(lstatSync(at('link')).isSymbolicLink()).toBe(true);
});

test('a turn survives a restart, and a workspace below the top of its repository is covered alone', async () => {
  const top = temporary.base;
  temporary.git('init', '-q', top);
  writeFileSync(join(top, '.gitignore'), 'node_modules\n');
  mkdirSync(at('node_modules'));
  temporary.write('node_modules/x', 'ignored');
  temporary.write('file', 'old\n');
  await command('t1', 'echo new > file; echo new > node_modules/x; echo new > ../outside/beside');
  const again = await openWorkspace({ root: temporary.root, dataDir: temporary.dataDir });
  expect(brief((await again.undo.plan('t1')).steps)).toEqual(['restore file ready']);
  await again.undo.restore('t1');
  expect(temporary.read('file')).toBe('old\n');
  expect(readFileSync(join(temporary.outside, 'beside'), 'utf8')).toBe('new\n');
});

test('a link that leads out is not followed by an undoing', async () => {
  temporary.write('dir/file', 'old');
  await write('t1', 'dir/file', 'new');
  rmSync(at('dir'), { recursive: true });
  symlinkSync(temporary.outside, at('dir'));
  writeFileSync(join(temporary.outside, 'file'), 'new');
  expect((await temporary.workspace.undo.restore('t1', { force: true })).restored).toEqual([]);
  expect(readFileSync(join(temporary.outside, 'file'), 'utf8')).toBe('new');
});

test('a call that only looks makes no checkpoint, and an unknown turn is said so', async () => {
  temporary.write('a', 'x');
  await call('t1', 'read_file', { path: 'a' });
  expect(await temporary.workspace.undo.list()).toEqual([]);
  await expect(temporary.workspace.undo.plan('t9')).rejects.toThrow('Nothing of a turn t9 is kept');
});

test('a command that is stopped is over at once, and what it did is undone all the same; one that was stopped before it began changes nothing', async () => {
  temporary.write('a.txt', 'old');
  const run = (turnId: string, line: string, stop: AbortController, onOutput?: () => void) =>
    temporary.workspace.run('run_command', { command: line }, { signal: stop.signal, callId: turnId, turnId, approved: true, onOutput });
  const stop = new AbortController();
  const stopped = run('t1', 'echo new > a.txt; echo done; sleep 60', stop, () => stop.abort());
  expect(await stopped).toMatchObject({ ok: false, error: { code: 'CANCELLED' } });
  expect(await planOf('t1')).toEqual(['restore a.txt ready']);
  const early = new AbortController();
  const running = run('t2', 'echo newer > a.txt', early);
  early.abort();
  expect(await running).toMatchObject({ ok: false });
  expect(temporary.snapshot()).toMatchObject({ 'a.txt': 'new\n' });
  await write('t3', 'b.txt', 'next');
  expect((await temporary.workspace.undo.list()).map(({ turnId }) => turnId)).toEqual(['t3', 't1']);
});
