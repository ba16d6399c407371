import { afterEach, describe, expect, test } from 'vitest';
import { textEditor } from '@codelab/vocabularies';
import { verifies } from '@codelab/testkit';
import { symlinkSync } from 'node:fs';
import { Uses, type UsesOptions } from './run-use.js';

let uses: Uses;
const start = async (content: string | Buffer, options: Partial<UsesOptions> = {}): Promise<void> => {
  uses = await Uses.start({ vocabulary: textEditor, files: { f: content }, ...options });
};
afterEach(() => uses.stop());

const said = async (name: string, args: object): Promise<string> => {
  const { text, isError = false } = await uses.use(name, args);
  return (isError ? '! ' : '') + text.replaceAll(uses.root, 'R');
};
const edit = (command: string, args: object, path = 'f'): Promise<string> =>
  said('str_replace_based_edit_tool', { command, path, ...args });

const NO_MATCH = '! Error: No match found for replacement. Please check your text and try again.';
const DONE = 'Successfully replaced text at exactly one location.';

describe(verifies('L3:edit-cases', 'an edit lands where it was meant, or nothing is touched and the model reads why'), () => {
  test.each<[name: string, file: string, from: string, to: string | undefined, text: string, becomes?: string]>([
    [verifies('L3:case-1', 'LF needle in a CRLF file'), 'a\r\nb\r\nc\r\n', 'a\nb', 'x\ny', DONE, 'x\r\ny\r\nc\r\n'],
    [verifies('L3:case-1', 'LF needle in mixed line ends'), 'a\nb\r\nc\r\nd\n', 'b\nc', 'x\ny', DONE, 'a\nx\r\ny\r\nd\n'],
    [verifies('L3:case-2', 'byte order mark'), '\uFEFFone\ntwo\n', 'one', 'uno', DONE, '\uFEFFuno\ntwo\n'],
    [verifies('L3:case-3', 'trailing blanks'), 'a  \nb\n', 'a\nb', 'x', NO_MATCH],
    [verifies('L3:case-4', 'nothing is interpreted'), 'a\n', 'a', '$& $1 $$ \\n', DONE, '$& $1 $$ \\n\n'],
    [verifies('L3:case-5', 'line-number prefixes'), 'one\n', '1: one', 'x', NO_MATCH],
    [verifies('L3:case-6', 'tabs and spaces'), '\tif (a) {\n', '    if (a) {', 'x', NO_MATCH],
    [verifies('L3:case-7', 'Unicode form'), 'caf\u0065\u0301\n', 'caf\u00e9', 'x', NO_MATCH],
    [
      ...([verifies('L3:case-8', 'overlapping hits'), 'aaa\n', 'aa', 'X'] as const),
      '! Error: Found 2 matches for replacement text. Please provide more context to make a unique match.',
    ],
    [verifies('L3:case-9', 'equal texts'), 'a\n', 'a', 'a', '! Error: old_str and new_str are the same; nothing to change'],
    [verifies('L3:case-11', 'an emptied line stays'), 'a\nb\nc\n', 'b', undefined, DONE, 'a\n\nc\n'],
  ])('%s', async (_name, file, old_str, new_str, text, becomes = file) => {
    await start(file);
    expect(await edit('str_replace', { old_str, new_str })).toBe(text);
    expect(uses.read('f')).toBe(becomes);
  });

  test(
    verifies('L3:case-15', 'an edit that was denied leaves the next one the old text; what the user wrote instead is told'),
    async () => {
      const answers = [{ deny: 'no' }, undefined, { args: { path: 'f', content: 'theirs\n' } }];
      await start('a\n', { decide: () => answers.shift() });
      expect(await edit('str_replace', { old_str: 'a', new_str: 'b' })).toMatch(/^! Error \[DENIED_BY_USER\]: /);
      expect(await edit('str_replace', { old_str: 'b', new_str: 'c' })).toBe(NO_MATCH);
      expect(await edit('str_replace', { old_str: 'a', new_str: 'b' })).toBe(DONE);
      expect(await edit('str_replace', { old_str: 'b', new_str: 'c' })).toBe(
        `${DONE}\nThe user changed the content before it was written.\n1\ttheirs`,
      );
    },
  );

  test(verifies('L3:case-14', 'a file that changed while the question waited is not written'), async () => {
    await start('a\n', { decide: () => uses.write('f', 'changed\n') as undefined });
    expect(await edit('str_replace', { old_str: 'a', new_str: 'x' })).toMatch(/^! Error \[CONFLICT\]: /);
    expect(uses.read('f')).toBe('changed\n');
  });

  test(verifies('L3:case-10', 'an empty old_str is refused'), async () => {
    await start('a\n');
    expect(await edit('str_replace', { old_str: '', new_str: 'x' })).toMatch(/^! Error/);
    expect(uses.read('f')).toBe('a\n');
  });

  test(verifies('L3:case-19', 'what is no text file inside'), async () => {
    await start('', { files: { f: '', 'b.bin': Buffer.from([0, 255, 1]) } });
    symlinkSync('/etc', `${uses.root}/out`);
    await uses.use('bash', { command: 'mkfifo pipe' });
    expect(await edit('view', {}, 'b.bin')).toMatch(/^! Error \[ENCODING_ERROR\]: /);
    expect(await edit('view', {}, 'pipe')).toMatch(/^! Error \[INVALID_PATH\]: /);
    expect(await edit('create', { file_text: 'x' }, 'out/codelab')).toMatch(/^! Error( \[(PATH_OUTSIDE_WORKSPACE|INVALID_PATH)\])?: /);
    for (const path of [`${uses.root}2/x`, `${uses.root}/../app/f`, '~/x', '/etc/passwd']) {
      expect(await edit('view', {}, path)).toMatch(/^! Error \[PATH_OUTSIDE_WORKSPACE\]: /);
    }
  });
});

describe(verifies('L3:vocabulary-text-editor', 'each command of text-editor answers as documented'), () => {
  test('bash in a shell that lasts', async () => {
    await start('', { files: { 'src/a.ts': '', 'src/b.ts': '' } });
    expect(uses.workspace.tools).toContain('shell.exec');
    expect(await said('bash', { command: 'cd src && ls' })).toBe('a.ts\nb.ts');
    expect(await said('bash', { command: 'A=1; pwd' })).toBe('R/src');
    expect(await said('bash', { command: 'echo "$A"; (exit 3)' })).toBe('! 1\n[exit code 3]');
    expect(await said('bash', { restart: true })).toBe('Shell restarted.');
    expect(await said('bash', { command: 'pwd; echo "[$A]"' })).toBe('R\n[]');
    expect(await said('bash', { restart: 'true', command: 'true' })).toBe('(no output)');
    await said('bash', { command: 'exit 0' });
    expect(await said('bash', { command: 'echo back' })).toBe('[shell was restarted]\nback');
  });
});
