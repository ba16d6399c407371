import { afterEach, describe, expect, test } from 'vitest';
import { verifies } from '@codelab/testkit';
import { textEditor } from '@codelab/vocabularies';
import { Uses, type UsesOptions } from './run-use.js';

const A = 'export const PORT = 8080;\nexport function add(a: number, b: number) {\n  return a + b;\n}\n';
const FILES = { 'src/a.ts': A, 'src/b.ts': "import { add } from './a';\nconsole.log(add(1, 2));\n" };

let uses: Uses;
const start = async (options: Partial<UsesOptions> = {}): Promise<Uses> =>
  (uses = await Uses.start({ vocabulary: textEditor, files: FILES, ...options }));
afterEach(() => uses.stop());

const said = async (name: string, args: object): Promise<string> => {
  const { text, isError = false } = await uses.use(name, args);
  return (isError ? '! ' : '') + text.replaceAll(uses.root, 'R');
};
const edit = (command: string, args: object, path = 'src/a.ts'): Promise<string> =>
  said('str_replace_based_edit_tool', { command, path, ...args });

describe(verifies('L3:vocabulary-text-editor', 'each command of text-editor answers as documented'), () => {
  test('view', async () => {
    await start();
    expect(await edit('view', { view_range: [3, -1] })).toBe('3:   return a + b;\n4: }');
    expect(await edit('view', {}, 'nope.ts')).toBe('! Error: File not found');
    expect(await edit('view', {}, 'src')).toBe('src, two levels, without hidden entries and node_modules:\n88\tsrc/a.ts\n51\tsrc/b.ts');
    expect((await edit('view', {}, `${uses.root}/src/b.ts`)).split('\n')).toHaveLength(2);
  });

  test.each([
    [[2, -1], '2: export function'],
    [[2, 999], '2: export function'],
    [[3, 2], "! Error: view_range [3, 2] doesn't fit src/a.ts (4 lines)"],
    [[0, 2], "! Error: view_range [0, 2] doesn't fit src/a.ts (4 lines)"],
    [[5, -1], "! Error: view_range [5, -1] doesn't fit src/a.ts (4 lines)"],
  ])(verifies('L3:case-18', 'view_range %j'), async (view_range, begin) => {
    for (const without of [[], ['x1', 'x2', 'x3']]) {
      await start({ without });
      const text = await edit('view', { view_range });
      expect(text.startsWith(begin)).toBe(true);
      expect(text.startsWith('!') || text.endsWith('4: }')).toBe(true);
      await uses.stop();
    }
    await start();
    expect(await edit('view', { view_range }, 'src')).toMatch(/^! Error: view_range/);
  });

  test('str_replace', async () => {
    await start();
    expect(await edit('str_replace', { old_str: '8080', new_str: '9090' })).toBe('Successfully replaced text at exactly one location.');
    expect(await edit('str_replace', { old_str: 'number', new_str: 'bigint' })).toBe(
      '! Error: Found 2 matches for replacement text. Please provide more context to make a unique match.',
    );
    expect(await edit('str_replace', { old_str: '3: return', new_str: '' })).toBe(
      '! Error: No match found for replacement. Please check your text and try again.',
    );
    expect(await edit('str_replace', { old_str: 'x', new_str: 'x' })).toBe('! Error: old_str and new_str are the same; nothing to change');
    expect(await edit('str_replace', { old_str: '', new_str: 'x' })).toMatch(/^! Error \[INVALID_ARGUMENTS\]: old_str: empty/);
    expect(await edit('str_replace', { old_str: '  return a + b;\n' })).toContain('Successfully');
    expect(uses.read('src/a.ts')).toBe(A.replace('8080', '9090').replace('  return a + b;\n', ''));
    expect(await edit('str_replace', { old_str: 'a', new_str: 'b' }, 'src')).toBe(
      '! Error: src is a directory; only view works on directories',
    );
  });

  test('create', async () => {
    await start();
    expect(await edit('create', { file_text: 'x\n' }, 'src/deep/c.ts')).toBe('File created successfully at: src/deep/c.ts');
    expect(await edit('create', { file_text: 'y' }, 'src/deep/c.ts')).toBe('! Error: File src/deep/c.ts already exists');
    expect(await edit('create', { file_text: 'y' }, 'src')).toBe('! Error: File src already exists');
    expect(uses.read('src/deep/c.ts')).toBe('x\n');
  });

  test('a file that came to be while the question waited is not replaced', async () => {
    await start({ decide: () => uses.write('new.ts', 'theirs') as undefined });
    expect(await edit('create', { file_text: 'mine' }, 'new.ts')).toBe('! Error: File new.ts already exists');
    expect(uses.read('new.ts')).toBe('theirs');
  });

  test.each([
    ['', 0, 'text', 'text\n'],
    ['a\nb', 2, 'x', 'a\nb\nx'],
    ['a\nb', 2, 'x\n', 'a\nb\nx\n'],
    ['a\r\nb\r\n', 1, 'x\ny', 'a\r\nx\r\ny\r\nb\r\n'],
    ['\uFEFFa\n', 0, 'x\n', '\uFEFFx\na\n'],
    ['a\nb\n', '2', 'x', 'a\nb\nx\n'],
  ])(verifies('L3:case-16', 'insert into %j behind %j'), async (content, insert_line, insert_text, becomes) => {
    await start({ files: { f: content } });
    expect(await edit('insert', { insert_line, insert_text }, 'f')).toBe('The file f has been edited.');
    expect(uses.read('f')).toBe(becomes);
  });

  test(verifies('L3:case-17', 'insert out of range, and by the name of an older version'), async () => {
    await start();
    for (const line of [9, -1, 5]) {
      expect(await edit('insert', { insert_line: line, insert_text: 'x' })).toBe(
        `! Error: Invalid \`insert_line\` parameter: ${String(line)}. It should be within the range of lines of the file: [0, 4]`,
      );
    }
    expect(await edit('insert', { insert_line: 0, new_str: '// port' })).toContain('has been edited');
    expect(uses.read('src/a.ts')).toBe(`// port\n${A}`);
  });

  test('what is no command', async () => {
    await start();
    expect(await edit('undo_edit', {})).toBe(
      '! Error [INVALID_ARGUMENTS]: command: "undo_edit"; expected view, str_replace, create or insert',
    );
    expect(await edit('insert', { insert_line: 1 })).toBe('! Error [INVALID_ARGUMENTS]: insert_text: missing; expected string');
  });

  test('bash without a lasting shell', async () => {
    await start({ without: ['shell.exec'] });
    expect(await said('bash', { command: 'cd src && ls' })).toBe('a.ts\nb.ts');
    expect(await said('bash', { command: 'pwd' })).toBe('R');
    expect(await said('bash', { command: 'echo x; exit 4' })).toBe('! x\n[exit code 4]');
    expect(await said('bash', { restart: true })).toBe('Nothing to restart: every command has a fresh shell.');
    expect(await said('bash', {})).toBe('! Error [INVALID_ARGUMENTS]: command: missing; expected string');
  });
});
