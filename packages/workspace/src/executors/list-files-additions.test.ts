import { afterEach, beforeEach, expect, test } from 'vitest';
import type { JsonObject } from '@codelab/tools';
import { verifies } from '@codelab/testkit';
import { utimesSync } from 'node:fs';
import { join } from 'node:path';
import { LatestEntries } from '../reading/latest-entries.js';
import { temporaryWorkspace, type TemporaryWorkspace } from '../../test/temporary-workspace.js';

interface Listed {
  readonly entries: readonly { readonly path: string; readonly mtime_ms?: number }[];
  readonly truncated: boolean;
  readonly total?: number;
}

let temporary: TemporaryWorkspace;
beforeEach(async () => {
  temporary = await temporaryWorkspace();
  for (const [index, path] of ['a/b/c/d.ts', 'a/b/e.ts', 'a/f.ts', 'g.ts', '.git/config', 'dist/h.ts'].entries()) {
    temporary.write(path, path);
    utimesSync(join(temporary.root, path), 0, 1_000 + index);
  }
  temporary.write('.gitignore', 'dist\n');
});
afterEach(() => temporary.remove());

const list = async (args: JsonObject): Promise<Listed> =>
  (await temporary.run('list_files', args, { additions: true })) as unknown as Listed;
const paths = async (args: JsonObject): Promise<string[]> => (await list(args)).entries.map(({ path }) => path);

test(verifies('L3:x3', 'a listing goes as deep, and is in the order, that is asked for; .git is never in it'), async () => {
  expect(await paths({ recursive: true, depth: 1 })).toEqual(['.gitignore', 'a', 'g.ts']);
  expect(await paths({ recursive: true, depth: 2, path: 'a' })).toEqual(['a/b', 'a/b/c', 'a/b/e.ts', 'a/f.ts']);
  expect(await paths({ recursive: true, depth: 2, ignored: true })).toEqual([
    '.gitignore',
    'a',
    'a/b',
    'a/f.ts',
    'dist',
    'dist/h.ts',
    'g.ts',
  ]);
  const newest = await list({ recursive: true, pattern: '*.ts', sort: 'mtime', ignored: true, limit: 3 });
  expect(newest.entries.map(({ path }) => path)).toEqual(['dist/h.ts', 'g.ts', 'a/f.ts']);
  expect(newest).toMatchObject({ truncated: true, total: 5 });
  expect(newest.entries[0]).toEqual({ path: 'dist/h.ts', type: 'file', size: 9, mtime_ms: 1_005_000 });
  expect(await list({ recursive: true, pattern: '*.rs', sort: 'mtime' })).toEqual({ entries: [], truncated: false, total: 0 });
  expect(await temporary.run('list_files', { depth: 0 })).toBe('INVALID_ARGUMENTS');
  expect(await temporary.run('list_files', { path: 'g.ts', sort: 'mtime' })).toBe('INVALID_PATH');
});

test('servers of version 2.0 get the entries as before', async () => {
  expect(await temporary.run('list_files', { pattern: 'g.ts' })).toEqual({
    ...{ entries: [{ path: 'g.ts', type: 'file', size: 4 }], truncated: false },
  });
});

test('of many entries the latest are kept, and of one time the first', () => {
  const latest = new LatestEntries<number>(3, (value) => value % 1_000);
  for (let value = 0; value < 10_000; value += 1) latest.add(value);
  expect(latest.entries).toEqual([999, 1_999, 2_999]);
  expect(latest.seen).toBe(10_000);
});
