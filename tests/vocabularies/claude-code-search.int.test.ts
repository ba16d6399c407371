import { afterEach, describe, expect, test } from 'vitest';
import { claudeCode } from '@codelab/vocabularies';
import { verifies } from '@codelab/testkit';
import { utimesSync } from 'node:fs';
import { Uses, type UsesOptions } from './run-use.js';

let uses: Uses;
const start = async (files: Readonly<Record<string, string>>, options: Partial<UsesOptions> = {}): Promise<void> => {
  uses = await Uses.start({ vocabulary: claudeCode, files, ...options });
};
afterEach(() => uses.stop());

const said = async (name: string, args: object): Promise<string> => {
  const { text, isError = false } = await uses.use(name, args);
  return (isError ? '! ' : '') + text.replaceAll(uses.root, 'R');
};
/** Sets when files were changed last: the first of them is the oldest. */
const age = (...paths: readonly string[]): void => {
  for (const [place, path] of paths.entries()) utimesSync(`${uses.root}/${path}`, 1_000 + place, 1_000 + place);
};

const IGNORED = {
  '.gitignore': 'node_modules\n*.log\n',
  'node_modules/p/a.js': 'needle\n',
  'src/a.ts': 'needle\n',
  'src/a.log': 'needle\n',
};

describe(verifies('L3:vocabulary-claude-code', 'each tool of claude-code answers as documented'), () => {
  test('Glob gives what was changed last first, ignored files too, .git never', async () => {
    await start({ ...IGNORED, '.git/HEAD': 'x', '.git/a.js': 'x', 'b.js': 'x' });
    age('b.js', 'node_modules/p/a.js');
    expect(await said('Glob', { pattern: '**/*.js' })).toBe('R/node_modules/p/a.js\nR/b.js');
    age('node_modules/p/a.js', 'b.js');
    expect(await said('Glob', { pattern: '**/*.js' })).toBe('R/b.js\nR/node_modules/p/a.js');
  });

  test('Glob gives 100 paths and tells how many there are', async () => {
    await start(Object.fromEntries(Array.from({ length: 103 }, (_, place) => [`f${String(place)}.txt`, ''])));
    const lines = (await said('Glob', { pattern: '*.txt' })).split('\n');
    expect([lines.length, lines.at(-1)]).toEqual([101, '[first 100 of 103]']);
  });

  test.each([
    [{ path: 'src' }, 'R/src/a.ts'],
    [{}, 'R/src/a.ts'],
    [{ path: '.' }, 'R/src/a.ts'],
    [{ path: 'node_modules' }, 'R/node_modules/p/a.js'],
    [{ path: 'src/a.log' }, 'R/src/a.log'],
    [{ glob: '!*.ts' }, 'No matches found'],
    [{ type: 'js' }, 'No matches found'],
  ])('Grep honours .gitignore unless the path itself is named: %j', async (args, text) => {
    await start(IGNORED);
    expect(await said('Grep', { pattern: 'needle', ...args })).toBe(text);
  });

  test('Grep gives the newest file first, and goes on from an offset', async () => {
    await start({ 'a.txt': 'x', 'b.txt': 'x', 'c.txt': 'x' });
    age('c.txt', 'a.txt', 'b.txt');
    expect(await said('Grep', { pattern: 'x', head_limit: 0 })).toBe('R/b.txt\nR/a.txt\nR/c.txt');
    expect(await said('Grep', { pattern: 'x', head_limit: 2 })).toBe('R/b.txt\nR/a.txt\n[2 of 3; offset 2 goes on]');
    expect(await said('Grep', { pattern: 'x', head_limit: 5_000, offset: 2 })).toBe('R/c.txt');
    expect(await said('Grep', { pattern: 'x', output_mode: 'count', head_limit: 1 })).toBe(
      'R/a.txt:1\n[1 of 3; offset 1 goes on]\n3 lines in 3 files',
    );
  });

  test('Grep parts groups of lines by --, and shows no line twice', async () => {
    await start({ f: ['hit', 'a', 'hit', 'b', 'c', 'd', 'e', 'hit'].join('\n') });
    const content = { pattern: 'hit', output_mode: 'content' };
    expect(await said('Grep', { ...content, '-A': 0, '-B': 1 })).toBe('R/f:1:hit\nR/f-2-a\nR/f:3:hit\n--\nR/f-7-e\nR/f:8:hit');
    expect(await said('Grep', { ...content, '-n': false })).toBe('R/f:hit\nR/f:hit\nR/f:hit');
    expect(await said('Grep', { pattern: 'c.d', output_mode: 'content', multiline: true })).toBe('R/f:5:c\nR/f:6:d');
    expect(await said('Grep', { pattern: 'c.d', output_mode: 'content', multiline: true, '-o': true })).toBe('R/f:5:c\nd');
  });

  test('Grep cuts at 60,000 characters, and counts what it showed', async () => {
    await start({ f: `${'y'.repeat(400)}\n`.repeat(1_000) });
    const text = await said('Grep', { pattern: 'y', output_mode: 'content', head_limit: 0 });
    const shown = text.split('\n').length - 1;
    expect(text.length).toBeLessThan(60_100);
    expect(text.split('\n').at(-1)).toBe(`[${String(shown)} of 1000; offset ${String(shown)} goes on]`);
  });

  test('Grep of a client without regular expressions', async () => {
    await start({ 'a.ts': 'x y\nx\nx\n', 'b.js': 'x' }, { without: ['x4'] });
    const plain = { pattern: 'x', glob: '*.ts' };
    expect(await said('Grep', plain)).toBe('R/a.ts');
    expect(await said('Grep', { ...plain, output_mode: 'count' })).toBe('R/a.ts:3\n3 lines in 1 files');
    expect(await said('Grep', { ...plain, output_mode: 'content', head_limit: 1, offset: 1 })).toBe(
      'R/a.ts:2:x\n[1 of 3; offset 2 goes on]',
    );
    expect(await said('Grep', { ...plain, type: 'js' })).toMatch(/^! Error \[INVALID_ARGUMENTS\]: type: /);
    expect(await said('Grep', { pattern: 'x.*y' })).toMatch(/^! Error \[INVALID_ARGUMENTS\]: pattern: /);
  });
});
