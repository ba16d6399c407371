import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { JsonObject } from '@codelab/tools';
import { verifies } from '@codelab/testkit';
import { execFileSync } from 'node:child_process';
import { closeSync, ftruncateSync, mkdirSync, openSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fastDirectory, temporaryWorkspace, type TemporaryWorkspace } from '../../test/temporary-workspace.js';

interface Listed {
  readonly entries: readonly { readonly path: string; readonly type: string; readonly size?: number }[];
  readonly truncated: boolean;
}

let temporary: TemporaryWorkspace;

const list = async (args: JsonObject = {}): Promise<Listed> => (await temporary.run('list_files', args)) as unknown as Listed;
const paths = async (args: JsonObject = {}): Promise<string[]> => (await list(args)).entries.map(({ path }) => path);
const at = (path: string): string => join(temporary.root, path);

describe.each(['descriptor', 'path'] as const)('held by %s', (anchoring) => {
  beforeEach(async () => {
    temporary = await temporaryWorkspace({ anchoring });
    for (const path of ['b/deep/c.ts', 'b/c.md', 'b.ts', 'a.tsx', '.hidden', '.git/config']) temporary.write(path, path);
  });
  afterEach(() => temporary.remove());

  test('what lies in a directory, or everything below it, in the order of paths, with kinds and sizes', async () => {
    symlinkSync('b', at('link'));
    execFileSync('mkfifo', [at('pipe')]);
    expect(await list()).toEqual({
      entries: [
        { path: '.hidden', type: 'file', size: 7 },
        { path: 'a.tsx', type: 'file', size: 5 },
        { path: 'b', type: 'directory' },
        { path: 'b.ts', type: 'file', size: 4 },
        { path: 'link', type: 'link' },
        { path: 'pipe', type: 'other' },
      ],
      truncated: false,
    });
    expect(await paths({ recursive: true })).toEqual(['.hidden', 'a.tsx', 'b', 'b/c.md', 'b/deep', 'b/deep/c.ts', 'b.ts', 'link', 'pipe']);
    expect(await paths({ path: 'b' })).toEqual(['b/c.md', 'b/deep']);
    expect(await paths({ path: 'link/deep' })).toEqual(['b/deep/c.ts']);
  });

  test('a pattern is about names, or with "/" about paths below the directory', async () => {
    expect(await paths({ pattern: '*.ts' })).toEqual(['b.ts']);
    expect(await paths({ pattern: '*.ts', recursive: true })).toEqual(['b/deep/c.ts', 'b.ts']);
    expect(await paths({ pattern: '**/*.{ts,md}' })).toEqual(['b/c.md', 'b/deep/c.ts', 'b.ts']);
    expect(await paths({ pattern: 'deep/*', path: 'b' })).toEqual(['b/deep/c.ts']);
  });

  test('the limit, and that there is more', async () => {
    expect(await list({ recursive: true, limit: 2 })).toMatchObject({ entries: [{ path: '.hidden' }, { path: 'a.tsx' }], truncated: true });
    expect((await list({ recursive: true, limit: 7 })).truncated).toBe(false);
    expect((await list({ recursive: true, limit: 6 })).truncated).toBe(true);
  });

  test('what .gitignore names is left out, unless it is asked for', async () => {
    temporary.write('.gitignore', 'b/deep\n*.md\n');
    temporary.write('b/.gitignore', '!c.md\n');
    expect(await paths({ recursive: true })).toEqual(['.gitignore', '.hidden', 'a.tsx', 'b', 'b/.gitignore', 'b/c.md', 'b.ts']);
    expect(await paths({ path: 'b/deep' })).toEqual(['b/deep/c.ts']);
    expect(await paths({ path: 'b', include_ignored: true, recursive: true })).toEqual(['b/.gitignore', 'b/c.md', 'b/deep', 'b/deep/c.ts']);
  });

  test(verifies('W1:list-links', 'links are shown and not followed, wherever they lead; a link to rules is no file of rules'), async () => {
    symlinkSync('.', at('self'));
    symlinkSync('../..', at('b/up'));
    symlinkSync(temporary.outside, at('out'));
    symlinkSync('/dev/zero', at('.gitignore'));
    expect(await paths({ recursive: true })).toEqual([
      '.gitignore',
      '.hidden',
      'a.tsx',
      'b',
      'b/c.md',
      'b/deep',
      'b/deep/c.ts',
      'b/up',
      'b.ts',
      'out',
      'self',
    ]);
    expect(await paths({ path: 'self/self/b' })).toEqual(['b/c.md', 'b/deep', 'b/up']);
    for (const path of ['out', 'b/up/outside', 'b/up/..'])
      expect(await temporary.run('list_files', { path })).toBe('PATH_OUTSIDE_WORKSPACE');
  });

  test('twins that differ in case or in composition are two files where the file system says so', async () => {
    for (const name of ['README', 'readme', 'e\u0301', '\u00e9']) temporary.write(`twins/${name}`, name);
    const fold = (name: string): string => name.normalize('NFC').toLowerCase();
    const found = await paths({ path: 'twins' });
    expect(new Set(found.map(fold))).toEqual(new Set(['twins/readme', 'twins/\u00e9']));
    for (const path of found) {
      const { content } = (await temporary.run('read_file', { path })) as { content: string };
      expect(`twins/${found.length === 4 ? content : fold(content)}`).toBe(found.length === 4 ? path : fold(path));
    }
  });
});

describe(
  verifies(
    'W1:large-trees',
    'a directory of 100,000 entries, a sparse file and a bottomless tree cost neither memory nor time without end',
  ),
  () => {
    beforeEach(async () => {
      temporary = await temporaryWorkspace({ directory: fastDirectory() });
    });
    afterEach(() => temporary.remove());

    test('100,000 entries', async () => {
      mkdirSync(at('flat'));
      for (let index = 0; index < 100_000; index += 1) closeSync(openSync(at(`flat/${String(index)}`), 'w'));
      const { entries, truncated } = await list({ path: 'flat', limit: 3 });
      expect([entries.map(({ path }) => path), truncated]).toEqual([['flat/0', 'flat/1', 'flat/10'], true]);
      expect(await paths({ pattern: '99999', recursive: true })).toEqual(['flat/99999']);
      expect(await temporary.failure('delete_file', { path: 'flat' })).toContain('more than 10000 entries');
      expect(await temporary.run('search_in_project', { query: 'x' })).toEqual({ matches: [], truncated: false });
      const controller = new AbortController();
      const answer = temporary.run('list_files', { recursive: true, pattern: 'none' }, { signal: controller.signal });
      controller.abort();
      expect(await answer).toBe('CANCELLED');
    });

    test('a tree deeper than any path', async () => {
      let path = temporary.root;
      for (let depth = 0; depth < 300; depth += 1) mkdirSync((path = join(path, 'd')));
      writeFileSync(join(path, 'f'), 'x');
      const { entries, truncated } = await list({ recursive: true });
      expect([entries.length, truncated]).toEqual([128, true]);
      expect(await temporary.run('delete_file', { path: 'd' })).toBe('INVALID_PATH');
    });

    test('a sparse file of 10 GB', async () => {
      const sparse = openSync(at('sparse'), 'w');
      ftruncateSync(sparse, 10 * 1024 ** 3);
      closeSync(sparse);
      expect((await list()).entries).toEqual([{ path: 'sparse', type: 'file', size: 10 * 1024 ** 3 }]);
      expect(await temporary.run('search_in_project', { query: 'x' })).toEqual({ matches: [], truncated: false });
      expect(await temporary.run('move_file', { from: 'sparse', to: 'moved' })).toEqual({ success: true });
      expect(await temporary.run('delete_file', { path: 'moved' })).toEqual({ success: true, files_deleted: 1 });
    });

    test('rules that never end', async () => {
      temporary.write('a', 'needle');
      symlinkSync('/dev/zero', at('.gitignore'));
      expect(await temporary.run('search_in_project', { query: 'needle' })).toMatchObject({ matches: [{ path: 'a' }] });
    });
  },
);
