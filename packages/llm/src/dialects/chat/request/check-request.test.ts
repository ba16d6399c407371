import { describe, expect, test } from 'vitest';
import { verifies } from '@codelab/testkit';
import { ApiError } from '../../../errors/api-error.js';
import type { CheckOptions } from '../../dialect.js';
import { checkRequest } from './check-request.js';

const user = { role: 'user', content: 'hi' };
const tool = (name: unknown, more: object = {}) => ({ type: 'function', function: { name, ...more } });
const calls = (...ids: string[]) => ({
  role: 'assistant',
  content: null,
  tool_calls: ids.map((id) => ({ id, type: 'function', function: { name: 'read', arguments: '{}' } })),
});
const check = (body: object, options?: CheckOptions) => checkRequest({ messages: [user], ...body }, options);
const paramOf = (body: unknown, options?: CheckOptions): string | undefined => {
  try {
    checkRequest(body, options);
  } catch (error) {
    if (error instanceof ApiError && error.kind === 'invalid_request') return error.param ?? error.message;
    throw error;
  }
  return 'nothing';
};

test.each([
  ['a bare question', {}],
  [
    'everything that is null',
    { tools: null, tool_choice: null, stop: null, max_tokens: null, stream_options: null, response_format: null },
  ],
  ['fields that nobody knows', { logit_bias: { 5: 1 }, metadata: { a: 'b' }, store: true, x: [1] }],
  ['one stop text, and several', { stop: ['a', 'b'] }],
  ['a limit of -1, which is none', { max_tokens: -1 }],
  ['tool_choice as an object', { tools: [tool('read')], tool_choice: { type: 'function', function: { name: 'read' } } }],
  ['a tool that only has a name', { tools: [tool('read', { description: null, parameters: null, strict: null })] }],
  ['functions of old', { functions: [{ name: 'read' }], function_call: { name: 'read' } }],
  ['a choice of a tool of the IDE', { use_vscode_tools: true, tool_choice: { type: 'function', function: { name: 'elsewhere' } } }],
  ['thinking in each form', { thinking: { type: 'enabled', budget_tokens: 1024 } }],
  ['thinking as a flag', { thinking: true, reasoning_effort: 'low' }],
  ['allowed tools that nobody declared', { tool_choice: { type: 'allowed_tools', allowed_tools: { mode: 'auto', tools: [tool('x')] } } }],
  ['parts that only the upstream knows', { messages: [{ role: 'user', content: [{ type: 'input_audio', input_audio: {} }] }] }],
  ['our extensions', { tool_execution: 'auto', max_tool_rounds: 0, session_id: 's', use_ide_tools: false }],
])('%s passes', (_what, body) => {
  expect(() => check(body)).not.toThrow();
});

test(verifies('L3:CP2', 'array content, the developer role, and an assistant without content pass'), () => {
  const messages = [
    { role: 'developer', content: [{ type: 'text', text: 'be good' }] },
    {
      role: 'user',
      content: [
        { type: 'text', text: 'a' },
        { type: 'image_url', image_url: { url: 'https://x/y.png', detail: 'low' } },
      ],
    },
    { role: 'assistant', tool_calls: calls('a').tool_calls },
    { role: 'tool', tool_call_id: 'a', content: [{ type: 'text', text: 'b' }], name: 'read' },
    { role: 'assistant', content: '', refusal: null },
  ];
  expect(() => checkRequest({ messages })).not.toThrow();
});

describe('the five rules of tools', () => {
  test.each([
    ['1', 'each tool is a function', { tools: [tool('a'), { type: 'web_search' }] }, 'tools[1].type'],
    ['1', 'each tool has a type', { tools: [{ function: { name: 'a' } }] }, 'tools[0].type'],
    ['2', 'each has a name', { tools: [tool('a'), tool(undefined)] }, 'tools[1].function.name'],
    ['2', 'which is a text', { tools: [tool(7)] }, 'tools[0].function.name'],
    ['3', 'its schema is one', { tools: [tool('a', { parameters: { type: 'objekt' } })] }, 'tools[0].function.parameters.type'],
    ['3', 'at every depth', { tools: [tool('a', { parameters: { properties: { p: { required: true } } } })] }, 'tools[0].function.parameters.properties.p.required'], // oxfmt-ignore
    ['3', 'and an object', { tools: [tool('a', { parameters: 'x' })] }, 'tools[0].function.parameters'],
    ['4', 'a result names a call', { messages: [user, calls('a'), { role: 'tool', content: 'x' }] }, 'messages[2].tool_call_id'],
    ['5', 'that was made before', { messages: [user, calls('a'), { role: 'tool', tool_call_id: 'b', content: 'x' }] }, 'messages[2].tool_call_id'], // oxfmt-ignore
    ['5', 'not after', { messages: [user, { role: 'tool', tool_call_id: 'a', content: 'x' }, calls('a')] }, 'messages[1].tool_call_id'],
  ])(verifies('L3:five-rules', '%s: %s'), (_rule, _what, body, param) => {
    expect(paramOf({ messages: [user], ...body })).toBe(param);
  });

  test(verifies('L3:RQ6', 'a lenient proxy lets a result of an unknown call, and a tool of another type, pass'), () => {
    const messages = [user, { role: 'tool', tool_call_id: 'gone', content: 'x' }];
    expect(paramOf({ messages })).toBe('messages[1].tool_call_id');
    expect(paramOf({ messages, tools: [{ type: 'custom', custom: { name: 'x' } }] }, { lenient: true })).toBe('nothing');
  });
});

test.each([
  [{ tool_choice: { type: 'function', function: { name: 'b' } } }, 'tool_choice'],
  [{ function_call: { name: 'b' } }, 'function_call'],
])(verifies('L3:RQ10', 'a choice of an undeclared tool is refused: %j'), (choice, param) => {
  expect(paramOf({ messages: [user], tools: [tool('a')], ...choice })).toBe(param);
  expect(() => check({ tools: [tool('a')], ...choice })).toThrow('declared are "a"');
});

test(verifies('L3:RQ16', 'a blank name is refused in a declaration, and taken in a history'), () => {
  expect(paramOf({ messages: [user], tools: [tool(' ')] })).toBe('tools[0].function.name');
  const made = { role: 'assistant', tool_calls: [{ id: 'a', type: 'function', function: { name: '', arguments: '{bad' } }] };
  expect(paramOf({ messages: [user, made] })).toBe('nothing');
});

describe('a field of the wrong type is named', () => {
  const one = (part: object) => ({ messages: [{ role: 'user', content: [{ type: 'text', text: 'a' }, part] }] });
  test.each<[unknown, string]>([
    [[], 'the body must be a JSON object, not []'],
    [null, 'the body must be a JSON object, not null'],
    [{}, 'messages'],
    [{ messages: 'hi' }, 'messages'],
    [{ messages: [] }, 'messages'],
    [{ messages: [user, 'hi'] }, 'messages[1]'],
    [{ messages: [{ content: 'x' }] }, 'messages[0].role'],
    [{ messages: [{ role: 'robot', content: 'x' }] }, 'messages[0].role'],
    [{ messages: [{ role: 'user', content: 7 }] }, 'messages[0].content'],
    [{ messages: [{ role: 'user', content: ['x'] }] }, 'messages[0].content[0]'],
    [one({ text: 'x' }), 'messages[0].content[1].type'],
    [one({ type: 'text' }), 'messages[0].content[1].text'],
    [one({ type: 'image_url' }), 'messages[0].content[1].image_url'],
    [one({ type: 'image_url', image_url: { url: 7 } }), 'messages[0].content[1].image_url.url'],
    [{ messages: [{ role: 'assistant', tool_calls: {} }] }, 'messages[0].tool_calls'],
    [{ messages: [{ role: 'assistant', tool_calls: [{ type: 'function', function: {} }] }] }, 'messages[0].tool_calls[0].id'],
    [{ messages: [{ role: 'assistant', tool_calls: [{ id: 'a', type: 'function' }] }] }, 'messages[0].tool_calls[0].function'],
    [{ messages: [{ role: 'assistant', tool_calls: [{ id: 'a', function: { arguments: {} } }] }] }, 'messages[0].tool_calls[0].function.arguments'],
    [{ messages: [{ role: 'function', name: 'x', content: 'y' }] }, 'messages[0].name'],
    [{ messages: [{ role: 'user' }] }, 'messages[0].content'],
    [{ messages: [{ role: 'user', content: null }] }, 'messages[0].content'],
    ...Object.entries({
      model: 7, stream: 'yes', stream_options: true, max_tokens: 0, max_completion_tokens: 1.5, temperature: 3, top_p: '1', top_k: 0.5, n: 0,
      stop: 7, user: {}, parallel_tool_calls: 'no', reasoning_effort: 1, thinking: 'on', tools: {}, tool_choice: 'any', function_call: 'x',
      functions: 'x', use_vscode_tools: 1, use_ide_tools: 'x', tool_execution: 'manual', max_tool_rounds: -1, session_id: 1, response_format: 'json',
    }).map(([name, value]): [unknown, string] => [{ messages: [user], [name]: value }, name]), // oxfmt-ignore
    [{ messages: [user], max_tool_rounds: 1.5 }, 'max_tool_rounds'],
    [{ messages: [user], stop: ['a', 1] }, 'stop[1]'],
    [{ messages: [user], stream_options: { include_usage: 1 } }, 'stream_options.include_usage'],
    [{ messages: [user], thinking: { type: 'enabled', budget_tokens: 'x' } }, 'thinking.budget_tokens'],
    [{ messages: [user], response_format: { type: 'xml' } }, 'response_format.type'],
    [{ messages: [user], response_format: { type: 'json_schema' } }, 'response_format.json_schema'],
    [{ messages: [user], response_format: { type: 'json_schema', json_schema: { name: 'a', schema: { type: 1 } } } }, 'response_format.json_schema.schema.type'],
    [{ messages: [user], tool_choice: { type: 'function' } }, 'tool_choice.function'],
    [{ messages: [user], tool_choice: { type: 'allowed_tools', allowed_tools: { mode: 'any', tools: [] } } }, 'tool_choice.allowed_tools.mode'],
    [{ messages: [user], tools: [tool('a', { description: 7 })] }, 'tools[0].function.description'],
    [{ messages: [user], tools: [tool('a', { strict: 'yes' })] }, 'tools[0].function.strict'],
  ])(verifies('L3:chat-bad-fields', '%j'), (body, param) => {
    expect(paramOf(body)).toBe(param);
  }); // oxfmt-ignore
});

test('what a caller sent is quoted shortly, and a part of it only', () => {
  expect(() => check({ tool_execution: 'x'.repeat(1_000) })).toThrow(/^tool_execution: must be one of "none", "auto", not "x{59}…$/);
  expect(() => check({ model: { secret: 1 } })).toThrow('model: must be a string, not {"secret":1}');
});
