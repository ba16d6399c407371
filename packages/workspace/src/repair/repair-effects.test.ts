import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { verifies } from '@codelab/testkit';
import { spawnSync } from 'node:child_process';
import {
  chmodSync,
  existsSync,
  linkSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { fastDirectory, temporaryWorkspace, type TemporaryWorkspace } from '../../test/temporary-workspace.js';
import { toEntryMark, type Entry } from '../files/paths/entry.js';
import { toWorkspacePath } from '../files/paths/parse-path.js';
import { WorkspaceFiles } from '../files/workspace-files.js';
import { findWorkspaceRoot } from '../files/paths/workspace-root.js';
import type { BackupPlan } from '../backups/backups.js';
import { openWorkspace } from '../open-workspace.js';

let temporary: TemporaryWorkspace;
let files: WorkspaceFiles;
beforeEach(async () => {
  temporary = await temporaryWorkspace();
  files = new WorkspaceFiles(await findWorkspaceRoot(temporary.root, temporary.dataDir));
  temporary.write('dir/a', 'A');
  temporary.write('b', 'B');
});
afterEach(() => temporary.remove());

const at = (path: string): string => join(temporary.root, path);
const entryAt = async (path: string): Promise<Entry> => (await files.entryAt(toWorkspacePath(path)))!;
const manifests = (): string => {
  const [name] = readdirSync(join(temporary.dataDir, 'workspaces'));
  return join(temporary.dataDir, 'workspaces', name!, 'kept/calls');
};

/** What a process that died leaves: a manifest of its call, and whatever `meanwhile` did. */
const dieWith = async (plan: BackupPlan, meanwhile: () => void): Promise<unknown> => {
  await temporary.workspace.backups.begin({ turn_id: null, call_id: 'dead', tool_name: 'x' }, plan);
  const { pid } = spawnSync(process.execPath, ['--version']);
  for (const name of readdirSync(manifests())) {
    const manifest = JSON.parse(readFileSync(join(manifests(), name), 'utf8')) as object;
    writeFileSync(join(manifests(), name), JSON.stringify({ ...manifest, process: { pid, started_at_ms: 1 } }));
  }
  meanwhile();
  const { repaired } = await openWorkspace({ root: temporary.root, dataDir: temporary.dataDir });
  expect((await openWorkspace({ root: temporary.root, dataDir: temporary.dataDir })).repaired).toEqual([]);
  return repaired.map(({ outcome }) => outcome).join();
};

describe(verifies('W2:names-crash', 'a process that dies in the middle of a move or a deletion leaves it done or not done'), () => {
  const moving = async (from: string, to: string): Promise<BackupPlan> => ({
    moves: [{ from, to, ...toEntryMark(await entryAt(from)) }],
    created_directories: ['new'],
  });

  test('a move of a file: before it, with both names, after it', async () => {
    const plan = await moving('b', 'new/b');
    expect(await dieWith(plan, () => mkdirSync(at('new')))).toBe('none');
    expect(existsSync(at('new'))).toBe(false);
    mkdirSync(at('new'));
    expect(await dieWith(plan, () => linkSync(at('b'), at('new/b')))).toBe('none');
    expect(temporary.snapshot()).toEqual({ 'dir/a': 'A', b: 'B' });
    mkdirSync(at('new'));
    expect(await dieWith(plan, () => renameSync(at('b'), at('new/b')))).toBe('whole');
    expect(temporary.snapshot()).toEqual({ 'dir/a': 'A', 'new/b': 'B' });
  });

  test('a move of a directory: with the empty one that it is to replace, after it', async () => {
    const plan = await moving('dir', 'new/dir');
    expect(await dieWith(plan, () => mkdirSync(at('new/dir'), { recursive: true }))).toBe('none');
    expect(readdirSync(temporary.root).sort()).toEqual(['b', 'dir']);
    mkdirSync(at('new'));
    expect(await dieWith(plan, () => renameSync(at('dir'), at('new/dir')))).toBe('whole');
    expect(temporary.read('new/dir/a')).toBe('A');
  });

  test('what somebody has put in the place since stays', async () => {
    const plan = await moving('dir', 'new/dir');
    expect(await dieWith(plan, () => temporary.write('new/dir/theirs', 'T'))).toBe('none');
    expect(temporary.snapshot()).toEqual({ 'dir/a': 'A', 'new/dir/theirs': 'T', b: 'B' });
  });

  const deleting = async (path: string): Promise<readonly [BackupPlan, string]> => {
    const trash = await temporary.workspace.backups.trash.makeRoom();
    const item = { path, trash, files: 1, bytes: 1, ...toEntryMark(await entryAt(path)) };
    return [{ trashed: [item], temporaries: ['.codelab-0123456789abcdef.tmp'] }, temporary.workspace.backups.trash.placeOf(trash)];
  };

  test('a deletion: before it, with half a copy, after it, with something that is left to remove', async () => {
    const [first, place] = await deleting('dir');
    expect(await dieWith(first, () => mkdirSync(place))).toBe('none');
    expect([temporary.read('dir/a'), existsSync(place)]).toEqual(['A', false]);
    const [second, moved] = await deleting('dir');
    expect(await dieWith(second, () => renameSync(at('dir'), moved))).toBe('whole');
    expect([readFileSync(join(moved, 'a'), 'utf8'), existsSync(at('dir'))]).toEqual(['A', false]);
    const [third] = await deleting('b');
    expect(await dieWith(third, () => renameSync(at('b'), at('.codelab-0123456789abcdef.tmp')))).toBe('whole');
    expect(readdirSync(temporary.root)).toEqual([]);
  });
});

const other = fastDirectory();
const isOtherDevice = statSync(other).dev !== statSync(import.meta.dirname).dev;

(isOtherDevice ? test : test.skip)(
  'a trash on another file system gets a copy, durable before anything is removed, and gives one back',
  async () => {
    const dataDir = mkdtempSync(join(other, 'codelab-'));
    try {
      const workspace = await openWorkspace({ root: temporary.root, dataDir });
      chmodSync(at('dir/a'), 0o640);
      chmodSync(at('dir'), 0o550);
      symlinkSync('../outside', at('l'));
      renameSync(at('l'), at('dir2'));
      const run = (path: string): Promise<unknown> =>
        workspace.run('delete_file', { path }, { signal: new AbortController().signal, callId: `delete ${path}` });
      expect([await run('b'), await run('dir2')]).toEqual(Array(2).fill({ ok: true, result: { success: true, files_deleted: 1 } }));
      chmodSync(at('dir'), 0o750);
      expect(await run('dir')).toMatchObject({ ok: true });
      expect(readdirSync(temporary.root)).toEqual([]);
      const access = new WorkspaceFiles(await findWorkspaceRoot(temporary.root, dataDir));
      for (const call of await workspace.backups.list())
        for (const { path, trash } of call.trashed ?? [])
          await access.restore(workspace.backups.trash.placeOf(trash), toWorkspacePath(path));
      expect(temporary.snapshot()).toEqual({ 'dir/a': 'A', b: 'B' });
      expect([readlinkSync(at('dir2')), statSync(at('dir/a')).mode & 0o777, statSync(at('dir')).mode & 0o777]).toEqual([
        '../outside',
        0o640,
        0o750,
      ]);
      expect(readdirSync(temporary.root).sort()).toEqual(['b', 'dir', 'dir2']);
    } finally {
      rmSync(dataDir, { recursive: true });
    }
  },
);
