import { expect, test } from 'vitest';
import { verifies } from '@codelab/testkit';
import { prepareRelay } from './prepare-relay.js';
import { relayAnswer } from './relay-answer.js';

const prepare = (raw: string, to: object = {}) =>
  prepareRelay(raw, JSON.parse(raw), { model: 'claude-x', quirks: {}, stream: true, ...to });

test(verifies('L3:messages-relay', 'only the model changes, blanks, escapes, long integers and unknown fields stay'), () => {
  const raw = `{ "model" : "anthropic/claude-x",\n "x":12345678901234567890, "betas":["b"], "messages":[{"role":"user","content":"\\u00e9"}] }`;
  expect(prepare(raw)).toEqual({ text: raw.replace('"anthropic/claude-x"', '"claude-x"') });
  const same = raw.replace('anthropic/', '');
  expect(prepare(same).text).toBe(same);
});

test(verifies('L3:messages-relay', 'our own fields are left out; a missing model is set'), () => {
  const raw = '{"messages":[],"tool_execution":"none","use_ide_tools":true,"thread":{"type":"create"}}';
  expect(prepare(raw).text).toBe('{"messages":[],"thread":{"type":"create"},"model":"claude-x"}');
});

test(verifies('L3:RQ28', 'thinking and a forced choice of a tool go on as they came'), () => {
  const raw =
    '{"model":"claude-x","thinking":{"type":"enabled","budget_tokens":2000},"tool_choice":{"type":"tool","name":"a"},"tools":[{"name":"a"}]}';
  expect(prepare(raw).text).toBe(raw);
});

const NAMED = {
  model: 'claude-x',
  tools: [
    { name: 'git.diff', input_schema: { properties: { name: { const: 'git.diff' } } } },
    { name: 'web_search', type: 'web_search_20250305' },
  ],
  tool_choice: { type: 'tool', name: 'git.diff' },
  messages: [
    { role: 'user', content: [{ type: 'document', name: 'git.diff' }] },
    {
      role: 'assistant',
      content: [
        { type: 'tool_use', id: 'a', name: 'git.diff', input: { name: 'git.diff' } },
        { type: 'tool_use', id: 'b', name: '', input: {} },
      ],
    },
    { role: 'user', content: [{ type: 'tool_result', tool_use_id: 'a', content: [{ type: 'tool_reference', tool_name: 'git.diff' }] }] },
  ],
};

test(verifies('L3:RQ14', 'an illegal name is mapped wherever it names a tool, and nowhere else'), () => {
  const raw = JSON.stringify(NAMED);
  const { text, names } = prepare(raw);
  expect(JSON.parse(text)).toEqual({
    ...NAMED,
    tools: [{ ...NAMED.tools[0], name: 'git_diff' }, NAMED.tools[1]],
    tool_choice: { type: 'tool', name: 'git_diff' },
    messages: [
      NAMED.messages[0],
      {
        role: 'assistant',
        content: [
          { type: 'tool_use', id: 'a', name: 'git_diff', input: { name: 'git.diff' } },
          { type: 'tool_use', id: 'b', name: 'unnamed_tool', input: {} },
        ],
      },
      { role: 'user', content: [{ type: 'tool_result', tool_use_id: 'a', content: [{ type: 'tool_reference', tool_name: 'git_diff' }] }] },
    ],
  });
  expect(names?.fromWire('git_diff')).toBe('git.diff');
});

test(verifies('L3:RQ15', 'a long name is cut the same way as everywhere, and shorter where the server wants it'), () => {
  const raw = JSON.stringify({ model: 'claude-x', tools: [{ name: 'x'.repeat(90) }] });
  const nameIn = (text: string) => (JSON.parse(text) as { tools: { name: string }[] }).tools[0]!.name;
  expect(nameIn(prepare(raw).text)).toMatch(/^x{55}_[0-9a-f]{8}$/);
  expect(nameIn(prepare(raw, { quirks: { max_tool_name: 30 } }).text)).toHaveLength(30);
});

test(verifies('L3:RQ26', 'inputs stay to the letter beside names that change'), () => {
  const input = '{ "n": 12345678901234567890, "b":1, "a": "\\u00e9" }';
  const raw = JSON.stringify(NAMED).replace('"input":{}', `"input":${input}`);
  expect(prepare(raw).text).toContain(`"input":${input}`);
});

const ANSWER =
  '{ "type":"message", "content":[{"type":"text","text":"git_diff"},{"name":"git_diff","type":"tool_use","input":{"name":"git_diff", "n":12345678901234567890}}],"usage":{"input_tokens":3,"cache_read_input_tokens":4,"output_tokens":2} }';

test(verifies('L3:messages-relay', 'an answer in one piece comes back as it is, its usage counted'), () => {
  expect(relayAnswer(ANSWER)).toEqual({ text: ANSWER, usage: { inputTokens: 7, outputTokens: 2, cachedInputTokens: 4 } });
});

test(verifies('L3:RQ14', 'in an answer the caller’s names stand again, and nothing else is changed'), () => {
  const { names } = prepare(JSON.stringify(NAMED));
  expect(relayAnswer(ANSWER, names).text).toBe(ANSWER.replace('{"name":"git_diff","type"', '{"name":"git.diff","type"'));
});

test.each([
  ['<html>', 'unavailable'],
  ['', 'unavailable'],
  ['[]', 'unavailable'],
  ['{"choices":[]}', 'unavailable'],
  ['{"type":"error","error":{"type":"overloaded_error","message":"x"}}', 'overloaded'],
])(verifies('L1:ER2', 'an answer %j is none'), (text, code) => {
  expect(() => relayAnswer(text)).toThrow(expect.objectContaining({ name: 'LlmError', code }));
});
