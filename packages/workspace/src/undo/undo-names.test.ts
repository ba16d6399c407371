import { afterEach, beforeEach, expect, test } from 'vitest';
import { verifies } from '@codelab/testkit';
import { existsSync, mkdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { temporaryWorkspace, type TemporaryWorkspace } from '../../test/temporary-workspace.js';
import type { Workspace } from '../open-workspace.js';
import type { UndoStep } from './undo-plan.js';

let temporary: TemporaryWorkspace;
let calls = 0;

beforeEach(async () => {
  temporary = await temporaryWorkspace();
});
afterEach(() => temporary.remove());

const call = async (toolName: string, args: Parameters<Workspace['run']>[1], turnId = 't1'): Promise<void> => {
  calls += 1;
  const options = { signal: new AbortController().signal, callId: `call_${String(calls)}`, turnId, approved: true };
  expect(await temporary.workspace.run(toolName, args, options)).toMatchObject({ ok: true });
};
const brief = (steps: readonly UndoStep[]): string[] => steps.map(({ path, action, state }) => `${action} ${path} ${state}`);
const planOf = async (turnId: string): Promise<string[]> => brief((await temporary.workspace.undo.plan(turnId)).steps);

test(
  verifies('W2:undo-names', 'what a turn moved, deleted and made comes back with its content, and goes again when that is undone'),
  async () => {
    for (const path of ['a.txt', 'dir/one', 'dir/sub/two', 'keep']) temporary.write(path, `old ${path}`);
    const before = temporary.snapshot();
    await call('write_file', { path: 'a.txt', content: 'changed' });
    await call('move_file', { from: 'a.txt', to: 'x/y/b.txt' });
    await call('write_file', { path: 'x/y/b.txt', content: 'changed again' });
    await call('write_file', { path: 'dir/one', content: 'changed' });
    await call('delete_file', { path: 'dir' });
    await call('create_directory', { path: 'made/deep' });
    await call('write_file', { path: 'made/deep/file', content: 'new' });
    await call('delete_file', { path: 'keep' });
    const after = temporary.snapshot();
    expect(await planOf('t1')).toEqual([
      'create keep ready',
      'remove made/deep/file ready',
      'remove made/deep/ ready',
      'remove made/ ready',
      'create dir ready',
      'restore x/y/b.txt ready',
      'restore dir/one ready',
      'move a.txt ready',
      'remove x/y/ ready',
      'remove x/ ready',
      'restore a.txt ready',
    ]);
    const { conflicts, undoId } = await temporary.workspace.undo.restore('t1');
    expect(conflicts).toEqual([]);
    expect(temporary.snapshot()).toEqual(before);
    for (const path of ['x', 'made']) expect(existsSync(join(temporary.root, path))).toBe(false);
    expect((await planOf(undoId!)).every((step) => step.endsWith(' ready'))).toBe(true);
    expect((await temporary.workspace.undo.restore(undoId!)).conflicts).toEqual([]);
    expect(temporary.snapshot()).toEqual(after);
    await temporary.workspace.undo.restore('t1');
    expect(temporary.snapshot()).toEqual(before);
  },
);

test('what is in the way of a name stays, and what was done before it is named too', async () => {
  temporary.write('a', 'old');
  await call('write_file', { path: 'a', content: 'changed' });
  await call('move_file', { from: 'a', to: 'b' });
  temporary.write('a', 'mine');
  expect(await planOf('t1')).toEqual(['move a conflict', 'restore a conflict']);
  expect((await temporary.workspace.undo.restore('t1')).restored).toEqual([]);
  expect(temporary.snapshot()).toEqual({ a: 'mine', b: 'changed' });
});

test('a directory that somebody uses stays, and a file that replaced a moved one is not moved back', async () => {
  await call('create_directory', { path: 'made' });
  temporary.write('made/mine', 'mine');
  expect(await temporary.workspace.undo.restore('t1')).toEqual({ restored: [], conflicts: [] });
  temporary.write('c', 'c');
  await call('move_file', { from: 'c', to: 'd' }, 't2');
  rmSync(join(temporary.root, 'd'));
  mkdirSync(join(temporary.root, 'd'));
  expect((await temporary.workspace.undo.restore('t2', { force: true })).conflicts).toMatchObject([{ path: 'c', action: 'move' }]);
  expect(existsSync(join(temporary.root, 'made/mine'))).toBe(true);
});
