import { expect, test } from '@jest/globals';
import type { StepRequest } from '@codelab/bus';
import type { HistoryItem } from '@codelab/llm';
import { verifies } from '@codelab/testkit';
import { toModelRequest } from './to-model-request.js';

const tool = (name: string) => ({ name, description: 'd', parameters: { type: 'object' } });
const step = (more: Partial<StepRequest> = {}): StepRequest => ({
  turnId: 't',
  messageId: 'm',
  model: '',
  agent: 'coder',
  vocabulary: 'codelab',
  historyVersion: 0,
  system: 'be good',
  tools: [tool('git_diff'), tool('client__mine')],
  ...more,
});
const used = (name: string): HistoryItem => ({
  role: 'assistant',
  turn_id: 't',
  message_id: 'm',
  content: '',
  tool_calls: [{ call_id: `call_${name}`, tool_name: name, arguments: '{}', provider_id: 'x' }],
  at_ms: 1,
});

test('system prompt, history and tools', () => {
  const said: HistoryItem = { role: 'user', turn_id: 't', message_id: 'm', content: 'hi', at_ms: 1 };
  expect(toModelRequest({ step: step(), history: [said] })).toEqual({
    messages: [
      { role: 'system', parts: [{ kind: 'text', text: 'be good' }] },
      { role: 'user', parts: [{ kind: 'text', text: 'hi' }] },
    ],
    tools: [tool('git_diff'), tool('client__mine')],
  });
  expect(toModelRequest({ step: step({ system: '' }), history: [] }).messages).toEqual([]);
});

test.each([
  ['git.diff', 'git_diff'],
  ['git.log', 'git_log'],
  ['mine', 'client__mine'],
  ['made_up', 'made_up'],
])(verifies('L3:tool-names', 'an earlier use of %s is shown as %s'), (stored, shown) => {
  const [, message] = toModelRequest({ step: step(), history: [used(stored)] }).messages;
  expect(message?.parts[0]).toMatchObject({ kind: 'tool_call', name: shown });
});
