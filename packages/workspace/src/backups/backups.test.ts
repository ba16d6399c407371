import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { verifies } from '@codelab/testkit';
import { existsSync, mkdtempSync, readdirSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { temporaryWorkspace, type TemporaryWorkspace } from '../../test/temporary-workspace.js';
import type { CommitRecord } from '../files/content/commit-changes.js';
import type { FileChange } from '../files/content/file-change.js';
import { toWorkspacePath } from '../files/paths/parse-path.js';
import { sha256Of } from '../files/paths/read-regular-file.js';
import { Backups } from './backups.js';

describe(verifies('W2:old-content-kept', 'what a call changes can be had back: the old content is kept before the effect'), () => {
  let temporary: TemporaryWorkspace;
  beforeEach(async () => {
    temporary = await temporaryWorkspace();
  });
  afterEach(() => temporary.remove());

  test('of files that were replaced, made and deleted, by call and turn', async () => {
    temporary.write('a', 'old a');
    temporary.write('b', 'b\n');
    const signal = new AbortController().signal;
    await temporary.workspace.run('write_file', { path: 'a', content: 'new a' }, { signal, callId: 'call_1', turnId: 'turn_1' });
    await temporary.workspace.run(
      'apply_patch',
      { diff: 'diff --git a/b b/c\nrename from b\nrename to c\n', allow_dirty: true },
      { signal, callId: 'call_2' },
    );
    const calls = await temporary.workspace.backups.list();
    expect(calls.map(({ turn_id, call_id, tool_name }) => [turn_id, call_id, tool_name])).toEqual([
      ['turn_1', 'call_1', 'write_file'],
      [null, 'call_2', 'apply_patch'],
    ]);
    const [first, second] = calls;
    expect(first!.files).toEqual([
      {
        path: 'a',
        before: { sha256: sha256Of(Buffer.from('old a')), mode: statSync(join(temporary.root, 'a')).mode & 0o777 },
        after: { sha256: sha256Of(Buffer.from('new a')), mode: expect.any(Number) },
      },
    ]);
    expect(second!.files).toEqual([
      { path: 'b', before: expect.objectContaining({ sha256: sha256Of(Buffer.from('b\n')) }), after: null },
      { path: 'c', before: null, after: expect.objectContaining({ sha256: sha256Of(Buffer.from('b\n')) }) },
    ]);
    expect(String(await temporary.workspace.backups.content(first!.files[0]!.before!.sha256))).toBe('old a');
  });

  test('in the data directory, for its user alone, and nowhere else', async () => {
    temporary.write('a', 'old');
    await temporary.run('write_file', { path: 'a', content: 'new' });
    expect(readdirSync(temporary.root)).toEqual(['a']);
    const entries = readdirSync(temporary.dataDir, { recursive: true, withFileTypes: true });
    expect(entries.filter((entry) => entry.isFile()).length).toBe(2);
    for (const entry of entries) expect(statSync(join(entry.parentPath, entry.name)).mode & 0o077).toBe(0);
  });

  test('not of a call that does nothing', async () => {
    temporary.write('a', 'old');
    await temporary.run('write_file', { path: 'a', content: 'new', expected_sha256: '' });
    await temporary.run('apply_patch', { diff: '--- a/a\n+++ b/a\n@@ -1 +1 @@\n-x\n+y\n', allow_dirty: true });
    expect(await temporary.workspace.backups.list()).toEqual([]);
  });
});

describe('the limit', () => {
  let directory: string;
  let now = 1_000_000_000_000;
  beforeEach(() => {
    directory = mkdtempSync(join(tmpdir(), 'codelab-'));
  });
  afterEach(() => rmSync(directory, { recursive: true, force: true }));

  const change = (text: string): FileChange => {
    const content = Buffer.from(text);
    const fingerprint = { dev: 1n, ino: 1n, size: 1n, mtimeNs: 1n, ctimeNs: 1n };
    return { path: toWorkspacePath('a'), before: { content, sha256: sha256Of(content), mode: 0o644, uid: 0, gid: 0, fingerprint } };
  };
  const open = (): Backups => new Backups({ directory, limitBytes: 250, now: () => now });
  const begin = (backups: Backups, id: string, text: string): Promise<CommitRecord> =>
    backups.begin({ turn_id: null, call_id: id, tool_name: 'write_file' }, { changes: [change(text)] });
  const keep = (backups: Backups, id: string, text: string): Promise<void> => {
    now += 120_000;
    return begin(backups, id, text).then((record) => record.done());
  };
  const idsOf = async (backups: Backups): Promise<string[]> => (await backups.list()).map(({ call_id }) => call_id);
  const blobs = (): number => readdirSync(join(directory, 'blobs')).length;

  test('drops the oldest calls first, with what only they need', async () => {
    const backups = open();
    const [x, y, z] = ['x'.repeat(100), 'y'.repeat(100), 'z'.repeat(100)];
    for (const [id, text] of [
      ['1', x],
      ['2', y],
      ['3', x],
      ['4', z],
    ] as const)
      await keep(backups, id, text);
    expect(await idsOf(backups)).toEqual(['3', '4']);
    expect(blobs()).toBe(2);
    expect(await backups.content(sha256Of(Buffer.from(y)))).toBeUndefined();
  });

  test('holds across restarts, and always leaves the last call', async () => {
    await keep(open(), '1', 'x'.repeat(200));
    await keep(open(), '2', 'y'.repeat(1000));
    expect(await idsOf(open())).toEqual(['2']);
    expect(blobs()).toBe(1);
  });

  test('spares content that another process has just put', async () => {
    const other = open();
    await keep(other, '1', 'x'.repeat(200));
    now += 120_000;
    const put = now;
    await (await begin(open(), '2', 'x'.repeat(200))).done();
    now = put + 1_000;
    await (await begin(open(), '3', 'y'.repeat(200))).done();
    expect(existsSync(join(directory, 'blobs', sha256Of(Buffer.from('x'.repeat(200)))))).toBe(true);
  });
});
