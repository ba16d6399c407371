import { expect, test } from 'vitest';
import type { StepRequest } from '@codelab/bus';
import type { HistoryItem } from '@codelab/llm';
import { verifies } from '@codelab/testkit';
import type { StepBase } from './to-model-request.js';
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
  expect(toModelRequest({ step: step(), history: { items: [said] } }).request).toEqual({
    model: '',
    messages: [
      { role: 'system', parts: [{ kind: 'text', text: 'be good' }] },
      { role: 'user', parts: [{ kind: 'text', text: 'hi' }] },
    ],
    tools: [tool('git_diff'), tool('client__mine')],
  });
  expect(toModelRequest({ step: step({ system: '' }), history: { items: [] } }).request.messages).toEqual([]);
});

test.each([
  ['git.diff', 'git_diff'],
  ['git.log', 'git_log'],
  ['mine', 'client__mine'],
  ['made_up', 'made_up'],
])(verifies('L3:tool-names', 'an earlier use of %s is shown as %s'), (stored, shown) => {
  const [, message] = toModelRequest({ step: step(), history: { items: [used(stored)] } }).request.messages;
  expect(message?.parts[0]).toMatchObject({ kind: 'tool_call', name: shown });
});

test('the turn of a program begins with its own conversation, instead of our system prompt', () => {
  const asked: HistoryItem = { role: 'user', turn_id: 't', message_id: 'm', content: 'hi', at_ms: 1 };
  const base: StepBase = {
    messages: [{ role: 'user', parts: [{ kind: 'text', text: 'first' }] }],
    temperature: 0,
    toolChoice: { name: 'x' },
  };
  const first = toModelRequest({ step: step(), history: { items: [asked] }, base }).request;
  expect(first).toMatchObject({ temperature: 0, toolChoice: { name: 'x' }, tools: [tool('git_diff'), tool('client__mine')] });
  expect(first.messages.map(({ role }) => role)).toEqual(['user', 'user']);
  expect(toModelRequest({ step: step(), history: { items: [used('git.diff')] }, base }).request).not.toHaveProperty('toolChoice'); // it would never end
  const none = toModelRequest({ step: step(), history: { items: [used('git.diff')] }, base: { ...base, toolChoice: 'none' } }).request;
  expect(none.toolChoice).toBe('none');
});
