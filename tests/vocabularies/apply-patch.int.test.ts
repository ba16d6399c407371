import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { applyPatch } from '@codelab/vocabularies';
import { Uses } from './run-use.js';

const A = 'export const PORT = 8080;\nexport function add(a: number, b: number) {\n  return a + b;\n}\n';

describe('apply_patch of the vocabulary agent', () => {
  let uses: Uses;
  beforeEach(async () => {
    const vocabulary = { name: 'agent', rows: [applyPatch], etiquette: [] } as const;
    uses = await Uses.start({ vocabulary, files: { 'src/a.ts': A, 'src/b.ts': 'one\r\ntwo\r\n', 'src/c.ts': 'c\n' } });
  });
  afterEach(() => uses.stop());

  const use = async (...lines: readonly string[]): Promise<string> => (await uses.use('apply_patch', { patch: lines.join('\n') })).text;

  test('reads the files side by side and gives one diff to the client', async () => {
    const text = await use(
      ...['--- src/a.ts', '+++ src/a.ts', '@@ -1,9 +1,9 @@', '-export const PORT = 8080;', '+export const PORT = 9090;'],
      ...['--- a/src/b.ts', '+++ b/src/b.ts', '@@', ' one', '+more', ' two'],
      ...['--- /dev/null', '+++ b/src/new.ts', '@@ -0,0 +1,7 @@', '+new', '--- a/src/c.ts', '+++ /dev/null', '@@ -1 +0,0 @@', '-c'],
    );
    expect(text).toBe(
      [
        'Changed src/a.ts (+1 -1 lines)',
        '1\t-export const PORT = 8080;',
        '1\t+export const PORT = 9090;',
        'Changed src/b.ts (+1 -0 lines)',
        '2\t+more',
        'Created src/new.ts (+1 -0 lines)',
        'Deleted src/c.ts (+0 -1 lines)',
      ].join('\n'),
    );
    expect(uses.calls.map(({ tool }) => tool)).toEqual(['read_file', 'read_file', 'read_file', 'apply_patch']);
    expect(uses.calls.at(-1)!.args).toMatchObject({ allow_dirty: true });
    expect(uses.read('src/a.ts')).toBe(A.replace('8080', '9090'));
    expect(uses.read('src/b.ts')).toBe('one\r\nmore\r\ntwo\r\n');
    expect(uses.read('src/new.ts')).toBe('new\n');
    expect(() => uses.read('src/c.ts')).toThrow('ENOENT');
  });

  test('moves a file', async () => {
    await use(
      '*** Begin Patch',
      '*** Update File: src/a.ts',
      '*** Move to: lib/a.ts',
      '@@',
      '-  return a + b;',
      '+  return b + a;',
      '*** End Patch',
    );
    expect(uses.read('lib/a.ts')).toBe(A.replace('a + b', 'b + a'));
    expect(() => uses.read('src/a.ts')).toThrow('ENOENT');
  });

  test('changes nothing where a hunk does not fit, and quotes the nearest lines', async () => {
    const text = await use(
      ...['*** Begin Patch', '*** Update File: src/b.ts', '@@', '-one', '+1'],
      ...[
        '*** Update File: src/a.ts',
        '@@',
        ' export function add(a: number, b: number) {',
        '-  return a - b;',
        '+  return 0;',
        '*** End Patch',
      ],
    );
    expect(text).toBe(
      'Error: hunk 1 of src/a.ts: its lines are not in the file; nothing was changed. The nearest lines of it are:\n' +
        '2\texport function add(a: number, b: number) {\n3\t  return a + b;\n4\t}',
    );
    expect(uses.read('src/b.ts')).toBe('one\r\ntwo\r\n');
    expect(uses.calls.map(({ tool }) => tool)).toEqual(['read_file', 'read_file']);
  });

  test.each([
    [['*** Begin Patch', '*** Update File: ../x', '@@', '-a', '+b'], 'PATH_OUTSIDE_WORKSPACE'],
    [['*** Begin Patch', '*** Update File: src/none.ts', '@@', '-a', '+b'], 'no file at src/none.ts'],
    [['*** Begin Patch', '*** Add File: src/a.ts', '+b'], 'src/a.ts exists already'],
    [['hello'], 'no file is named'],
    [['--- a/src/b.ts', '+++ b/src/b.ts', '@@ @@', ' one', ' two'], 'changes nothing'],
  ])('refuses %j', async (lines, why) => {
    expect(await use(...lines)).toContain(why);
    expect(uses.read('src/a.ts')).toBe(A);
  });
});
