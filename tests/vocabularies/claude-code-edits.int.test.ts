import { afterEach, describe, expect, test } from 'vitest';
import { claudeCode } from '@codelab/vocabularies';
import { verifies } from '@codelab/testkit';
import { execFileSync } from 'node:child_process';
import { readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Uses, type UsesOptions } from './run-use.js';

let uses: Uses;
const start = async (content: string, options: Partial<UsesOptions> = {}): Promise<void> => {
  uses = await Uses.start({ vocabulary: claudeCode, files: { f: content }, ...options });
  await uses.use('Read', { file_path: 'f' });
};
afterEach(() => uses.stop());

const edit = async (old_string: string, new_string: string, more: object = {}) =>
  uses.use('Edit', { file_path: 'f', old_string, new_string, ...more });
const content = (): string => uses.read('f');

interface Case {
  readonly name: string;
  readonly file: string;
  readonly from: string;
  readonly to: string;
  readonly more?: object;
  /** The file afterwards. */
  readonly becomes?: string;
  /** What the refusal says. */
  readonly says?: RegExp;
}

const CASES: readonly Case[] = [
  {
    name: verifies('L3:case-1', 'LF needle in a CRLF file'),
    file: 'a\r\nb\r\nc\r\n',
    from: 'a\nb',
    to: 'x\ny',
    becomes: 'x\r\ny\r\nc\r\n',
  },
  {
    name: verifies('L3:case-1', 'LF needle in mixed line ends'),
    file: 'a\nb\r\nc\r\nd\n',
    from: 'b\nc',
    to: 'x\ny',
    becomes: 'a\nx\r\ny\r\nd\n',
  },
  {
    name: verifies('L3:case-2', 'byte order mark, edit of line 1'),
    file: '\uFEFFone\ntwo\n',
    from: 'one',
    to: 'uno',
    becomes: '\uFEFFuno\ntwo\n',
  },
  { name: verifies('L3:case-3', 'trailing blanks'), file: 'a  \nb\nc\n', from: 'a\nb', to: 'x', says: /not found .*apart from blanks/ },
  { name: verifies('L3:case-4', 'nothing is interpreted'), file: 'a\n', from: 'a', to: '$& $1 $$ \\n', becomes: '$& $1 $$ \\n\n' },
  { name: verifies('L3:case-5', 'line-number prefixes'), file: 'one\ntwo\n', from: '1\tone', to: 'x', says: /line-number prefixes/ },
  {
    name: verifies('L3:case-6', 'tabs and spaces'),
    file: '\tif (a) {\n\t\tb;\n\t}\n',
    from: '    if (a) {\n        b;',
    to: 'x',
    says: /not found/,
  },
  { name: verifies('L3:case-7', 'Unicode form'), file: 'caf\u0065\u0301\n', from: 'caf\u00e9', to: 'x', says: /Unicode form/ },
  { name: verifies('L3:case-8', 'overlapping hits'), file: 'aaa\n', from: 'aa', to: 'X', says: /occurs 2 times/ },
  {
    name: verifies('L3:case-8', 'replace_all goes left to right once'),
    file: 'aaa\n',
    from: 'aa',
    to: 'X',
    more: { replace_all: true },
    becomes: 'Xa\n',
  },
  {
    name: verifies('L3:case-8', 'replace_all with itself inside'),
    file: 'ab ab\n',
    from: 'ab',
    to: 'abab',
    more: { replace_all: true },
    becomes: 'abab abab\n',
  },
  { name: verifies('L3:case-11', 'an emptied line stays'), file: 'a\nb\nc\n', from: 'b', to: '', becomes: 'a\n\nc\n' },
  { name: verifies('L3:case-10', 'empty old_string in a file with text'), file: 'a\n', from: '', to: 'x', says: /exists already/ },
  { name: verifies('L3:case-10', 'empty old_string in an empty file'), file: '', from: '', to: 'x\n', becomes: 'x\n' },
];

describe(verifies('L3:edit-cases', 'Edit lands where it was meant, or touches nothing and says why'), () => {
  test.each(CASES)('$name', async ({ file, from, to, more, becomes, says }) => {
    await start(file);
    const result = await edit(from, to, more);
    expect(content()).toBe(becomes ?? file);
    expect(result.isError ?? false).toBe(says !== undefined);
    if (says !== undefined) expect(result.text).toMatch(says);
  });

  test(verifies('L3:case-9', 'equal texts are refused before anything is read'), async () => {
    await start('a\n');
    const before = uses.calls.length;
    expect((await edit('a', 'a')).text).toBe(`Error: old_string and new_string are the same; nothing to change`);
    expect(uses.calls).toHaveLength(before);
  });

  test(verifies('L3:case-10', 'an empty old_string creates a file that is not there'), async () => {
    await start('a');
    await uses.use('Edit', { file_path: 'new/g', old_string: '', new_string: 'x\n' });
    expect(uses.read('new/g')).toBe('x\n');
  });

  test(verifies('L3:case-12', 'what must have been read: nothing, another range, a cut Read, Bash, a Write after a cut Read'), async () => {
    const long = Array.from({ length: 3_000 }, (_, line) => `line ${String(line)}`).join('\n');
    uses = await Uses.start({ vocabulary: claudeCode, files: { f: long } });
    expect((await edit('line 9\n', 'x\n')).text).toBe(`Error: read ${uses.root}/f before changing it`);
    await uses.use('Bash', { command: 'cat f' });
    expect((await edit('line 9\n', 'x\n')).text).toBe(`Error: read ${uses.root}/f before changing it`);
    await uses.use('Read', { file_path: 'f' });
    expect((await uses.use('Write', { file_path: 'f', content: 'all new' })).isError).toBe(true);
    expect((await edit('line 2999', 'end')).isError).not.toBe(true);
    await uses.use('Read', { file_path: 'f', offset: 5, limit: 2 });
    expect((await edit('line 100\n', 'x\n')).isError).not.toBe(true);
  });

  test(verifies('L3:case-13', 'a file that somebody changed since is not matched, and nobody is asked'), async () => {
    let asked = 0;
    await start('a\n', { decide: () => void (asked += 1) });
    uses.write('f', 'a \n');
    expect((await edit('a', 'x')).text).toBe(`Error: ${uses.root}/f changed after it was read; read it again`);
    expect(asked).toBe(0);
  });

  test(verifies('L3:case-14', 'a file that changed while the question waited is not written, and not tried again'), async () => {
    await start('a\n', { decide: () => uses.write('f', 'changed\n') as undefined });
    const result = await edit('a', 'x');
    expect([result.isError, result.text]).toEqual([true, expect.stringMatching(/^Error \[CONFLICT\]: /)]);
    expect(content()).toBe('changed\n');
    expect(uses.calls.filter(({ tool }) => tool === 'write_file')).toHaveLength(1);
  });

  test(verifies('L3:case-14', 'a file that came to be while the question waited is not overwritten'), async () => {
    await start('a\n', { decide: () => uses.write('new', 'theirs') as undefined });
    const created = [
      await uses.use('Write', { file_path: 'new', content: 'x' }),
      await uses.use('Edit', { file_path: 'new', old_string: '', new_string: 'x' }),
    ];
    for (const { text, isError } of created) expect([isError, text]).toEqual([true, expect.stringMatching(/^Error/)]);
    expect(uses.read('new')).toBe('theirs');
  });

  test(verifies('L3:case-15', 'the second edit is made on the result of the first; if that is denied, on the old file'), async () => {
    const answers = [{ deny: 'no' }];
    await start('a\n', { decide: () => answers.shift() });
    expect((await edit('a', 'b')).text).toBe('Error [DENIED_BY_USER]: no');
    expect((await edit('b', 'c')).text).toMatch(/^Error: old_string was not found/);
    await edit('a', 'b');
    await edit('b', 'c');
    expect(content()).toBe('c\n');
  });

  test(verifies('L3:case-2', 'a Write after it writes exactly what it is given'), async () => {
    await start('\uFEFFone\n');
    await edit('one', 'uno');
    await uses.use('Write', { file_path: 'f', content: 'plain\n' });
    expect(content()).toBe('plain\n');
  });

  test('what the user wrote instead is told', async () => {
    await start('a\nb\n', { decide: ({ args }) => ({ args: { ...args, content: 'x\nuser\n' } }) });
    const { text } = await edit('a', 'x');
    expect(text).toMatch(/\nThe user changed the content before it was written\.\n2\tuser$/);
    expect(content()).toBe('x\nuser\n');
    expect((await edit('user', 'y')).text).toContain('Edited');
  });

  test('a rejected edit reads in the canonical words', async () => {
    await start('a\n', { decide: () => ({ deny: 'no' }) });
    expect((await edit('a', 'x')).text).toMatch(/^Error \[DENIED_BY_USER\]: /);
  });

  test('a client without the additions of 2.1 does the same', async () => {
    await start('a\r\nb\r\n', { without: ['x1', 'x2', 'x3', 'x4', 'x5'] });
    await edit('a\nb', 'x\ny');
    expect(content()).toBe('x\r\ny\r\n');
    expect((await uses.use('Write', { file_path: 'g', content: 'new' })).text).toContain('Created');
    expect((await uses.use('Read', { file_path: 'f', offset: 2 })).text).toBe('2\ty');
    expect((await uses.use('Glob', { pattern: '*' })).text.split('\n')).toHaveLength(2);
    expect((await uses.use('Grep', { pattern: 'y', output_mode: 'content' })).text).toBe(`${uses.root}/f:2:y`);
  });

  test(verifies('L3:case-20', 'what is no path inside'), async () => {
    await start('a\n');
    for (const file_path of [`${uses.root}2/x`, `${uses.root}/../app/f`, '~/x', '/etc/passwd']) {
      expect((await uses.use('Read', { file_path })).text).toMatch(/^Error \[PATH_OUTSIDE_WORKSPACE\]: /);
    }
    expect((await uses.use('Read', { file_path: `file://${uses.root}/f` })).text).toBe('1\ta');
    writeFileSync(join(uses.root, '..', 'outside'), 'a\n');
    symlinkSync(join(uses.root, 'f'), join(uses.root, 'inside'));
    symlinkSync(join(uses.root, '..', 'outside'), join(uses.root, 'out'));
    expect((await uses.use('Read', { file_path: 'inside' })).text).toBe('1\ta');
    const through = async (file_path: string): Promise<string> =>
      (await uses.use('Edit', { file_path, old_string: 'a', new_string: 'x' })).text;
    expect(await through('inside')).toMatch(/^Error \[INVALID_PATH\]: /);
    expect(await through('out')).toMatch(/^Error \[PATH_OUTSIDE_WORKSPACE\]: /);
    expect((await uses.use('Write', { file_path: 'out', content: 'x' })).text).toMatch(/^Error \[PATH_OUTSIDE_WORKSPACE\]: /);
    expect([content(), readFileSync(join(uses.root, '..', 'outside'), 'utf8')]).toEqual(['a\n', 'a\n']);
  });

  test(verifies('L3:case-19', 'what can not be read as text'), async () => {
    await start('');
    uses.write('b.bin', Buffer.from([0, 1, 2, 255]));
    uses.write(
      'p.png',
      Buffer.from('iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==', 'base64'),
    );
    execFileSync('mkfifo', [join(uses.root, 'pipe')]);
    expect((await uses.use('Read', { file_path: 'f' })).text).toBe(`(${uses.root}/f is empty)`);
    expect((await uses.use('Read', { file_path: '.' })).text).toBe(`Error: ${uses.root} is a directory`);
    expect((await uses.use('Read', { file_path: 'pipe' })).text).toMatch(/^Error \[INVALID_PATH\]: /);
    expect((await uses.use('Read', { file_path: 'b.bin' })).text).toMatch(/^Error \[ENCODING_ERROR\]: /);
    const image = await uses.use('Read', { file_path: 'p.png' });
    if (uses.workspace.tools.includes('media.read')) expect(image.images).toMatchObject([{ mediaType: 'image/png' }]);
    else expect(image.text).toMatch(/^Error \[ENCODING_ERROR\]: /);
  });
});
