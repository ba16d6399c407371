import { expect, test } from 'vitest';
import { verifies } from '@codelab/testkit';
import { ToolNames } from '../../../names/tool-names.js';
import { relayAnswer } from './relay-answer.js';

const answer = (name: string) =>
  `{ "id":"x", "choices":[{"index":0,"message":{"role":"assistant","content":null,"tool_calls":[{"id":"a","type":"function","function":{"name":"${name}","arguments":"{\\"n\\":12345678901234567890}"}},{"id":"b","type":"function","function":{"name":"other","arguments":"{}"}}]},"finish_reason":"tool_calls"}],\n"usage":{"prompt_tokens":5,"completion_tokens":2}}`;

test(verifies('L3:relay-bytes', 'a JSON answer keeps its bytes, and its usage is known'), () => {
  expect(relayAnswer(answer('read'))).toEqual({ text: answer('read'), usage: { inputTokens: 5, outputTokens: 2 } });
  expect(relayAnswer('{"choices":[{}]}')).toEqual({ text: '{"choices":[{}]}' });
});

test(verifies('L3:RQ14', 'names that were mapped come back, and nothing else changes'), () => {
  const names = new ToolNames(['git.diff']);
  expect(relayAnswer(answer('git_diff'), names).text).toBe(answer('git.diff'));
});

test('where only one call is wanted the others are left out', () => {
  const { text } = relayAnswer(answer('read'), undefined, { onlyFirstCall: true });
  expect(JSON.parse(text)).toMatchObject({ choices: [{ message: { tool_calls: [{ id: 'a' }] } }] });
  expect(text).not.toContain('"b"');
});

test.each([
  ['<html>busy</html>', 'unavailable'],
  ['', 'unavailable'],
  ['[]', 'unavailable'],
  ['{"choices":[]}', 'unavailable'],
  ['{"error":{"code":"insufficient_quota","message":"sk-secret1234"}}', 'quota_exceeded'],
])(verifies('L1:ER2', '%s is the error %s, and nothing of it is repeated'), (text, code) => {
  expect(() => relayAnswer(text)).toThrow(expect.objectContaining({ code }));
  expect(() => relayAnswer(text)).toThrow(expect.not.stringContaining('busy'));
});
