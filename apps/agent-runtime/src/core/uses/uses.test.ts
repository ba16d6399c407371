import { expect, test } from 'vitest';
import { createHash } from 'node:crypto';
import { SimulatedSession, verifies } from '@codelab/testkit';
import type { ToolItem } from '@codelab/llm';
import { Scene } from '../__fixtures__/scene.js';

const TOOLS = ['read_file', 'write_file', 'list_files', 'search_in_project', 'run_command', 'apply_patch', 'git.diff'];
const sha = (text: string): string => createHash('sha256').update(text).digest('hex');

/** A session whose model has answered with these calls. */
const begin = (vocabulary: string, ...calls: readonly (readonly [name: string, args: unknown])[]): Scene<SimulatedSession> => {
  const scene = new Scene(new SimulatedSession({ vocabulary, protocolVersion: '2.1', executorTools: JSON.stringify(TOOLS) }));
  scene.session.deliver({ content: 'go' });
  scene.settle();
  answer(scene, ...calls);
  return scene;
};
const answer = (scene: Scene<SimulatedSession>, ...calls: readonly (readonly [name: string, args: unknown])[]): void => {
  const toolCalls = calls.map(([name, args], place) => ({
    providerId: `p${String(place)}`,
    name,
    arguments: typeof args === 'string' ? args : JSON.stringify(args),
  }));
  scene.session.answer({ toolCalls, finish: 'tool_calls' });
  scene.settle();
};
/** Tools of the calls that were sent, in order. */
const sent = (scene: Scene<SimulatedSession>): string[] => scene.framesOf('tool_call').map(({ tool_name }) => tool_name);
const settle = (scene: Scene<SimulatedSession>, call: number, settled: Parameters<SimulatedSession['settle']>[1]): void => {
  scene.session.settle(scene.sentCalls[call]!, settled);
  scene.settle();
};
const approve = (scene: Scene<SimulatedSession>, call: number): void => {
  const frame = scene.framesOf('tool_call')[call]!;
  scene.session.decide(frame.call_id, { outcome: 'approved', argsSha256: frame.args_sha256 });
  scene.settle();
};
const results = (scene: Scene<SimulatedSession>): ToolItem[] => scene.history.filter((item) => item.role === 'tool');
const readOf = (content: string) => ({ result: { content, encoding: 'utf-8', sha256: sha(content), lines_total: 1 } });
const EDIT = ['edit_file', { path: 'a.txt', old_string: 'a', new_string: 'b' }] as const;

test(
  verifies('L3:uses', 'a use makes its calls one after another, is asked about once, and has one result in the words of its vocabulary'),
  () => {
    const scene = begin('agent', EDIT);
    expect(sent(scene)).toEqual(['read_file']);
    settle(scene, 0, readOf('a\n'));
    expect(sent(scene)).toEqual(['read_file', 'write_file']);
    const write = scene.framesOf('tool_call')[1]!;
    expect(write).toMatchObject({ requires_approval: true, approval: { reason: expect.stringMatching(/^edit_file: /) } });
    expect(write.args).toEqual({ path: 'a.txt', content: 'b\n', expected_sha256: sha('a\n') });
    approve(scene, 1);
    settle(scene, 1, { result: { success: true, bytes_written: 2 } });
    expect(results(scene)).toMatchObject([
      { call_id: scene.sentCalls[0], tool_name: 'write_file', content: 'Edited a.txt: 1 replacement(s).\n1\tb', is_error: false },
    ]);
    expect(scene.history.find((item) => item.role === 'assistant')).toMatchObject({
      tool_calls: [{ call_id: scene.sentCalls[0], tool_name: 'write_file', vocabulary: 'agent', name: 'edit_file' }],
    });
    expect(scene.session.records).toEqual([]);
  },
);

test(
  verifies('L3:editor-feedback', 'what an editor says of a change is read by the model in every vocabulary, behind the words of the use'),
  () => {
    const scene = begin('agent', EDIT);
    settle(scene, 0, readOf('a\n'));
    approve(scene, 1);
    const feedback = 'Problems after the change:\na.txt:1:1 error: unknown name b';
    settle(scene, 1, { result: { success: true, bytes_written: 2, feedback } });
    expect(results(scene)).toMatchObject([{ content: `Edited a.txt: 1 replacement(s).\n1\tb\n\n${feedback}`, is_error: false }]);
  },
);

test(verifies('R4:uses-survive', 'a runtime that takes over goes on from the stored outcomes'), () => {
  const scene = begin('agent', EDIT);
  scene.crash();
  settle(scene, 0, readOf('a\n'));
  scene.crash();
  approve(scene, 1);
  scene.crash();
  settle(scene, 1, { result: { success: true, bytes_written: 2 } });
  expect(results(scene)).toMatchObject([{ content: expect.stringContaining('Edited a.txt') }]);
  expect(sent(scene)).toEqual(['read_file', 'write_file']);
});

test(
  verifies('L3:uses-order', 'a read and a diff of what stands before them in an answer wait for it, whatever files a patch names'),
  () => {
    const patch = '*** Begin Patch\n*** Update File: a.txt\n@@\n-a\n+b\n*** Update File: src/c.txt\n@@\n-a\n+b\n*** End Patch';
    const reading = (path: string) => ['read_file', { path }] as const;
    const scene = begin('agent', ['apply_patch', { patch }], reading('src/c.txt'), ['git_diff', {}], reading('d.txt'));
    const asked = (): unknown[] => scene.framesOf('tool_call').map(({ tool_name, args }) => [tool_name, (args as { path?: string }).path]);
    expect(asked()).toEqual([
      ['read_file', 'a.txt'],
      ['read_file', 'src/c.txt'],
      ['read_file', 'd.txt'],
    ]);
    for (const call of [0, 1, 2]) settle(scene, call, readOf('a\n'));
    expect(asked().slice(3)).toEqual([['apply_patch', undefined]]);
    approve(scene, 3);
    settle(scene, 3, { result: { success: true, files_modified: ['a.txt', 'src/c.txt'] } });
    expect(asked().slice(4)).toEqual([
      ['read_file', 'src/c.txt'],
      ['git.diff', '.'],
    ]);
  },
);

test('a conflict that the preview of an edit finds, before anybody was asked, is tried once more from the fresh content', () => {
  const scene = begin('agent', EDIT);
  settle(scene, 0, readOf('a\n'));
  settle(scene, 1, { error: { code: 'CONFLICT', message: 'changed' }, preview_failed: true });
  expect(sent(scene)).toEqual(['read_file', 'write_file', 'read_file']);
  expect(scene.framesOf('approval_resolved')).toMatchObject([{ outcome: 'cancelled', by: 'executor' }]);
  settle(scene, 2, readOf('x a\n'));
  approve(scene, 3);
  settle(scene, 3, { error: { code: 'CONFLICT', message: 'changed' } });
  expect(results(scene)).toMatchObject([{ content: 'Error [CONFLICT]: changed', is_error: true }]);
});

test(
  verifies(
    'L3:uses-in-order',
    'edits of one file see one another, and a command sees the edits before it; edits of other files go side by side',
  ),
  () => {
    const other = ['edit_file', { path: 'b.txt', old_string: 'a', new_string: 'b' }] as const;
    const scene = begin('agent', EDIT, ['edit_file', { path: 'a.txt', old_string: 'b', new_string: 'c' }], other, [
      'run_command',
      { command: 'make' },
    ]);
    expect(scene.framesOf('tool_call').map(({ args }) => args)).toEqual([{ path: 'a.txt' }, { path: 'b.txt' }]);
    settle(scene, 0, readOf('a\n'));
    settle(scene, 1, readOf('a\n'));
    expect(sent(scene)).toEqual(['read_file', 'read_file', 'write_file', 'write_file']);
    scene.session.decide(scene.sentCalls[2]!, { outcome: 'rejected', by: 'human' });
    scene.settle();
    expect(sent(scene).slice(4)).toEqual(['read_file']); // the second edit is matched against the old file
    settle(scene, 4, readOf('a\n'));
    approve(scene, 3);
    settle(scene, 3, { result: { success: true, bytes_written: 2 } });
    expect(sent(scene).slice(5)).toEqual(['run_command']);
    approve(scene, 5);
    settle(scene, 5, { result: { exit_code: 0, stdout: 'done\n', stderr: '', duration_ms: 1, timed_out: false, truncated: false } });
    expect(results(scene).map(({ content }) => content.slice(0, 24))).toEqual([
      'Error [DENIED_BY_USER]: ',
      'Error: old_string was no',
      'Edited b.txt: 1 replacem',
      '[exit code 0 in 0.0 s]\nd',
    ]);
  },
);

test('an edit waits for a patch before it, whichever file of the patch it is about', () => {
  const patch = ['a.txt', 'b.txt'].map((path) => `*** Update File: ${path}\n@@\n-a\n+b\n`).join('');
  const scene = begin(
    'agent',
    ['apply_patch', { patch: `*** Begin Patch\n${patch}*** End Patch\n` }],
    ['edit_file', { path: 'b.txt', old_string: 'b', new_string: 'c' }],
  );
  settle(scene, 0, readOf('a\n'));
  settle(scene, 1, readOf('a\n'));
  expect(sent(scene)).toEqual(['read_file', 'read_file', 'apply_patch']); // and no read of the edit
});

test('what the arguments lack is told, and nothing is called', () => {
  const scene = begin('claude-code', ['Edit', '{"file_path":'], ['Read', { path: 'x' }], ['edit_file', {}]);
  expect(sent(scene)).toEqual([]);
  expect(results(scene).map(({ content }) => content)).toEqual([
    expect.stringMatching(/^Error \[INVALID_ARGUMENTS\]: arguments: not valid JSON/),
    expect.stringMatching(/^Error \[INVALID_ARGUMENTS\]: file_path: missing; expected string/),
    expect.stringMatching(/^Error \[TOOL_NOT_FOUND\]: There is no tool "edit_file" here\. Did you mean /),
  ]);
});

test('a use that is cancelled between its calls did not run; one whose last call ended tells the truth', () => {
  const scene = begin('agent', EDIT);
  scene.session.cancel();
  scene.session.settle(scene.sentCalls[0]!, readOf('a\n'));
  scene.settle();
  scene.pass(1_000);
  expect(scene.state.turn).toBeUndefined();
  expect(results(scene)).toMatchObject([{ content: expect.stringMatching(/^Error \[CANCELLED\]: /), is_error: true }]);
  expect(sent(scene)).toEqual(['read_file']);
});

test('an edit whose outcome is not known has to be read again', () => {
  const scene = begin('claude-code', ['Read', { file_path: 'a.txt' }]);
  settle(scene, 0, readOf('a\n'));
  expect(scene.state.marks?.reads['a.txt']).toMatchObject({ sha256: sha('a\n'), whole: true, cut: false });
  answer(scene, ['Edit', { file_path: 'a.txt', old_string: 'a', new_string: 'b' }]);
  settle(scene, 1, readOf('a\n'));
  approve(scene, 2);
  settle(scene, 2, { error: { code: 'OUTCOME_UNKNOWN', message: 'it was begun' } });
  expect(results(scene).at(-1)).toMatchObject({ content: 'Error [OUTCOME_UNKNOWN]: it was begun', is_error: true });
  expect(scene.state.marks?.reads['a.txt']).toBeUndefined();
  scene.crash();
  expect(scene.state.marks?.reads).toEqual({});
});

test('a task list needs no client, and is told to those who read it', () => {
  const scene = begin('agent', ['update_todos', { todos: [{ content: 'x', status: 'pending' }] }]);
  expect(scene.framesOf('todos_updated')).toMatchObject([{ todos: [{ content: 'x', status: 'pending' }] }]);
  expect(scene.session.todos).toBe('[{"content":"x","status":"pending"}]'); // for whoever joins later
  expect(results(scene)).toMatchObject([{ content: 'Todos saved: 1 pending, 0 in progress, 0 done.' }]);
});
