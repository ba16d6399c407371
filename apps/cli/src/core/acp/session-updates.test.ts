import { expect, test } from 'vitest';
import { EMPTY_VIEW, type CallItem, type Item, type SessionView } from '@codelab/client/view';
import { updatesBetween, type TellingPlace } from './session-updates.js';

const PLACE: TellingPlace = {
  toPath: (path) => `/ws/${path}`,
  terminalOf: () => undefined,
  isOwn: (messageId) => messageId === 'own',
  notices: true,
  compactions: true,
};
const withItems = (...items: readonly Item[]): SessionView => ({ ...EMPTY_VIEW, items });
const between = (before: SessionView, after: SessionView, place: Partial<TellingPlace> = {}) =>
  updatesBetween(before, after, { ...PLACE, ...place });

const assistant = (text: string): Item => ({ kind: 'assistant', messageId: 'm', text, done: false, final: false, replaced: false });
const thought = (text: string): Item => ({ kind: 'thought', id: '1', text, done: false, startedAtMs: 0, endedAtMs: 0 });
const call = (more: Partial<CallItem>): CallItem => ({
  ...{ kind: 'call', callId: 'c', toolName: 'run_command', args: '{"command":"npm test"}', argsSha256: '', progress: 'waiting' },
  ...more,
});

test('of a message that grows only what has come is told', () => {
  expect(between(withItems(assistant('Hel')), withItems(assistant('Hello')))).toEqual([
    { sessionUpdate: 'agent_message_chunk', messageId: 'm', content: { type: 'text', text: 'lo' } },
  ]);
  const same = withItems(assistant('Hello'));
  expect(between(same, same)).toEqual([]);
});

test('a thought whose beginning is no longer kept goes on where it was', () => {
  const [before, after] = ['x'.repeat(50) + 'a'.repeat(300), `${'a'.repeat(290)} and more`];
  expect(between(withItems(thought(before)), withItems(thought(after)))).toEqual([
    { sessionUpdate: 'agent_thought_chunk', content: { type: 'text', text: ' and more' } },
  ]);
});

test('messages of others are told, those of the editor are not', () => {
  const user = (messageId: string): Item => ({ kind: 'user', messageId, content: 'Hi', state: 'accepted' });
  expect(between(EMPTY_VIEW, withItems(user('own'), user('other')))).toEqual([
    { sessionUpdate: 'user_message_chunk', messageId: 'other', content: { type: 'text', text: 'Hi' } },
  ]);
});

test('of a call the state is told once, and then what changes', () => {
  const [first] = between(EMPTY_VIEW, withItems(call({})));
  expect(first).toMatchObject({
    sessionUpdate: 'tool_call',
    toolCallId: 'c',
    title: 'npm test',
    kind: 'execute',
    status: 'pending',
    rawInput: { command: 'npm test' },
  });
  const output = { tail: 'one\ntwo\n', stdout: 8, stderr: 0 };
  expect(between(withItems(call({})), withItems(call({ progress: 'running', output })))).toEqual([
    {
      ...{ sessionUpdate: 'tool_call_update', toolCallId: 'c', status: 'in_progress' },
      content: [{ type: 'content', content: { type: 'text', text: '```\none\ntwo\n```' } }],
    },
  ]);
  const done = between(
    withItems(call({ progress: 'running' })),
    withItems(call({ progress: 'done', result: 'one', exitCode: 1, summary: 'exit 1' })),
  );
  expect(done).toEqual([
    expect.objectContaining({ status: 'completed', rawOutput: { result: 'one', summary: 'exit 1', exit_code: 1, error: undefined } }),
  ]);
  expect(JSON.stringify(done)).toContain('Exit code 1.');
});

test.each<[Partial<CallItem>, string]>([
  [{ progress: 'rejected', feedback: 'not now' }, 'Rejected: not now'],
  [{ progress: 'failed', error: { code: 'TIMEOUT', message: 'too slow' } }, 'TIMEOUT: too slow'],
  [{ progress: 'unknown' }, 'Whether it took effect is not known.'],
  [{ progress: 'cancelled' }, 'Cancelled.'],
])('a call that came to nothing has failed, and says why: %j', (end, why) => {
  const [update] = between(withItems(call({})), withItems(call(end)));
  expect(update).toMatchObject({ status: 'failed', content: [{ content: { text: why } }] });
});

test('a change is shown as diffs with its place, one for each hunk, and a fence holds whatever is in it', () => {
  const text = '--- a/a.ts\n+++ b/a.ts\n@@ -1,2 +1,2 @@\n-old\n+new\n same\n@@ -10 +10 @@\n-ten\n+TEN\n\\ No newline at end of file\n';
  const edit = call({ toolName: 'apply_patch', args: '{"diff":"…"}', preview: { kind: 'diff', text } });
  expect(between(EMPTY_VIEW, withItems(edit))).toEqual([
    expect.objectContaining({
      kind: 'edit',
      content: [
        { type: 'diff', path: '/ws/a.ts', oldText: 'old\nsame\n', newText: 'new\nsame\n' },
        { type: 'diff', path: '/ws/a.ts', oldText: 'ten\n', newText: 'TEN' },
      ],
      locations: [
        { path: '/ws/a.ts', line: 1 },
        { path: '/ws/a.ts', line: 10 },
      ],
    }),
  ]);
  const result = 'a\n````\nb';
  const read = call({ toolName: 'read_file', args: '{"path":"a.md","offset":7}', progress: 'done', result });
  expect(between(EMPTY_VIEW, withItems(read))).toEqual([
    expect.objectContaining({
      locations: [{ path: '/ws/a.md', line: 7 }],
      content: [{ type: 'content', content: { type: 'text', text: '`````\na\n````\nb\n`````' } }],
    }),
  ]);
});

test('tasks are a plan, a full window is told, and so is a conversation that is summed up', () => {
  const usage = { input_tokens: 1, output_tokens: 1, context_tokens: 10, context_window: 100, cost_usd: 0.5 };
  const after: SessionView = { ...EMPTY_VIEW, todos: [{ content: 'Look', status: 'active' }], usage, activity: 'compacting' };
  expect(between(EMPTY_VIEW, after)).toEqual([
    { sessionUpdate: 'plan', entries: [{ content: 'Look', priority: 'medium', status: 'in_progress' }] },
    { sessionUpdate: 'compaction_update', compactionId: 'compaction-', status: 'in_progress' },
    { sessionUpdate: 'usage_update', used: 10, size: 100, cost: { amount: 0.5, currency: 'USD' } },
  ]);
});

test('notices are shown as such where the editor has them; else only warnings, beside the answer', () => {
  const after = withItems(
    { kind: 'notice', id: '1', tone: 'warning', text: 'Look out.' },
    { kind: 'notice', id: '2', tone: 'info', text: 'By the way.' },
  );
  expect(between(EMPTY_VIEW, after).map(({ sessionUpdate }) => sessionUpdate)).toEqual(['notice', 'notice']);
  expect(between(EMPTY_VIEW, after, { notices: false })).toEqual([
    { sessionUpdate: 'agent_thought_chunk', content: { type: 'text', text: 'Look out.\n\n' } },
  ]);
});
