import { expect, test } from 'vitest';
import { verifies } from '@codelab/testkit';
import { AnswerBuilder, collectAnswer } from './collect-answer.js';

test('a stream adds up to its text, its calls in order, its reason and its usage', async () => {
  const answer = await collectAnswer([
    { kind: 'thinking_delta', text: 'hm' },
    { kind: 'text_delta', text: 'a' },
    { kind: 'tool_call_start', index: 0, id: 'x', name: 'read' },
    { kind: 'tool_call_start', index: 1, id: 'y', name: 'list' },
    { kind: 'tool_call_delta', index: 1, arguments: '{"b":' },
    { kind: 'tool_call_delta', index: 0, arguments: '{"a":1}' },
    { kind: 'text_delta', text: 'b' },
    { kind: 'tool_call_delta', index: 1, arguments: '2}' },
    { kind: 'finish', reason: 'tool_calls', usage: { inputTokens: 1, outputTokens: 2 } },
  ]);
  expect(answer).toEqual({
    text: 'ab',
    toolCalls: [
      { providerId: 'x', name: 'read', arguments: '{"a":1}' },
      { providerId: 'y', name: 'list', arguments: '{"b":2}' },
    ],
    thinking: [{ kind: 'thinking', text: 'hm' }],
    finish: 'tool_calls',
    usage: { inputTokens: 1, outputTokens: 2 },
  });
});

test(verifies('L3:thoughts-whole', 'thoughts are kept whole, each with its signature, redacted ones as they are'), async () => {
  const { thinking } = await collectAnswer([
    { kind: 'thinking_delta', text: 'one ' },
    { kind: 'thinking_delta', text: 'two' },
    { kind: 'thinking_delta', text: '', signature: 'sig1' },
    { kind: 'redacted_thinking', data: 'opaque' },
    { kind: 'thinking_delta', text: 'three', signature: 'sig2' },
    { kind: 'thinking_delta', text: 'unsigned' },
    { kind: 'text_delta', text: 'said' },
    { kind: 'thinking_delta', text: 'last' },
    { kind: 'finish', reason: 'stop' },
  ]);
  expect(thinking).toEqual([
    { kind: 'thinking', text: 'one two', signature: 'sig1' },
    { kind: 'redacted_thinking', data: 'opaque' },
    { kind: 'thinking', text: 'three', signature: 'sig2' },
    { kind: 'thinking', text: 'unsigned' },
    { kind: 'thinking', text: 'last' },
  ]);
});

test('a stream without finish is no answer, and its text is still there', async () => {
  const builder = new AnswerBuilder();
  builder.add({ kind: 'text_delta', text: 'half' });
  expect(builder.text).toBe('half');
  expect(() => builder.build()).toThrow(expect.objectContaining({ code: 'stream_interrupted' }));
  await expect(collectAnswer([])).rejects.toMatchObject({ code: 'stream_interrupted' });
});
