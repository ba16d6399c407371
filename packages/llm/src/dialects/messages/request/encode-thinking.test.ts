import { expect, test } from 'vitest';
import { verifies } from '@codelab/testkit';
import type { Message, ModelRequest, Part } from '../../../canonical/message.js';
import { encodeRequest } from './encode-request.js';

const user = (text: string): Message => ({ role: 'user', parts: [{ kind: 'text', text }] });
const CALL: Part = { kind: 'tool_call', id: 'a', name: 'read', arguments: '{}' };
const THOUGHT: Part = { kind: 'thinking', text: 'hm', signature: 's' };
const RESULT: Message = { role: 'tool', parts: [{ kind: 'tool_result', id: 'a', content: 'x', isError: false }] };
const tool = (name: string) => ({ name, description: '', parameters: { type: 'object' } });

const OLD = 'claude-sonnet-4-5-20250929';
const encode = (request: Partial<ModelRequest>, maxOutputTokens?: number) =>
  encodeRequest(
    { model: OLD, messages: [user('hi')], tools: [tool('read'), tool('write')], ...request },
    maxOutputTokens === undefined ? {} : { maxOutputTokens },
  );

test.each<[ModelRequest['thinking'], number | undefined, object | undefined, number]>([
  [undefined, 100, undefined, 100],
  [{ kind: 'off' }, 100, { type: 'disabled' }, 100],
  [{ kind: 'on', budgetTokens: 2000 }, 4000, { type: 'enabled', budget_tokens: 2000 }, 4000],
  [{ kind: 'on', budgetTokens: 10 }, 4000, { type: 'enabled', budget_tokens: 1024 }, 4000],
  [{ kind: 'on', effort: 'low' }, undefined, { type: 'enabled', budget_tokens: 2048 }, 10_240],
  [{ kind: 'on', effort: 'high' }, undefined, { type: 'enabled', budget_tokens: 16_384 }, 24_576],
  [{ kind: 'on', effort: 'high' }, 10_000, { type: 'enabled', budget_tokens: 5000 }, 10_000],
  [{ kind: 'on', effort: 'of another vendor' }, undefined, { type: 'enabled', budget_tokens: 8192 }, 16_384],
  [{ kind: 'adaptive' }, undefined, { type: 'enabled', budget_tokens: 8192 }, 16_384],
  [{ kind: 'on', effort: 'high' }, 1000, undefined, 1000],
])(verifies('L3:messages-thinking', 'a model with a budget: %j within %j tokens is %j'), (thinking, maxTokens, expected, max_tokens) => {
  const { body, notes } = encode({ ...(thinking && { thinking }), ...(maxTokens && { maxTokens }) });
  expect([body.thinking, body.max_tokens]).toEqual([expected, max_tokens]);
  expect(notes).toHaveLength(thinking && !expected ? 1 : 0);
  expect(body).not.toHaveProperty('output_config');
});

test('the largest answer of the model bounds the budget', () => {
  expect(encode({ thinking: { kind: 'on', effort: 'max' } }, 64_000).body).toMatchObject({
    max_tokens: 64_000,
    thinking: { type: 'enabled', budget_tokens: 32_000 },
  });
});

test.each<[string, boolean]>([
  ['claude-3-7-sonnet-20250219', false],
  ['claude-sonnet-4-20250514', false],
  ['claude-opus-4-5', false],
  ['glm-5', false],
  ['claude-opus-4-6', true],
  ['claude-sonnet-4-6-20260217', true],
  ['anthropic.claude-opus-4-8', true],
  ['claude-haiku-5-5', true],
  ['claude-fable-5', true],
])(verifies('L3:messages-thinking', '%s decides itself how much it thinks: %j'), (model, isAdaptive) => {
  const { thinking } = encode({ model, thinking: { kind: 'on', effort: 'low' } }).body;
  expect(thinking?.type).toBe(isAdaptive ? 'adaptive' : 'enabled');
});

test.each<[ModelRequest['thinking'], string | undefined]>([
  [{ kind: 'on', effort: 'minimal' }, 'low'],
  [{ kind: 'on', effort: 'xhigh' }, 'xhigh'],
  [{ kind: 'on', effort: 'of another vendor' }, undefined],
  [{ kind: 'on', budgetTokens: 8000 }, 'medium'],
  [{ kind: 'on', budgetTokens: 500_000 }, 'max'],
  [{ kind: 'on' }, undefined],
  [{ kind: 'adaptive' }, undefined],
])(verifies('L3:messages-thinking', 'a model that decides itself: %j is the effort %j'), (thinking, effort) => {
  const { body } = encode({ model: 'claude-opus-5', ...(thinking && { thinking }) });
  expect(body.thinking).toEqual({ type: 'adaptive', display: 'summarized' });
  expect(body.output_config?.effort).toBe(effort);
});

test('a model that thinks gets no sampling', () => {
  const { body } = encode({ thinking: { kind: 'on' }, temperature: 0.5, topP: 0.5, topK: 5 });
  expect(JSON.stringify(body)).not.toMatch(/temperature|top_/);
  expect(encode({ thinking: { kind: 'off' }, temperature: 0.5 }).body.temperature).toBe(0.5);
});

test(verifies('L3:RQ28', 'a forced choice becomes auto, a named one leaves only that tool, and it is noted'), () => {
  const named = encode({ thinking: { kind: 'on' }, toolChoice: { name: 'write' }, parallelToolCalls: false });
  expect(named.body).toMatchObject({
    thinking: { type: 'enabled' },
    tools: [{ name: 'write' }],
    tool_choice: { type: 'auto', disable_parallel_tool_use: true },
  });
  expect(named.body.tools).toHaveLength(1);
  expect(named.notes).toHaveLength(1);
  const required = encode({ model: 'claude-opus-5', thinking: { kind: 'adaptive' }, toolChoice: 'required' });
  expect(required.body.tools).toHaveLength(2);
  expect(required.body.tool_choice).toEqual({ type: 'auto' });
  expect(encode({ thinking: { kind: 'off' }, toolChoice: 'required' }).body.tool_choice).toEqual({ type: 'any' });
});

test('an answer that goes on must begin with a thought, or the provider refuses to think', () => {
  const thinking = { kind: 'on' } as const;
  const loop = (...parts: Part[]) => encode({ thinking, messages: [user('hi'), { role: 'assistant', parts }, RESULT] });
  expect(loop(THOUGHT, CALL).body.thinking).toMatchObject({ type: 'enabled' });
  expect(loop({ kind: 'redacted_thinking', data: 'd' }, CALL).body.thinking).toMatchObject({ type: 'enabled' });
  expect(loop(CALL).body.thinking).toBeUndefined();
  expect(loop({ kind: 'thinking', text: 'of another vendor' }, CALL).notes).toHaveLength(1);
  const later: Message[] = [
    user('hi'),
    { role: 'assistant', parts: [THOUGHT, CALL] },
    RESULT,
    { role: 'assistant', parts: [CALL] },
    RESULT,
  ];
  expect(encode({ thinking, messages: later }).body.thinking).toMatchObject({ type: 'enabled' });
  const over: Message[] = [
    user('hi'),
    { role: 'assistant', parts: [CALL] },
    RESULT,
    { role: 'assistant', parts: [{ kind: 'text', text: 'ok' }] },
    user('go'),
  ];
  expect(encode({ thinking, messages: over }).body.thinking).toMatchObject({ type: 'enabled' });
  expect(
    encode({ model: 'claude-opus-5', thinking, messages: later.toSpliced(1, 1, { role: 'assistant', parts: [CALL] }) }).body.thinking?.type,
  ).toBe('adaptive');
});
