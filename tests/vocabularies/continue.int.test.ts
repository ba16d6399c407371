import { afterEach, beforeEach, expect, test } from 'vitest';
import { eventually, verifies } from '@codelab/testkit';
import { findVocabulary } from '@codelab/vocabularies';
import { execFileSync } from 'node:child_process';
import { Uses, type UsesOptions } from './run-use.js';

const vocabulary = findVocabulary('continue')!;
const A = 'export const PORT = 8080;\nexport function add(a: number, b: number) {\n  return a + b;\n}\n';
const B = "import { add } from './a';\nconsole.log(add(1, 2));\n";

let uses: Uses;
const start = async (options: Partial<UsesOptions> = {}): Promise<void> => {
  await uses?.stop();
  uses = await Uses.start({ vocabulary, files: { 'src/a.ts': A, 'src/b.ts': B }, ...options });
};
beforeEach(() => start());
afterEach(() => uses.stop());

const told = async (name: string, args: object | string): Promise<string> => (await uses.use(name, args)).text;

const LAZY = '// ... existing code ...\nexport function add(a: number, b: number, c = 0) {\n  return a + b + c;\n}';
const BLOCK = '------- SEARCH\n  return a + b;\n=======\n  return b + a;\n+++++++ REPLACE';

test.each<[string, object, string | RegExp]>([
  ['read_file', { filepath: 'src/b.ts' }, B.trimEnd()],
  ['read_file', { path: 'src/b.ts' }, B.trimEnd()],
  ['read_file', { filepath: 'src/c.ts' }, 'Error: no file at src/c.ts; nearest name: src/a.ts'],
  ['read_file', { filepath: 'nothing.md' }, 'Error: no file at nothing.md'],
  ['read_file', { filepath: 'src' }, 'Error: src is a directory; use ls'],
  ['read_file', { filepath: '../x' }, /^Error \[PATH_OUTSIDE_WORKSPACE\]: /],
  ['read_file_range', { filepath: 'src/a.ts', startLine: '3', endLine: 99 }, '  return a + b;\n}'],
  ['read_file_range', { filepath: 'src/a.ts', startLine: 5, endLine: 9 }, "Error: lines 5-9 don't fit src/a.ts (4 lines)"],
  ['read_file_range', { filepath: 'src/a.ts', startLine: 3, endLine: 2 }, 'Error [INVALID_ARGUMENTS]: endLine: 2; expected integer ≥ 3'],
  ['create_new_file', { filepath: 'src/c.json', contents: { a: 1 } }, 'Created src/c.json (7 bytes).'],
  ['create_new_file', { filepath: 'src/a.ts', contents: 'x' }, 'Error: src/a.ts exists already; use an edit tool'],
  ['create_new_file', { filepath: 'src', contents: 'x' }, 'Error: src exists already; use an edit tool'],
  ['create_new_file', { filepath: 'new/empty', contents: '' }, 'Created new/empty (0 bytes).'],
  [
    'edit_existing_file',
    { filepath: 'src/a.ts', changes: LAZY },
    'Edited src/a.ts: +2 -2 lines.\n2: export function add(a: number, b: number, c = 0) {\n3:   return a + b + c;',
  ],
  ['edit_file', { filepath: 'src/none.ts', changes: LAZY }, 'Error: no file at src/none.ts'],
  ['edit_existing_file', { filepath: 'src/a.ts', changes: ' \n' }, 'Error [INVALID_ARGUMENTS]: changes: blank; expected text'],
  ['search_and_replace_in_file', { filepath: 'src/a.ts', diffs: [BLOCK] }, 'Edited src/a.ts: 1 blocks.'],
  ['search_and_replace_in_file', { filepath: 'src/a.ts', diffs: BLOCK }, 'Edited src/a.ts: 1 blocks.'],
  [
    'search_and_replace_in_file',
    { filepath: 'src/a.ts', diffs: ['------- SEARCH\na\n=======\nb'] },
    'Error: diff 1 has no complete SEARCH/REPLACE block',
  ],
  [
    'single_find_and_replace',
    { filepath: 'src/a.ts', old_string: 'return a + b;', new_string: 'return b + a;' },
    'Edited src/a.ts: 1 replacement(s).',
  ],
  [
    'single_find_and_replace',
    { filepath: 'src/a.ts', old_string: 'x', new_string: 'x' },
    'Error: edit 1: old_string and new_string are the same; nothing to change',
  ],
  [
    'single_find_and_replace',
    { filepath: 'src/a.ts', old_string: 'number', new_string: 'bigint' },
    'Error: edit 1: old_string occurs 2 times in src/a.ts (lines 2, 2). Add lines around it, or set replace_all.',
  ],
  [
    'multi_edit',
    {
      filepath: 'src/a.ts',
      edits: [
        { old_string: '8080', new_string: '9090' },
        { old_string: 'add', new_string: 'sum', replace_all: true },
      ],
    },
    'Edited src/a.ts: 2 replacements in 2 edits.',
  ],
  ['multi_edit', { filepath: 'src/a.ts', edits: [] }, 'Error [INVALID_ARGUMENTS]: edits: 0 items; expected 1-100'],
  [
    'multi_edit',
    {
      filepath: 'src/a.ts',
      edits: [
        { old_string: '8080', new_string: '9090' },
        { old_string: 'a - b', new_string: 'x' },
      ],
    },
    'Error: edit 2: old_string was not found in src/a.ts; nothing was changed. Most similar line 3:   return a + b;',
  ],
  [
    'grep_search',
    { query: '8080' },
    './src/a.ts\n1: export const PORT = 8080;\n2: export function add(a: number, b: number) {\n3:   return a + b;',
  ],
  ['grep_search', { pattern: 'ADD\\(', filePattern: 'b.*' }, "./src/b.ts\n1: import { add } from './a';\n2: console.log(add(1, 2));"],
  ['grep_search', { query: 'nowhere' }, 'No matches.'],
  ['grep_search', { query: 'a(b' }, /^Error \[INVALID_ARGUMENTS\]: /],
  ['file_glob_search', { pattern: '*.rs' }, 'No files match *.rs.'],
  ['glob_search', { pattern: 'src/**/*.ts' }, 'src/a.ts\nsrc/b.ts'],
  ['ls', { dirPath: 'src' }, 'a.ts\nb.ts'],
  ['ls', {}, 'src/'],
  ['ls', { path: '.', recursive: 'TRUE' }, 'src/\nsrc/a.ts\nsrc/b.ts'],
  ['ls', { dirPath: 'nope' }, 'Error: no file at nope'],
  ['run_terminal_command', { command: "printf '12 passing\\n'" }, '12 passing\n[Status: completed]'],
  ['run_terminal_command', { command: 'exit 3' }, '[Status: failed with exit code 3]'],
  ['run_terminal_command', { command: 'pwd', workingDirectory: 'src' }, /\/src\n\[Status: completed\]$/],
  ['run_terminal_command', { command: 'ls', workingDirectory: '../..' }, /^Error \[PATH_OUTSIDE_WORKSPACE\]/],
  ['read_terminal_output', { process_id: 'term_9' }, 'Error: no background command term_9'],
  ['stop_terminal', { process_id: 'term_9' }, 'Error: no background command term_9'],
  ['create_rule_block', { name: 'No any', rule: 'Never use any.' }, 'Rule saved: .codelab/rules/no-any.md'],
  ['request_rule', { name: 'x' }, 'Error: no rule "x"; there are none in .codelab/rules'],
  ['read_skill', { skillName: 'x' }, 'Error: no skill "x"; there are none in .codelab/skills'],
])(verifies('L3:vocabulary-continue', 'each tool of continue answers as documented: %s %j'), async (name, args, text) => {
  if (typeof text === 'string') expect(await told(name, args)).toBe(text);
  else expect(await told(name, args)).toMatch(text);
});

test('a lazy edit that fits two places is refused', async () => {
  uses.write('src/two.ts', `${A}${A}`);
  expect(await told('edit_existing_file', { filepath: 'src/two.ts', changes: LAZY })).toMatch(
    /^Error: can't place the change at "export function add\([^"]*" in src\/two\.ts: it fits 2 places\. Nothing was changed; use multi_edit or/,
  );
  expect(uses.read('src/two.ts')).toBe(`${A}${A}`);
});

test('edits change the file as the answers say', async () => {
  await told('search_and_replace_in_file', { filepath: 'src/a.ts', diffs: [BLOCK] });
  await told('multi_edit', {
    filepath: `${uses.root}/src/a.ts`,
    edits: [
      { old_string: '', new_string: '// port\n' },
      { old_string: '8080', new_string: '9090' },
    ],
  });
  expect(uses.read('src/a.ts')).toBe(`// port\n${A.replace('8080', '9090').replace('a + b', 'b + a')}`);
});

test('a command in the background is read on, and stopped', async () => {
  const command = 'echo one; echo two; sleep 100';
  expect(await told('run_terminal_command', { command, waitForCompletion: 'FALSE' })).toBe('[Status: running in the background as term_1]');
  let text = '';
  await eventually('the output', async () => {
    text += await told('read_terminal_output', { process_id: 'term_1' });
    return text.includes('two');
  });
  expect(text).toMatch(/^status: running\n\none\n/);
  expect(await told('read_terminal_output', { process_id: 'term_1' })).toBe('status: running\n\n(no new output)');
  expect(await told('stop_terminal', { process_id: 'term_1' })).toBe('Stopped term_1.');
  expect(await told('run_terminal_command', { command: 'exit 2', waitForCompletion: false })).toContain('term_2');
  await eventually('the end', async () => (await told('read_terminal_output', { process_id: 'term_2' })).includes('status: failed'));
  expect(await told('read_terminal_output', { process_id: 'term_2' })).toBe('status: failed\nexit_code: 2\n\n(no new output)');
  expect(await told('stop_terminal', { process_id: 'term_2' })).toBe('term_2 had ended (exit code 2).');
});

test('rules that were created are found by their names', async () => {
  await told('create_rule_block', { name: 'No any', rule: 'Never use any.', globs: '**/*.ts' });
  expect(uses.read('.codelab/rules/no-any.md')).toBe('---\nname: No any\nglobs: "**/*.ts"\n---\n\nNever use any.\n');
  expect(await told('create_rule_block', { name: 'no ANY', rule: 'x' })).toBe(
    'Error: .codelab/rules/no-any.md exists already; use an edit tool',
  );
  expect(await told('request_rule', { name: 'no any' })).toBe('Never use any.');
  expect(await told('request_rule', { name: 'x' })).toBe('Error: no rule "x"; there are: No any');
  uses.write('.codelab/skills/review/SKILL.md', '---\nname: review\n---\nLook twice.');
  expect(await told('read_skill', { skillName: 'review' })).toBe('Look twice.');
});

test('the diff has what is staged, then what is not', async () => {
  const git = (...args: string[]): void =>
    void execFileSync('git', ['-c', 'user.name=a', '-c', 'user.email=a@b', ...args], { cwd: uses.root });
  git('init', '-q');
  git('add', '.');
  git('commit', '-qm', 'x');
  expect(await told('view_diff', {})).toBe('No changes.');
  uses.write('src/a.ts', A.replace('8080', '9090'));
  git('add', 'src/a.ts');
  uses.write('src/b.ts', `${B}x\n`);
  expect((await told('view_diff', {})).match(/^\+[^+].*$/gm)).toEqual(['+export const PORT = 9090;', '+x']);
});

test('tools that a client or the runtime has beside the 18 are shown if they are there', async () => {
  const png = Buffer.from('png').toString('base64');
  const open = { path: 'src/a.ts', content: A, dirty: false };
  const hit = { path: 'src/a.ts', start_line: 2, end_line: 4, text: 'export function add…\n', score: 1 };
  const outputs = [
    { type: 'stdout', text: 'hi\n' },
    { type: 'text/plain', text: '2' },
    { type: 'image/png', data: png },
  ];
  await start({
    executors: {
      'editor.open_file': () => ({ ok: true, result: open }),
      'index.search': () => ({ ok: true, result: { hits: [hit] } }),
      'index.map': ({ path }) => ({ ok: true, result: { text: `${path as string}/a.ts: PORT, add(a, b)\n` } }),
      'kernel.execute': ({ code }) => ({
        ok: true,
        result: code === 'x' ? { outputs: [], error: { name: 'NameError', value: "name 'x' is not defined" } } : { outputs },
      }),
    },
  });
  expect(await told('read_currently_open_file', {})).toBe(`src/a.ts\n${A.trimEnd()}`);
  expect(await told('codebase', { query: 'addition' })).toBe('src/a.ts:2-4\nexport function add…');
  expect(await told('view_subdirectory', { directory_path: 'src' })).toBe('src/a.ts: PORT, add(a, b)');
  expect(await uses.use('run_cell', { code: '1+1' })).toMatchObject({ text: 'hi\n2', images: [{ mediaType: 'image/png', data: png }] });
  expect(await told('run_cell', { code: 'x' })).toBe("NameError: name 'x' is not defined");
  await start({ executors: { 'editor.open_file': () => ({ ok: true, result: { dirty: false } }) } });
  expect(await told('read_currently_open_file', {})).toBe('No file is open.');
});

test('a client of an older version is asked for no more than it knows', async () => {
  await start({ without: ['x1', 'x2', 'x3', 'x4', 'x5', 'process.output'] });
  expect(await told('read_file_range', { filepath: 'src/a.ts', startLine: 3, endLine: 9 })).toBe('  return a + b;\n}');
  expect(await told('create_new_file', { filepath: 'c', contents: 'x' })).toBe('Created c (1 bytes).');
  expect(await told('create_rule_block', { name: 'n', rule: 'x' })).toBe('Rule saved: .codelab/rules/n.md');
  expect(await told('grep_search', { query: '8080' })).toBe('./src/a.ts\n1: export const PORT = 8080;');
  expect(await told('grep_search', { query: '80.80' })).toMatch(/^Error \[INVALID_ARGUMENTS\]: query: a regular expression/);
  expect(await told('ls', { dirPath: 'src' })).toBe('a.ts\nb.ts');
  expect(await told('run_terminal_command', { command: 'x', waitForCompletion: false })).toMatch(/^Error \[INVALID_ARGUMENTS\]: waitForC/);
  expect(uses.calls.flatMap(({ args }) => Object.keys(args)).filter((name) => /limit|offset|sha|regex|ignored/.test(name))).toEqual([]);
});

test('a result is context items', async () => {
  expect(await uses.use('read_file', { filepath: 'src/b.ts' })).toMatchObject({
    items: [{ name: 'b.ts', description: 'Contents of src/b.ts', content: B.trimEnd(), uri: `file://${uses.root}/src/b.ts` }],
  });
  expect(await uses.use('run_terminal_command', { command: 'echo hi' })).toMatchObject({
    items: [{ name: 'Terminal', description: 'Output of: echo hi', content: 'hi' }],
  });
});

test('long results are cut, and say how to get the rest', async () => {
  uses.write('long.txt', `${'x'.repeat(99)}\n`.repeat(700));
  uses.write('huge.txt', 'y\n'.repeat(1_000_000));
  for (let file = 0; file < 210; file++) uses.write(`many/${String(file)}.md`, `needle ${String(file)}\n`);
  expect(await told('read_file', { filepath: 'long.txt' })).toBe('Error [FILE_TOO_LARGE]: long.txt has 700 lines; use read_file_range');
  expect(await told('read_file', { filepath: 'huge.txt' })).toBe('Error [FILE_TOO_LARGE]: huge.txt has 1000000 lines; use read_file_range');
  expect(await told('read_file_range', { filepath: 'huge.txt', startLine: 999_999, endLine: 1_000_005 })).toBe('y\ny');
  const range = await told('read_file_range', { filepath: 'long.txt', startLine: 11, endLine: 700 });
  expect(range.length).toBeLessThanOrEqual(60_000);
  expect(range).toMatch(/\n\[cut: 598 of 690; read on with startLine 609\]$/);
  expect(await told('ls', { dirPath: 'many' })).toMatch(/\n\[10 more\]$/);
  expect(await told('file_glob_search', { pattern: 'many/*.md' })).toMatch(/\n\[cut: 100 of more; narrow the pattern\]$/);
  const found = await told('grep_search', { query: 'needle' });
  expect(found.length).toBeLessThanOrEqual(7_500);
  expect(found).toMatch(/\n\[cut: 100 of 210; narrow/);
  const output = await told('run_terminal_command', { command: 'seq 1 20000' });
  expect(output.length).toBeLessThan(30_500);
  expect(output).toMatch(
    /^1\n2\n[^]*\n\[cut: \d+ characters left out; all of it: codelab-log:[^\n]*\]\n[^]*\n20000\n\[Status: completed\]$/,
  );
});
