import { expect, test } from 'vitest';
import { collectAnswer } from '../../../canonical/collect-answer.js';
import { decodeAnswer } from './decode-stream.js';

const decode = (value: unknown) => collectAnswer(decodeAnswer(typeof value === 'string' ? value : JSON.stringify(value)));

test('an answer in one piece reads as if it had been streamed', async () => {
  const message = {
    role: 'assistant',
    content: 'Hi',
    tool_calls: [
      { id: 'call_0', type: 'function', function: { name: 'read', arguments: '{"a":12345678901234567890}' } },
      { id: 'call_0', type: 'function', function: { name: 'read', arguments: '{}' } },
    ],
  };
  expect(
    await decode({ choices: [{ index: 0, message, finish_reason: 'stop' }], usage: { prompt_tokens: 1, completion_tokens: 2 } }),
  ).toEqual({
    text: 'Hi',
    toolCalls: [
      { providerId: 'call_0', name: 'read', arguments: '{"a":12345678901234567890}' },
      { providerId: '', name: 'read', arguments: '{}' },
    ],
    finish: 'tool_calls',
    usage: { inputTokens: 1, outputTokens: 2 },
  });
});

test.each([
  ['', undefined, 'stop'],
  ['whatever', undefined, 'stop'],
  ['', [{ id: 'c', type: 'function', function: { name: 'read', arguments: '{}' } }], 'tool_calls'],
])('the finish reason %j is an end all the same', async (finish_reason, tool_calls, finish) => {
  expect(await decode({ choices: [{ index: 0, message: { content: 'Hi', tool_calls }, finish_reason }] })).toMatchObject({
    text: 'Hi',
    finish,
  });
});

test.each([
  ['<html>busy</html>', 'unavailable'],
  ['', 'unavailable'],
  ['[]', 'stream_interrupted'],
  [{ choices: [] }, 'stream_interrupted'],
  [{ error: { code: 'insufficient_quota' } }, 'quota_exceeded'],
])('%j is the error %s', async (body, code) => {
  await expect(decode(body)).rejects.toMatchObject({ code });
});
