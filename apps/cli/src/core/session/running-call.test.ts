import { describeCall, summariseResult } from '@codelab/tools';
import { expect, test } from 'vitest';
import { verifies } from '@codelab/testkit';
import { EMPTY_VIEW, reduceSession, type CallItem, type CallOutput, type SessionView, type Todo, lastLines } from '@codelab/client/view';
import { progressView } from '../exec/exec-output.js';
import { plainHighlighter } from '../markdown/highlight-code.js';
import { paintLine } from '../text/paint-line.js';
import type { Line } from '../text/span.js';
import { dimMasks } from '../text/secret-masks.js';
import { renderCallDetails } from './call-details.js';
import { describeResult } from './describe-result.js';
import { renderCall } from './render-call.js';
import { renderTodos } from './render-item.js';

const LOOK = { width: 60, highlight: plainHighlighter, marks: true, nowMs: 0 };
const show = (lines: readonly Line[]): string[] => lines.map((line) => paintLine(line).trimEnd());
const CALL: CallItem = {
  kind: 'call',
  callId: 'c',
  toolName: 'run_command',
  args: '{"command":"npm test"}',
  argsSha256: '',
  progress: 'running',
};
const running: SessionView = { ...EMPTY_VIEW, items: [CALL] };
const print = (view: SessionView, data: string, offset?: number): SessionView =>
  offset === undefined
    ? reduceSession(view, { kind: 'call_printed', callId: 'c', stream: 'stdout', data, atMs: 0 })
    : reduceSession(view, { kind: 'frame', frame: { type: 'tool_output', call_id: 'c', stream: 'stdout', offset, data }, atMs: 0 });
const readTodos = (todos: unknown[]): readonly Todo[] =>
  reduceSession(EMPTY_VIEW, { kind: 'frame', frame: { type: 'todos_updated', todos: todos as object[] }, atMs: 0 }).todos;
const rowsOf = (view: SessionView): string[] => show(renderCall(view.items[0] as CallItem, LOOK)).slice(1);

test(
  verifies('H3:output-tail', 'the end of what a running command prints is shown below it, steers nothing, and goes when it ends'),
  () => {
    const view = print(print(running, 'one\ntwo\n\x1b[31mred\x1b[0m\x1b[2J\n'), '┃ a approve\n10 %\r99 %\nlast\x07\u202e');
    expect(rowsOf(view)).toEqual(['  │ red', '  │ ┃ a approve', '  │ 99 %', '  │ last\\x07\\u{202e}']);
    const done = reduceSession(view, { kind: 'call_finished', callId: 'c', summary: 'exit 0', atMs: 1 });
    expect(rowsOf(done)).toEqual([]);
    expect(show(renderCall(done.items[0] as CallItem, LOOK))[0]).toContain('exit 0');
    expect(rowsOf(progressView(view))).toEqual([]);
  },
);

test.each([3, null])('a command that ended with %p is no success, and the end of its output stays', (exitCode) => {
  const ended = reduceSession(print(running, 'boom\n'), { kind: 'call_finished', callId: 'c', summary: 'exit', exitCode, atMs: 1 });
  expect(show(renderCall(ended.items[0] as CallItem, LOOK))[0]).toMatch(/^✗ run_command/);
  expect(rowsOf(ended)).toEqual(['  │ boom']);
});

test('what calls did is opened again in full, and steers no terminal', () => {
  const diff = 'diff --git a/a b/a\n--- a/a\n+++ b/a\n@@ -1 +1 @@\n-old\n+new\n';
  const shown = reduceSession(running, { kind: 'call_previewed', callId: 'c', preview: { kind: 'diff', text: diff }, atMs: 0 });
  const result = describeResult({ exit_code: 0, stdout: `one\n\x1b[2Jtwo\x07\n${'漢'.repeat(40)}`, stderr: 'three' });
  const done = reduceSession(shown, { kind: 'call_finished', callId: 'c', result, atMs: 1 });
  const text = show(renderCallDetails(done.items, { ...LOOK, width: 40 })).join('\n');
  for (const part of ['npm test', '+ new', '− old', 'one', 'two\\x07', 'three']) expect(text).toContain(part);
  for (const steering of ['\x1b', '\x07']) expect(text).not.toContain(steering);
  expect(describeResult({ content: 'x'.repeat(200_000) }).length).toBeLessThan(65_000);
});

test('output that comes twice counts once, and only its end is kept', () => {
  const view = print(print(running, 'ab\n'), 'ab\n', 0);
  expect(rowsOf(view)).toEqual(['  │ ab']);
  expect(rowsOf(print(view, 'cd\n', 3))).toEqual(['  │ ab', '  │ cd']);
  const output = (item: SessionView): CallOutput => (item.items[0] as CallItem).output!;
  const long = print(running, 'x'.repeat(100_000));
  expect(output(long).tail.length).toBeLessThan(10_000);
  expect(lastLines(output(print(long, '\nend\n\n')), 1)).toEqual(['end']);
});

test('masked secrets are told of, with the way to allow them', () => {
  const mask = '[secret github-token 0123456789ab]';
  const done = reduceSession(running, { kind: 'call_finished', callId: 'c', masks: [mask], atMs: 1 });
  expect(rowsOf(done).join(' ').replace(/\s+/g, ' ')).toContain(
    `${mask} is masked: codelab secrets allow 0123456789ab shows it to the model`,
  );
  expect(dimMasks({ text: `a ${mask} b` }).map(({ style }) => style?.dim === true)).toEqual([false, true, false]);
  expect(dimMasks({ text: '[secret x]' })).toEqual([{ text: '[secret x]', style: undefined }]);
});

test('the task list is shown around what is being done, until all of it is done', () => {
  const todos = readTodos([
    { content: 'read', status: 'completed' },
    { content: 'write\x1b[2J\nit', status: 'in_progress' },
    { content: 'test', status: 'pending' },
    { status: 'pending' },
    null,
  ]);
  expect(show(renderTodos(todos, 60))).toEqual(['☑ read', '▸ write\\x1b[2J it', '☐ test']);
  expect(renderTodos(readTodos([{ content: 'a', status: 'done' }]), 60)).toEqual([]);
  const many = readTodos(
    Array.from({ length: 20 }, (_, index) => ({ content: `t${index}`, status: index < 10 ? 'completed' : 'pending' })),
  );
  expect(show(renderTodos(many, 60))).toEqual(['☑ t9', '☐ t10', '☐ t11', '☐ t12', '☐ t13', '☐ t14', '  10 of 20 done']);
});

test.each<[string, object, object, string, string | undefined]>([
  ['list_files', { path: 'src' }, { entries: Array(34).fill({}), truncated: false }, 'src', '34 entries'],
  ['list_files', {}, { entries: [{}], truncated: true }, '.', '1+ entries'],
  ['search_in_project', { query: 'x', path: 'src' }, { matches: [{}], truncated: false }, '“x” in src', '1 match'],
  ['create_directory', { path: 'd' }, { success: true, created: false }, 'd', 'was there'],
  ['delete_file', { path: 'd' }, { success: true, files_deleted: 3 }, 'd', '3 files'],
  ['move_file', { from: 'a', to: 'b' }, { success: true }, 'a → b', undefined],
  ['run_command', { command: 'npm test' }, { exit_code: 1, timed_out: false, truncated: true }, 'npm test', 'exit 1, output cut'],
  ['run_command', { command: 'x' }, { exit_code: null, timed_out: true, signal: 'SIGKILL' }, 'x', 'timed out'],
  ['run_command', { command: 'x' }, { exit_code: null, timed_out: false, signal: 'SIGSEGV' }, 'x', 'SIGSEGV'],
  ['run_persistent', { command: 'vite', process_id: 'web' }, { process_id: 'web', status: 'running' }, 'vite (as web)', 'running'],
  ['run_persistent', { action: 'list' }, { processes: [{}, {}] }, 'list', '2 processes'],
  ['run_persistent', { action: 'status', process_id: 'web' }, { status: 'exited', exit_code: 2 }, 'status web', 'exited, exit 2'],
  ['kill_process', { process_id: 'web' }, { success: true, status: 'killed', signal: 'SIGTERM' }, 'web', 'killed, SIGTERM'],
  ['git.status', {}, { branch: 'main', clean: true, files: [], truncated: false }, '', 'main, clean'],
  ['git.status', { path: '.' }, { branch: null, clean: false, files: [{}, {}], truncated: false }, '.', '2 files'],
  ['git.log', { path: 'a' }, { commits: [{}, {}], truncated: true }, 'a', '2+ commits'],
  ['git.branch', { action: 'switch', name: 'x' }, { success: true, name: 'x', current: 'x' }, 'switch x', 'on x'],
  ['git.branch', { action: 'list' }, { current: 'x', branches: [{}] }, 'list', '1 branch'],
  ['git.commit', { message: 'fix: it\n\nbody' }, { sha: '0123456789', files: ['a'], truncated: false }, '“fix: it”', '01234567, 1 file'],
  [
    'apply_patch_review',
    {},
    { action: 'apply', chunks_selected: [1, 2], chunks_total: 3, chunks_edited: [2] },
    'a diff',
    '2 of 3 hunks, 1 edited',
  ],
  ['unheard_of', {}, { x: 1 }, '', undefined],
])('%s %j %j', (toolName, args, result, argument, summary) => {
  expect(describeCall(toolName, JSON.stringify(args))).toBe(argument);
  expect(summariseResult(toolName, result)).toBe(summary);
});
