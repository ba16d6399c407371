import { expect, test } from 'vitest';
import type { AssistantItem, HistoryItem, ToolItem } from '@codelab/llm';
import { verifies } from '@codelab/testkit';
import { openCalls, toRounds, toRows, type Logged } from './read-rounds.js';

const said = (content: string, at_ms: number, ...calls: readonly (readonly [id: string, tool: string, args: string])[]): AssistantItem => ({
  ...{ role: 'assistant', turn_id: 't', message_id: 'm', content, at_ms },
  tool_calls: calls.map(([call_id, tool_name, args]) => ({ call_id, tool_name, arguments: args, provider_id: `p_${call_id}` })),
});
const result = (call_id: string, tool_name: string, content: string, at_ms: number, is_error = false): ToolItem => ({
  ...{ role: 'tool', turn_id: 't', call_id, tool_name, content, is_error, at_ms },
});

const turn: readonly HistoryItem[] = [
  said('Looking.', 10, ['call_a', 'git.diff', '{}'], ['call_b', 'run_tests', '{"é":1}']),
  result('call_a', 'git.diff', '{"diff":""}', 90),
  result('call_b', 'run_tests', 'Error [DENIED_BY_USER]: no', 90, true),
  said('Now yours.', 100, ['call_c', 'weather', '{"city":"Z"}'], ['call_d', 'mine', '{"n": 12345678901234567890}']),
  result('call_c', 'weather', '"ok"', 150),
];
const modelNames = new Map([
  ['git.diff', 'git_diff'],
  ['run_tests', 'client__run_tests'],
]);

test('calls of the last answer without a result are those that were handed over, as the model wrote them', () => {
  expect(openCalls(turn)).toEqual([
    { call_id: 'call_d', tool_name: 'mine', arguments: '{"n": 12345678901234567890}', provider_id: 'p_call_d' },
  ]);
  expect(openCalls([])).toEqual([]);
});

test(
  verifies('R5:handover-rounds', 'rounds are remembered with one result for each call that has one, and none for what was handed over'),
  () => {
    const call = (id: string, name: string, args: string) => ({ kind: 'tool_call', id, name, arguments: args });
    const answered = (id: string, content: string, isError = false) => ({
      role: 'tool',
      parts: [{ kind: 'tool_result', id, content, isError }],
    });
    expect(toRounds(turn, modelNames)).toEqual([
      {
        role: 'assistant',
        parts: [{ kind: 'text', text: 'Looking.' }, call('p_call_a', 'git_diff', '{}'), call('p_call_b', 'client__run_tests', '{"é":1}')],
      },
      answered('p_call_a', '{"diff":""}'),
      answered('p_call_b', 'Error [DENIED_BY_USER]: no', true),
      {
        role: 'assistant',
        parts: [
          ...[{ kind: 'text', text: 'Now yours.' }, call('p_call_c', 'weather', '{"city":"Z"}')],
          { ...call('call_d', 'mine', '{"n": 12345678901234567890}'), providerId: 'p_call_d' },
        ],
      },
      answered('p_call_c', '"ok"'),
    ]);
  },
);

const logged: Logged = {
  ...{ model: 'm', sessionId: 's', handedOver: true },
  serverTools: [{ name: 'weather', tags: ['http', 'write'] }],
  timesOf: (id) => (id === 'call_b' ? { startedAtMs: 12, endedAtMs: 80, approvalWaitMs: 60, round: 1 } : undefined),
};

test(
  verifies('L1:tool-call-rows', 'each call of a turn is logged with its round, source, outcome and times, without what was said'),
  () => {
    const common = { model: 'm', sessionId: 's' };
    expect(toRows(turn, logged)).toEqual([
      {
        ...{ ...common, callId: 'call_a', tool: 'git.diff', round: 1, source: 'builtin', outcome: 'ok', startedAtMs: 10, durationMs: 80 },
        ...{ bytesIn: 2, bytesOut: 11 },
      },
      {
        ...{ ...common, callId: 'call_b', tool: 'run_tests', round: 1, source: 'client', outcome: 'error', errorCode: 'DENIED_BY_USER' },
        ...{ startedAtMs: 12, durationMs: 68, approvalWaitMs: 60, bytesIn: 8, bytesOut: 26 },
      },
      {
        ...{ ...common, callId: 'call_c', tool: 'weather', round: 2, source: 'http', outcome: 'ok', startedAtMs: 100, durationMs: 50 },
        ...{ bytesIn: 12, bytesOut: 4 },
      },
      {
        ...{
          ...common,
          callId: 'call_d',
          tool: 'mine',
          round: 2,
          source: 'caller',
          outcome: 'handed_over',
          startedAtMs: 100,
          durationMs: 0,
        },
        ...{ bytesIn: 27, bytesOut: 0 },
      },
    ]);
    expect(toRows(turn, { ...logged, handedOver: false }).map(({ callId }) => callId)).toEqual(['call_a', 'call_b', 'call_c']);
  },
);
