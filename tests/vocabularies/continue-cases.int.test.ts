import { afterEach, expect, test } from 'vitest';
import { eventually, verifies } from '@codelab/testkit';
import { findVocabulary } from '@codelab/vocabularies';
import { execFileSync } from 'node:child_process';
import { readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type Decision, Uses, type UsesOptions } from './run-use.js';

const vocabulary = findVocabulary('continue')!;
const A = 'export const PORT = 8080;\nexport function add(a: number, b: number) {\n  return a + b;\n}\n';

let uses: Uses | undefined;
const start = async (content: string | Buffer, options: Partial<UsesOptions> = {}): Promise<Uses> => {
  uses = await Uses.start({ vocabulary, files: { f: content }, ...options });
  return uses;
};
afterEach(async () => {
  await uses?.stop();
  uses = undefined;
});

const replace = (old_string: string, new_string: string, more: object = {}) =>
  ['single_find_and_replace', { filepath: 'f', old_string, new_string, ...more }] as const;
const edits = (...all: readonly (readonly [string, string])[]) =>
  ['multi_edit', { filepath: 'f', edits: all.map(([old_string, new_string]) => ({ old_string, new_string })) }] as const;
const block = (search: string, put: string, signs = 7): string =>
  `${'-'.repeat(signs)} SEARCH\n${search}${'='.repeat(signs)}\n${put}${'+'.repeat(signs)} REPLACE`;
const blocks = (...diffs: string[]) => ['search_and_replace_in_file', { filepath: 'f', diffs }] as const;

type Step = readonly [tool: string, args: object];

/** What the file is before and after, and what the model reads. No `after`: nothing was written, nobody was asked. */
const CASES: readonly (readonly [what: string, before: string, step: Step, told: string | RegExp, after?: string])[] = [
  [
    verifies('L3:case-1', 'LF in the needle, CRLF in the file'),
    'a\r\nb\r\nc\r\n',
    replace('a\nb', 'x\ny'),
    'Edited f: 1 replacement(s).',
    'x\r\ny\r\nc\r\n',
  ],
  [
    verifies('L3:case-1', 'mixed line ends'),
    'a\r\nb\r\nc\nd\n',
    replace('a\nb', 'x\ny'),
    'Edited f: 1 replacement(s).',
    'x\r\ny\r\nc\nd\n',
  ],
  [
    verifies('L3:case-1', 'the same with blocks'),
    'a\r\nb\r\nc\n',
    blocks(block('a\nb\n', 'x\ny\n')),
    'Edited f: 1 blocks.',
    'x\r\ny\r\nc\n',
  ],
  [verifies('L3:case-2', 'a byte order mark'), '\uFEFFa\nb\n', replace('a', 'x'), 'Edited f: 1 replacement(s).', '\uFEFFx\nb\n'],
  [verifies('L3:case-2', 'the same with blocks'), '\uFEFFa\nb\n', blocks(block('a\n', 'x\n')), 'Edited f: 1 blocks.', '\uFEFFx\nb\n'],
  [
    verifies('L3:case-3', 'trailing blanks in the file'),
    'if\n  a  \n  b\t\n',
    replace('  a\n  b', '  x'),
    'Edited f: 1 replacement(s).\nIt matched apart from indentation at lines 2-3.',
    'if\n  x\n',
  ],
  [
    verifies('L3:case-4', 'signs of replacement patterns'),
    'p',
    replace('p', '$& $1 $$ \\n'),
    'Edited f: 1 replacement(s).',
    '$& $1 $$ \\n',
  ],
  [
    verifies('L3:case-5', 'line numbers in the needle'),
    A,
    replace('3\t  return a + b;', 'x'),
    /^Error: edit 1: old_string was not found in f; nothing was changed\. It has line-number prefixes/,
  ],
  [
    verifies('L3:case-6', 'tabs in the file, spaces in the needle'),
    'f\n\tif\n\t\ta\n',
    replace('  if\n    a', '  if\n    b'),
    'Edited f: 1 replacement(s).\nIt matched apart from indentation at lines 2-3.',
    'f\n\tif\n\t\tb\n',
  ],
  [verifies('L3:case-6', 'no uniform change'), 'f\n\tif\n\t  a\n', replace('  if\n    a', 'x'), /apart from blanks/],
  [
    verifies('L3:case-7', 'decomposed letters in the file'),
    'cafe\u0301\n',
    replace('caf\u00e9', 'x'),
    /Line 1 is equal to it apart from Unicode form/,
  ],
  [
    verifies('L3:case-8', 'overlapping hits'),
    'aaa',
    replace('aa', 'X'),
    'Error: edit 1: old_string occurs 2 times in f (lines 1, 1). Add lines around it, or set replace_all.',
  ],
  [verifies('L3:case-8', 'all of them'), 'aaa', replace('aa', 'X', { replace_all: true }), 'Edited f: 1 replacement(s).', 'Xa'],
  [
    verifies('L3:case-8', 'all of them, with the old in the new'),
    'aa',
    replace('a', 'aa', { replace_all: true }),
    'Edited f: 2 replacement(s).',
    'aaaa',
  ],
  [
    verifies('L3:case-9', 'the same text'),
    'a',
    replace('a', 'a'),
    'Error: edit 1: old_string and new_string are the same; nothing to change',
  ],
  [
    verifies('L3:case-9', 'the same in a block'),
    'a',
    blocks(block('a\n', 'a\n')),
    'Error: edit 1: old_string and new_string are the same; nothing to change',
  ],
  [verifies('L3:case-10', 'an empty old text'), '\uFEFFa\n', replace('', 'x\n'), 'Edited f: 1 replacement(s).', '\uFEFFx\na\n'],
  [verifies('L3:case-10', 'an empty old text in a later edit'), 'a\n', edits(['a', 'b'], ['', 'x']), /^Error: edit 2: old_string is empty/],
  [verifies('L3:case-11', 'an empty new text'), 'a\nb\nc\n', replace('b', ''), 'Edited f: 1 replacement(s).', 'a\n\nc\n'],
  [
    verifies('L3:case-27', 'a divider in the content'),
    'a\n=======\nb\n',
    blocks(block('a\n=======\n', 'x\n')),
    /^Error: diff 1 has a block with 2 dividers/,
  ],
  [
    verifies('L3:case-27', 'a divider in the content, longer marks'),
    'a\n=======\nb\n',
    blocks(block('a\n=======\n', 'x\n', 9)),
    'Edited f: 1 blocks.',
    'x\nb\n',
  ],
  [
    verifies('L3:case-28', 'a block that does not fit'),
    'a\nb\nc\nd\n',
    blocks(block('a\n', 'x\n'), block('b\n', 'y\n'), block('§\n', 'z\n'), block('d\n', 'w\n')),
    'Error: edit 3: old_string was not found in f; nothing was changed.',
  ],
  [
    verifies('L3:case-28', 'a block that fits twice'),
    'a\nb\na\n',
    blocks(block('a\n', 'x\n')),
    /^Error: edit 1: old_string occurs 2 times in f \(lines 1, 3\)/,
  ],
  [
    verifies('L3:case-28', 'half a line'),
    'abc\n',
    blocks(block('b\n', 'x\n')),
    /^Error: edit 1: old_string was not found in f; nothing was changed/,
  ],
  ['all or nothing', 'a\nb\n', edits(['a', 'x'], ['§', 'y']), /^Error: edit 2: /],
];

test.each(CASES.map(([what, before, step, told, after]) => [what, { before, step, told, after }] as const))(
  verifies('L3:edit-cases', 'an edit lands where it was meant, or nothing is touched and the model reads why: %s'),
  async (_what, { before, step: [tool, args], told, after }) => {
    const { use, read, calls } = bound(await start(before));
    const { text, isError = false } = await use(tool, args);
    if (typeof told === 'string') expect(text).toBe(told);
    else expect(text).toMatch(told);
    expect(read('f')).toBe(after ?? before);
    expect(isError).toBe(after === undefined);
    expect(calls.some((call) => call.tool === 'write_file')).toBe(after !== undefined);
  },
);

const bound = (some: Uses) => ({
  use: (tool: string, args: object) => some.use(tool, args),
  read: (path: string) => some.read(path),
  calls: some.calls,
});

test(verifies('L3:case-9', 'what can be told without the file is told without a call'), async () => {
  const { use, calls } = bound(await start('a'));
  const steps: readonly Step[] = [replace('a', 'a'), edits(['b', 'c'], ['a', 'a']), blocks(block('a\n', 'a\n')), blocks('x')];
  for (const step of steps) await use(...step);
  expect(calls).toEqual([]);
});

test.each([replace('', 'x'), replace('a', 'x'), blocks(block('', 'x\n'))])(
  verifies('L3:case-10', 'a missing file is never created: %s'),
  async (tool, args) => {
    const { use } = bound(await start('a'));
    expect(await use(tool, { ...args, filepath: 'none' })).toEqual({ text: 'Error: no file at none', isError: true });
  },
);

test(verifies('L3:case-14', 'a file that changed while the approval waited is not overwritten, and nothing is tried again'), async () => {
  const decide = (): Decision => void uses!.write('f', 'a\nchanged\n');
  const { use, read, calls } = bound(await start('a\n', { decide }));
  expect((await use(...replace('a', 'x'))).text).toMatch(/^Error \[CONFLICT\]: /);
  expect(read('f')).toBe('a\nchanged\n');
  expect(calls.map(({ tool }) => tool)).toEqual(['read_file', 'write_file']);
});

test(verifies('L3:case-14', 'without a question it is tried once more, from the fresh content'), async () => {
  let writes = 0;
  const some = await start('a\nb\n');
  const run = some.workspace.run.bind(some.workspace);
  some.workspace.run = (tool, args, options) => {
    if (tool === 'write_file' && (writes += 1) === 1) some.write('f', 'a\nB\n');
    return run(tool, args, options);
  };
  expect(await some.use(...replace('a', 'x'))).toMatchObject({ text: 'Edited f: 1 replacement(s).' });
  expect(some.read('f')).toBe('x\nB\n');
});

test(verifies('L3:case-14', 'a file that came to be while the approval waited is not overwritten'), async () => {
  const decide = (): Decision => void writeFileSync(join(uses!.root, 'new'), 'theirs');
  const { use, read } = bound(await start('a', { decide }));
  expect(await use('create_new_file', { filepath: 'new', contents: 'x' })).toEqual({
    text: 'Error: new exists already; use an edit tool',
    isError: true,
  });
  expect(read('new')).toBe('theirs');
});

test(verifies('L3:case-15', 'the second edit is made on the result of the first; if that is denied, on the old file'), async () => {
  let denials = 0;
  const decide = (): Decision => ((denials -= 1) >= 0 ? { deny: 'no' } : undefined);
  const { use, read } = bound(await start('a\n', { decide }));
  denials = 1;
  expect((await use(...replace('a', 'b'))).text).toBe('Error [DENIED_BY_USER]: no');
  expect((await use(...replace('b', 'c'))).text).toMatch(/^Error: edit 1: old_string was not found/);
  await use(...replace('a', 'b'));
  await use(...replace('b', 'c'));
  expect(read('f')).toBe('c\n');
});

test('rule 8: what the user changed before it was written is told', async () => {
  const decide = ({ args }: { args: object }): Decision => ({ args: { ...args, content: 'mine\nb\n' } });
  const { use, read } = bound(await start('a\nb\n', { decide }));
  expect((await use(...replace('a', 'x'))).text).toBe(
    'Edited f: 1 replacement(s).\nThe user changed the content before it was written.\n1\tmine',
  );
  expect(read('f')).toBe('mine\nb\n');
});

test(verifies('L3:case-19', 'what is no text is no text'), async () => {
  const { use } = bound(await start(Buffer.from([0x89, 0x50, 0x4e, 0x47, 0xff, 0, 1])));
  execFileSync('mkfifo', [join(uses!.root, 'pipe')]);
  uses!.write('empty', '');
  expect((await use('read_file', { filepath: 'f' })).text).toMatch(/^Error \[ENCODING_ERROR\]: /);
  expect((await use('read_file', { filepath: 'pipe' })).text).toMatch(/^Error \[INVALID_PATH\]: /);
  expect((await use('read_file', { filepath: '.' })).text).toBe('Error: . is a directory; use ls');
  expect(await use('read_file', { filepath: 'empty' })).toMatchObject({ text: '(empty is empty)', items: [{ content: '' }] });
});

test(verifies('L3:case-20', 'paths outside of the workspace are refused, and links are not written through'), async () => {
  const { use } = bound(await start('a\n'));
  const { root } = uses!;
  const outside = join(root, '..', 'outside');
  writeFileSync(outside, 'a\n');
  symlinkSync(join(root, 'f'), join(root, 'inside'));
  symlinkSync(outside, join(root, 'out'));
  for (const filepath of [`${root}2/f`, `${root}/../app/f`, '~/f', '/etc/passwd', 'file:///etc/passwd']) {
    expect((await use('read_file', { filepath })).text).toMatch(/^Error \[PATH_OUTSIDE_WORKSPACE\]: /);
    expect((await use('create_new_file', { filepath, contents: 'x' })).text).toMatch(/^Error \[PATH_OUTSIDE_WORKSPACE\]: /);
  }
  expect((await use('read_file', { filepath: `file://${root}/f` })).text).toBe('a');
  const [tool, args] = replace('a', 'x');
  expect((await use(tool, { ...args, filepath: 'inside' })).text).toMatch(/^Error \[INVALID_PATH\]: /);
  expect((await use(tool, { ...args, filepath: 'out' })).text).toMatch(/^Error \[PATH_OUTSIDE_WORKSPACE\]: /);
  expect(readFileSync(outside, 'utf8')).toBe('a\n');
});

test(verifies('L3:case-29', 'of two identical edits the second says that the text is not found, which is true'), async () => {
  const { use } = bound(await start('a\n'));
  expect((await use(...replace('a\n', 'x\n'))).text).toBe('Edited f: 1 replacement(s).');
  expect((await use(...replace('a\n', 'x\n'))).text).toMatch(/^Error: edit 1: old_string was not found/);
});

test(verifies('L3:case-30', 'what a filter drops does not come back, and a hostile filter costs no time'), async () => {
  const { use } = bound(await start('a'));
  const command = `echo one; echo two; echo ${'a'.repeat(5_000)}b; sleep 100`;
  await use('run_terminal_command', { command, waitForCompletion: false });
  let shown = '';
  await eventually('the output', async () => {
    shown += (await use('read_terminal_output', { process_id: 'term_1', filter: '^two$|(a+)+$' })).text;
    return shown.includes('two');
  });
  expect(shown).not.toContain('one');
  expect((await use('read_terminal_output', { process_id: 'term_1', filter: '(a' })).text).toMatch(
    /^Error \[INVALID_ARGUMENTS\]: filter: /,
  );
  expect((await use('read_terminal_output', { process_id: 'term_1' })).text).not.toContain('one');
});
