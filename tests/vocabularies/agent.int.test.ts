import { execFileSync } from 'node:child_process';
import { afterEach, describe, expect, test } from 'vitest';
import { verifies } from '@codelab/testkit';
import { agent } from '@codelab/vocabularies';
import { Uses, type UsesOptions } from './run-use.js';

const A = 'export const PORT = 8080;\nexport function add(a: number, b: number) {\n  return a + b;\n}\n';
const FILES = { 'src/a.ts': A, 'src/b.ts': "import { add } from './a';\nconsole.log(add(1, 2));\n" };

let uses: Uses;
const start = async (options: Partial<UsesOptions> = {}): Promise<Uses> =>
  (uses = await Uses.start({ vocabulary: agent, files: FILES, ...options }));
afterEach(() => uses.stop());

const said = async (name: string, args: object = {}): Promise<string> => {
  const { text, isError = false } = await uses.use(name, args);
  return (isError ? '! ' : '') + text.replaceAll(uses.root, 'R');
};
const git = (...argv: string[]): void =>
  void execFileSync('git', ['-c', 'user.name=t', '-c', 'user.email=t@localhost', ...argv], { cwd: uses.root });

describe(verifies('L3:vocabulary-agent', 'each tool of agent answers in plain text that is worth its tokens'), () => {
  test('read_file', async () => {
    await start();
    expect(await said('read_file', { path: 'src/a.ts', offset: 2, limit: 1 })).toBe(
      '2\texport function add(a: number, b: number) {\n[lines 2-2 of 4; read on with offset 3]',
    );
    expect(await said('read_file', { filepath: 'src/A.ts' })).toBe('! Error: no file at src/A.ts; nearest name: src/a.ts');
  });

  test('edit_file needs no read before', async () => {
    await start();
    expect(await said('edit_file', { path: 'src/a.ts', old_string: '8080', new_string: '9090' })).toBe(
      'Edited src/a.ts: 1 replacement(s).\n1\texport const PORT = 9090;\n2\texport function add(a: number, b: number) {\n3\t  return a + b;\n4\t}',
    );
    expect(await said('edit_file', { path: 'src/a.ts', old_string: '3\t  return', new_string: 'x' })).toContain('line-number prefixes');
    expect(await said('edit_file', { path: 'new/c.ts', old_string: '', new_string: 'x\n' })).toBe('Created new/c.ts.');
  });

  test('write_file is one call, and replaces a file that was read only if it is still the same', async () => {
    await start();
    expect(await said('write_file', { path: 'src/c.ts', content: 'x\n' })).toBe('Wrote src/c.ts (2 bytes, 1 lines).');
    expect(uses.calls.map(({ tool, args }) => [tool, args])).toEqual([['write_file', { path: 'src/c.ts', content: 'x\n' }]]);
    await uses.use('read_file', { path: 'src/b.ts' });
    uses.write('src/b.ts', 'theirs');
    expect(await said('write_file', { path: 'src/b.ts', content: 'mine' })).toBe(
      '! Error: src/b.ts changed after it was read; read it again',
    );
    expect(uses.read('src/b.ts')).toBe('theirs');
  });

  test.each([[[]], [['x1', 'x2', 'x3', 'x4', 'x5']]])('search and list_files, without %j', async (without) => {
    await start({ without });
    expect(await said('search', { pattern: 'add\\(' })).toBe(
      'src/a.ts\n  2: export function add(a: number, b: number) {\nsrc/b.ts\n  2: console.log(add(1, 2));',
    );
    expect(await said('search', { pattern: 'return', context: 1 })).toBe(
      'src/a.ts\n  2- export function add(a: number, b: number) {\n  3:   return a + b;\n  4- }',
    );
    expect((await said('search', { pattern: 'add', files_only: true })).split('\n').toSorted()).toEqual(['src/a.ts', 'src/b.ts']);
    expect(await said('search_in_project', { query: 'add(a' })).toContain('  2: export function');
    expect(await said('search', { pattern: 'nothing' })).toBe('No matches in the workspace.');
    expect(await said('list_files')).toBe('src/');
    expect(await said('list_files', { pattern: '*.ts' })).toBe('src/a.ts\nsrc/b.ts');
    expect(await said('list_files', { pattern: '*.rs' })).toBe('No files match *.rs.');
  });

  test('run_command tells exit code, time and directory', async () => {
    await start();
    expect(await said('run_command', { command: 'echo hi' })).toMatch(/^\[exit code 0 in \d+\.\d s\]\nhi$/);
    expect(await said('run_command', { command: 'cd src; false' })).toMatch(/^! \[exit code 1 in \d+\.\d s; now in src\]\n\(no output\)$/);
    expect(await said('run_command', { command: 'ls' })).toContain('a.ts\nb.ts');
    expect(await said('run_command', { command: 'sleep 5', timeout_ms: 200 })).toMatch(/^! \[stopped after 0\.2 s: /);
  });

  test('a long output is cut in the middle, and all of it can be paged through', async () => {
    await start();
    const text = await said('run_command', { command: 'seq 1 20000' });
    expect(text.length).toBeLessThan(31_000);
    const log = /all of it: (codelab-log:\S+?)\]/.exec(text)?.[1];
    expect(await said('read_file', { path: log, offset: 10_000, limit: 1 })).toContain('10000\t10000');
  });

  test('terminal codes and progress are left out, a command that is missing is told', async () => {
    await start();
    expect(await said('run_command', { command: String.raw`printf '\033[31mred\033[0m\r\n1%%\r50%%\rdone\n'` })).toMatch(/s\]\nred\ndone$/);
    expect(await said('run_command', { command: 'no-such-program-here' })).toMatch(
      /^! \[exit code 127 .*\[a command was not found: [^\]]+\]$/s,
    );
  });

  test('a failure in the middle of a long test log is shown', async () => {
    const tests =
      "import test from 'node:test';\nfor (let n = 1; n <= 600; n++) test(`case ${n}`, () => { if (n === 300) throw new Error('boom'); });\n";
    await start({ files: { 'a.test.mjs': tests } });
    const text = await said('run_command', { command: 'node --test-reporter=tap a.test.mjs' });
    expect(text).toMatch(
      /\n\[TAP: \d+ lines of passed tests left out; all of it: codelab-log:\S+\]\nTAP version 13\nnot ok 300 - case 300\n/,
    );
    expect(text).toMatch(/^! \[exit code 1 [\s\S]*# fail 1\n/);
    expect(text.length).toBeLessThan(30_000);
  });

  test('no output of a background command is passed over', async () => {
    await start();
    await uses.use('run_command', { command: 'seq 1 20000', background: true });
    const first = await said('process_output', { process_id: 'command_1', wait_ms: 20_000 });
    expect(first.length).toBeLessThanOrEqual(60_000);
    expect(first).toMatch(/\[cut: there is more output; look again\]$/);
    let rest = '';
    for (let part = first; ; part = await said('process_output', { process_id: 'command_1', wait_ms: 20_000 })) {
      rest += part.replace(/^status: \w+\n(exit_code: 0\n)?\n/, '').replace(/\n\[cut: .*\]$/, '');
      if (!part.endsWith('look again]')) break;
    }
    expect(rest.replace(/\s/g, '')).toBe(Array.from({ length: 20_000 }, (_, index) => String(index + 1)).join(''));
  });

  test('commands in the background', async () => {
    await start();
    expect(await said('run_command', { command: 'echo ready; sleep 60', background: true })).toBe(
      'Running in the background as command_1.',
    );
    expect(await said('process_output', { process_id: 'command_1' })).toMatch(/^status: running\n\n/);
    expect(await said('kill_process', { process_id: 'command_1' })).toBe('Stopped command_1.');
    expect(await said('process_output', { process_id: 'command_9' })).toBe('! Error: no background command command_9');
  });

  test('git in few words', async () => {
    await start();
    git('init', '-q', '-b', 'main');
    expect(await said('git_status')).toBe('On main.\nuntracked: src/a.ts\nuntracked: src/b.ts');
    git('config', 'user.name', 't');
    git('config', 'user.email', 't@localhost');
    expect(await said('git_commit', { message: 'first', files: ['src'] })).toMatch(/^Committed [0-9a-f]{9} on main: 2 file\(s\)\.$/);
    expect(await said('git_log')).toMatch(/^[0-9a-f]{9} \d{4}-\d\d-\d\d t: first$/);
    expect(await said('git_diff')).toBe('No changes.');
    await uses.use('edit_file', { path: 'src/a.ts', old_string: '8080', new_string: '1' });
    expect(await said('git_diff')).toContain('+export const PORT = 1;');
    expect(await said('git_branch', { action: 'create', name: 'x' })).toBe('Created x. Now on main.');
  });

  test('files, todos, questions', async () => {
    await start({ executors: { prompt_user: () => ({ ok: true, result: { action: 'yes' } }) } });
    expect(await said('move_file', { from: 'src/b.ts', to: 'lib/b.ts' })).toBe('Moved src/b.ts to lib/b.ts.');
    expect(await said('delete_file', { path: 'lib/b.ts' })).toBe('Deleted lib/b.ts.');
    expect(await said('create_directory', { path: 'lib/x' })).toBe('Created lib/x/.');
    expect(await said('update_todos', { todos: [{ content: 'a', status: 'pending' }] })).toBe(
      'Todos saved: 1 pending, 0 in progress, 0 done.',
    );
    expect(await said('ask_user', { question: 'Really?', choices: ['yes', 'no'] })).toBe('yes');
  });
});
