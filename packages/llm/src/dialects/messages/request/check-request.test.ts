import { expect, test } from 'vitest';
import { verifies } from '@codelab/testkit';
import { ApiError } from '../../../errors/api-error.js';
import { checkRequest } from './check-request.js';

const HI = { role: 'user', content: 'hi' };
const TOOL = { name: 'read', input_schema: { type: 'object' } };
const block = (value: unknown) => ({ messages: [{ role: 'user', content: [value] }] });
const call = (more: object) => ({
  messages: [{ role: 'assistant', content: [{ type: 'tool_use', id: 'a', name: 'n', input: {}, ...more }] }],
});
const image = (source: unknown) => block({ type: 'image', source });

const check = (body: unknown, options = {}) => checkRequest(body, options);
const refused = (param: string) => expect.objectContaining({ name: 'ApiError', kind: 'invalid_request', param });

test.each<[object, string]>([
  [{ model: 7 }, 'model'],
  [{ messages: undefined }, 'messages'],
  [{ messages: 'hi' }, 'messages'],
  [{ messages: [] }, 'messages'],
  [{ messages: ['hi'] }, 'messages[0]'],
  [{ messages: [{ role: 'tool', content: 'x' }] }, 'messages[0].role'],
  [{ messages: [{ content: 'x' }] }, 'messages[0].role'],
  [{ messages: [HI, { role: 'user' }] }, 'messages[1].content'],
  [{ messages: [{ role: 'user', content: 7 }] }, 'messages[0].content'],
  [block('x'), 'messages[0].content[0]'],
  [block({ text: 'x' }), 'messages[0].content[0].type'],
  [block({ type: 'text' }), 'messages[0].content[0].text'],
  [image(undefined), 'messages[0].content[0].source'],
  [image({ type: 'base64', data: 'AAAA' }), 'messages[0].content[0].source.media_type'],
  [image({ type: 'base64', media_type: 'image/png' }), 'messages[0].content[0].source.data'],
  [image({ type: 'url' }), 'messages[0].content[0].source.url'],
  [block({ type: 'thinking' }), 'messages[0].content[0].thinking'],
  [block({ type: 'redacted_thinking' }), 'messages[0].content[0].data'],
  [call({ id: '' }), 'messages[0].content[0].id'],
  [call({ name: 7 }), 'messages[0].content[0].name'],
  [call({ input: 'text' }), 'messages[0].content[0].input'],
  [block({ type: 'tool_result', content: 'x' }), 'messages[0].content[0].tool_use_id'],
  [block({ type: 'tool_result', tool_use_id: 'a', content: 7 }), 'messages[0].content[0].content'],
  [block({ type: 'tool_result', tool_use_id: 'a', content: [{ type: 'text' }] }), 'messages[0].content[0].content[0].text'],
  [block({ type: 'tool_result', tool_use_id: 'a', is_error: 'yes' }), 'messages[0].content[0].is_error'],
  [{ system: 7 }, 'system'],
  [{ system: [{ type: 'text' }] }, 'system[0].text'],
  [{ max_tokens: '10' }, 'max_tokens'],
  [{ max_tokens: 1.5 }, 'max_tokens'],
  [{ max_tokens: -1 }, 'max_tokens'],
  [{ stream: 'true' }, 'stream'],
  [{ temperature: 'hot' }, 'temperature'],
  [{ temperature: 3 }, 'temperature'],
  [{ top_p: 2 }, 'top_p'],
  [{ top_k: -1 }, 'top_k'],
  [{ stop_sequences: 'END' }, 'stop_sequences'],
  [{ stop_sequences: [1] }, 'stop_sequences[0]'],
  [{ metadata: { user_id: 7 } }, 'metadata.user_id'],
  [{ thinking: true }, 'thinking'],
  [{ thinking: {} }, 'thinking.type'],
  [{ thinking: { type: 'enabled' } }, 'thinking.budget_tokens'],
  [{ output_config: { effort: 7 } }, 'output_config.effort'],
  [{ output_config: { format: { type: 'json_schema', schema: 'x' } } }, 'output_config.format.schema'],
  [{ tools: {} }, 'tools'],
  [{ tools: ['read'] }, 'tools[0]'],
  [{ tools: [{ ...TOOL, input_schema: undefined }] }, 'tools[0].input_schema'],
  [{ tools: [{ ...TOOL, input_schema: 'x' }] }, 'tools[0].input_schema'],
  [{ tools: [TOOL, { ...TOOL, description: 7 }] }, 'tools[1].description'],
  [{ tools: [{ type: 7 }] }, 'tools[0].type'],
  [{ tools: [TOOL], tool_choice: 'auto' }, 'tool_choice'],
  [{ tools: [TOOL], tool_choice: { type: 'required' } }, 'tool_choice.type'],
])(verifies('L3:messages-bad-fields', '%j is refused for %s'), (fields, param) => {
  expect(() => check({ model: 'm', messages: [HI], ...fields })).toThrow(refused(param));
});

test.each([null, [], 'text', 7])('a body %j is refused', (body) => {
  expect(() => check(body)).toThrow(ApiError);
});

test.each([undefined, { name: '' }, { name: ' ' }])(
  verifies('L3:RQ16', 'the declaration of a tool with %j as its name is refused'),
  (name) => {
    expect(() => check({ messages: [HI], tools: [{ ...TOOL, name: undefined, ...name }] })).toThrow(refused('tools[0].name'));
  },
);

test(verifies('L3:RQ16', 'a call in the history may have a blank name'), () => {
  expect(() => check(call({ name: '' }))).not.toThrow();
});

test.each([{ name: 'write' }, { name: '' }, {}])(verifies('L3:RQ10', 'the choice of %j among other tools is refused'), (named) => {
  expect(() => check({ messages: [HI], tools: [TOOL], tool_choice: { type: 'tool', ...named } })).toThrow(refused('tool_choice'));
});

test('a choice is taken where a set of tools has names that only the provider knows', () => {
  const tools = [{ type: 'mcp_toolset', mcp_server_name: 's' }];
  expect(() => check({ messages: [HI], tools, tool_choice: { type: 'tool', name: 'theirs' } })).not.toThrow();
});

test(verifies('L3:RQ6', 'a result of no call is refused, but for callers that are lenient and for threads that go on'), () => {
  const orphan = block({ type: 'tool_result', tool_use_id: 'a', content: 'x' });
  expect(() => check(orphan)).toThrow(refused('messages[0].content[0].tool_use_id'));
  expect(() => check(orphan, { lenient: true })).not.toThrow();
  const choice = { tool_choice: { type: 'tool', name: 'read' } };
  expect(() => check({ ...orphan, ...choice, thread: { type: 'continue', previous_message_id: 'm' } })).not.toThrow();
});

test('what is absent, null or of a later version of the API is let through', () => {
  const absent = Object.fromEntries(
    ['system', 'tools', 'tool_choice', 'metadata', 'thinking', 'stop_sequences', 'stream'].map((name) => [name, null]),
  );
  expect(() => check({ messages: [HI], ...absent })).not.toThrow();
  const later = { thinking: { type: 'between_tools' }, context_management: {}, tools: [{ type: 'advisor_20270101', name: 'advisor' }] };
  expect(() => check({ ...block({ type: 'compaction', content: 'x' }), ...later })).not.toThrow();
});

test('an error never repeats much of what was sent', () => {
  const secret = 'x'.repeat(1_000);
  expect(() => check({ messages: [HI], stream: secret })).toThrow(
    expect.objectContaining({ message: expect.not.stringContaining('x'.repeat(100)) }),
  );
});
