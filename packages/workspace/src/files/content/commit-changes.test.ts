import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { verifies } from '@codelab/testkit';
import { existsSync, mkdirSync, renameSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { temporaryWorkspace, type TemporaryWorkspace } from '../../../test/temporary-workspace.js';
import type { CommitRecord } from './commit-changes.js';
import type { FileChange } from './file-change.js';
import { toWorkspacePath } from '../paths/parse-path.js';
import { WorkspaceFiles } from '../workspace-files.js';
import { findWorkspaceRoot } from '../paths/workspace-root.js';

describe.each(['descriptor', 'path'] as const)(verifies('W2:commit', 'held by %s: what fails half way is taken back'), (anchoring) => {
  let temporary: TemporaryWorkspace;
  let files: WorkspaceFiles;
  beforeEach(async () => {
    temporary = await temporaryWorkspace();
    files = new WorkspaceFiles(await findWorkspaceRoot(temporary.root, temporary.dataDir, anchoring));
    for (const name of ['a', 'b', 'dir/c']) temporary.write(name, `old ${name}`);
  });
  afterEach(() => temporary.remove());

  const plan = async (path: string, after: string | undefined): Promise<FileChange> => {
    const before = await files.readForChange(toWorkspacePath(path), 'refuse');
    return {
      path: toWorkspacePath(path),
      before,
      after: after === undefined ? undefined : { content: Buffer.from(after), mode: before?.mode ?? 0o666 },
    };
  };
  /** Carries out the same plan each time; `meanwhile` runs when everything is ready and nothing is done. */
  const commit = async (meanwhile: () => void, signal = new AbortController().signal): Promise<string> => {
    const changes = [
      await plan('a', 'new a'),
      await plan('made/deep/x', 'new x'),
      await plan('dir/c', 'new c'),
      await plan('b', undefined),
    ];
    const keep = async (): Promise<CommitRecord> => {
      meanwhile();
      return { done: () => Promise.resolve(), drop: () => Promise.resolve() };
    };
    return files.commit({ changes }, { links: 'refuse', signal, keep }).then(
      () => 'done',
      (error: { code: string; name: string }) => error.code || error.name,
    );
  };
  const OLD = { a: 'old a', b: 'old b', 'dir/c': 'old dir/c' };

  test('if nothing comes in between, all is done', async () => {
    expect(await commit(() => undefined)).toBe('done');
    expect(temporary.snapshot()).toEqual({ a: 'new a', 'dir/c': 'new c', 'made/deep/x': 'new x' });
  });

  test('what is done is done, even if that cannot be recorded', async () => {
    const fails = (): Promise<void> => Promise.reject(new Error('the disk is full'));
    const options = {
      links: 'refuse' as const,
      signal: new AbortController().signal,
      keep: () => Promise.resolve({ done: fails, drop: fails }),
    };
    await expect(files.commit({ changes: [await plan('a', 'new a')] }, options)).resolves.toBeUndefined();
    expect(temporary.read('a')).toBe('new a');
  });

  test('if the last file was changed, the others are put back', async () => {
    expect(await commit(() => temporary.write('b', 'theirs'))).toBe('CONFLICT');
    expect(temporary.snapshot()).toEqual({ ...OLD, b: 'theirs' });
    expect(existsSync(join(temporary.root, 'made'))).toBe(false);
  });

  test('if a file that is to be made was made by someone else, theirs stays', async () => {
    expect(await commit(() => writeFileSync(join(temporary.root, 'made/deep/x'), 'theirs'))).toBe('CONFLICT');
    expect(temporary.snapshot()).toEqual({ ...OLD, 'made/deep/x': 'theirs' });
  });

  test('if a directory was moved away and replaced, neither is written to', async () => {
    const swap = (): void => {
      renameSync(join(temporary.root, 'dir'), join(temporary.outside, 'dir'));
      mkdirSync(join(temporary.root, 'dir'));
    };
    expect(await commit(swap)).toBe('CONFLICT');
    expect(temporary.snapshot()).toEqual({ a: 'old a', b: 'old b' });
    expect(temporary.snapshot(join(temporary.outside, 'dir'))).toMatchObject({ c: 'old dir/c' });
  });

  test('if a directory became a link to outside, nothing is written there', async () => {
    const swap = (): void => {
      renameSync(join(temporary.root, 'dir'), join(temporary.base, 'away'));
      symlinkSync(temporary.outside, join(temporary.root, 'dir'));
    };
    expect(await commit(swap)).toBe('CONFLICT');
    expect(temporary.snapshot(temporary.outside)).toEqual({ 'secret.txt': 'SECRET' });
    expect(temporary.read('a')).toBe('old a');
  });

  test('if the old content cannot be kept, nothing is done', async () => {
    const fail = (): void => {
      throw Object.assign(new Error('full'), { code: 'ENOSPC' });
    };
    expect(await commit(fail)).toBe('ENOSPC');
    expect(temporary.snapshot()).toEqual({ ...OLD });
  });

  test('a call that is cancelled before its effect has none', async () => {
    const controller = new AbortController();
    expect(await commit(() => controller.abort(), controller.signal)).not.toBe('done');
    expect(temporary.snapshot()).toEqual({ ...OLD });
    expect(existsSync(join(temporary.root, 'made'))).toBe(false);
  });
});
