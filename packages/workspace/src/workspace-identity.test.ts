import { afterEach, beforeEach, expect, test } from 'vitest';
import { mkdirSync, renameSync, rmSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { gitIn, temporaryWorkspace, type TemporaryWorkspace } from '../test/temporary-workspace.js';
import { workspaceIdentity } from './workspace-identity.js';

let temporary: TemporaryWorkspace;
beforeEach(async () => {
  temporary = await temporaryWorkspace();
});
afterEach(() => temporary.remove());

const identify = (root = temporary.root): ReturnType<typeof workspaceIdentity> => workspaceIdentity(root, temporary.dataDir);

test('a folder keeps its id, by whatever link it is reached; another folder has another', async () => {
  const first = await identify();
  expect(first).toEqual({ id: expect.stringMatching(/^ws_[0-9a-f-]{36}$/), name: 'ws', root: temporary.root });
  symlinkSync(temporary.root, join(temporary.base, 'link'));
  expect(await identify(join(temporary.base, 'link'))).toEqual(first);
  expect((await identify(temporary.outside)).id).not.toBe(first.id);
});

test('two that ask at once get the same id', async () => {
  const ids = await Promise.all(Array.from({ length: 8 }, () => identify()));
  expect(new Set(ids.map(({ id }) => id)).size).toBe(1);
});

test('nothing is written into the folder, and the id is bound to its place', async () => {
  const { id } = await identify();
  expect(temporary.snapshot()).toEqual({});
  renameSync(temporary.root, join(temporary.base, 'moved'));
  mkdirSync(temporary.root);
  expect((await identify()).id).toBe(id);
  expect((await identify(join(temporary.base, 'moved'))).id).not.toBe(id);
  rmSync(join(temporary.base, 'moved'), { recursive: true });
});

test('the branch is the one that is checked out, also before the first commit', async () => {
  gitIn(temporary.root, ['init', '-q', '-b', 'feature/x']);
  expect((await identify()).branch).toBe('feature/x');
  temporary.write('a', 'a');
  temporary.git('add', '-A');
  temporary.git('commit', '-qm', 'x');
  temporary.git('checkout', '-q', '--detach');
  expect((await identify()).branch).toBeUndefined();
});
