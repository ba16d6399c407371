import { expect, test } from '@jest/globals';
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
    finish: 'tool_calls',
    usage: { inputTokens: 1, outputTokens: 2 },
  });
});

test('a stream without finish is no answer, and its text is still there', async () => {
  const builder = new AnswerBuilder();
  builder.add({ kind: 'text_delta', text: 'half' });
  expect(builder.text).toBe('half');
  expect(() => builder.build()).toThrow(expect.objectContaining({ code: 'stream_interrupted' }));
  await expect(collectAnswer([])).rejects.toMatchObject({ code: 'stream_interrupted' });
});
