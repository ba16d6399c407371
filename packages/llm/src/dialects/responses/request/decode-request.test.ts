import { expect, test } from 'vitest';
import { verifies } from '@codelab/testkit';
import { ApiError } from '../../../errors/api-error.js';
import type { Message } from '../../../canonical/message.js';
import type { DecodeOptions } from '../../dialect.js';
import { decodeRequest } from './decode-request.js';
import { sealThought } from './thought-envelope.js';

const decodeAll = (body: object, options: DecodeOptions = {}) => {
  const whole = { model: 'm', input: 'hi', ...body };
  return decodeRequest(whole, JSON.stringify(whole), options);
};
const decode = (body: object, options: DecodeOptions = {}) => decodeAll(body, options).request;
const messages = (...input: object[]): readonly Message[] => decode({ input }).messages;

const refusal = (body: object, options: DecodeOptions = {}): ApiError => {
  try {
    decode(body, options);
  } catch (error) {
    if (error instanceof ApiError) return error;
    throw error;
  }
  throw new Error('it was taken');
};

const fn = (name: string, more: object = {}) => ({ type: 'function', name, parameters: { type: 'object' }, ...more });
const call = (id: string, name = 'add', more: object = {}) => ({ type: 'function_call', call_id: id, name, arguments: '{"a":1}', ...more });
const output = (id: string, value: unknown = 'done') => ({ type: 'function_call_output', call_id: id, output: value });
const text = (value: string) => ({ kind: 'text', text: value });

test('a text is what the user says, and what is left out stays out', () => {
  expect(decodeAll({})).toEqual({
    request: { model: 'm', messages: [{ role: 'user', parts: [text('hi')] }], tools: [] },
    stream: false,
    includeUsage: true,
    echo: expect.anything() as unknown,
  });
});

test('every setting that other dialects have is read, and the rest is no failure', () => {
  const { request, stream } = decodeAll({
    instructions: 'be good',
    ...{ stream: true, store: false, include: ['reasoning.encrypted_content'], prompt_cache_key: 'k', client_metadata: { a: 'b' } },
    ...{ max_output_tokens: 9, temperature: 0.5, top_p: 0.9, parallel_tool_calls: false, service_tier: 'auto', truncation: null },
    ...{ reasoning: { effort: 'high', summary: 'auto' }, safety_identifier: 'u', metadata: { a: 'b' } },
    text: { verbosity: 'low', format: { type: 'json_schema', name: 'n', schema: { type: 'object' }, strict: true } },
  });
  expect(stream).toBe(true);
  expect(request).toEqual({
    model: 'm',
    messages: [
      { role: 'system', parts: [text('be good')] },
      { role: 'user', parts: [text('hi')] },
    ],
    tools: [],
    ...{ maxTokens: 9, temperature: 0.5, topP: 0.9, parallelToolCalls: false, user: 'u', thinking: { kind: 'on', effort: 'high' } },
    responseFormat: { kind: 'json_schema', name: 'n', schema: { type: 'object' }, strict: true },
  });
  expect(decode({ reasoning: { effort: 'none' } }).thinking).toEqual({ kind: 'off' });
  expect(decode({ text: { format: { type: 'json_object' } } }).responseFormat).toEqual({ kind: 'json' });
});

test(verifies('L3:responses-items', 'what a model said in a row is one message, and each result stands right after its calls'), () => {
  expect(
    messages(
      { role: 'developer', content: [{ type: 'input_text', text: 'rules' }] },
      {
        type: 'message',
        role: 'user',
        content: [
          { type: 'input_text', text: 'look' },
          { type: 'input_image', image_url: 'https://x/y.png', detail: 'low' },
        ],
      },
      { type: 'message', role: 'assistant', content: [{ type: 'output_text', text: 'I look' }] },
      call('a'),
      call('b', 'read', { arguments: '' }),
      { role: 'user', content: 'meanwhile' },
      output('b', [
        { type: 'input_text', text: 'one' },
        { type: 'input_image', image_url: 'data:image/png;base64,AAAA' },
        { type: 'input_text', text: 'two' },
      ]),
      output('a'),
    ),
  ).toEqual([
    { role: 'system', parts: [text('rules')] },
    { role: 'user', parts: [text('look'), { kind: 'image', source: { kind: 'url', url: 'https://x/y.png' }, detail: 'low' }] },
    {
      role: 'assistant',
      parts: [
        text('I look'),
        { kind: 'tool_call', id: 'a', name: 'add', arguments: '{"a":1}' },
        { kind: 'tool_call', id: 'b', name: 'read', arguments: '' },
      ],
    },
    {
      role: 'tool',
      parts: [
        {
          ...{ kind: 'tool_result', id: 'b', content: 'one\ntwo', isError: false },
          images: [{ kind: 'image', source: { kind: 'base64', mediaType: 'image/png', data: 'AAAA' } }],
        },
        { kind: 'tool_result', id: 'a', content: 'done', isError: false },
      ],
    },
    { role: 'user', parts: [text('meanwhile')] },
  ]);
});

test(
  verifies('L3:responses-namespaces', "tools of Codex' MCP servers become functions of one flat list, in history and choice too"),
  () => {
    const tools = [
      fn('add'),
      { type: 'namespace', name: 'mcp__files', description: 'd', tools: [fn('add', { strict: false }), fn('git.diff')] },
      { type: 'namespace', name: 'x__', tools: [fn('y')] },
      { type: 'web_search', external_web_access: false },
      { type: 'custom', name: 'patch', description: 'Patches', format: { type: 'grammar', syntax: 'lark', definition: 'start: "x"' } },
      { type: 'tool_search', execution: 'client', parameters: { type: 'object' } },
      { type: 'tool_search', execution: 'server' },
    ];
    const input = [
      call('a', 'add', { namespace: 'mcp__files' }),
      { type: 'custom_tool_call', call_id: 'b', name: 'patch', input: 'x "y"' },
      { type: 'tool_search_call', call_id: 'c', execution: 'client', arguments: { query: 'q' } },
      { type: 'web_search_call', id: 'w', status: 'completed', action: { type: 'search' } },
      output('a'),
      { type: 'custom_tool_call_output', call_id: 'b', output: 'ok' },
      { type: 'tool_search_output', call_id: 'c', execution: 'client', tools: [fn('found')] },
    ];
    const request = decode({ tools, input, tool_choice: { type: 'function', name: 'git.diff' } });
    expect(request.tools.map(({ name }) => name)).toEqual([
      'add',
      'mcp__files__add',
      'mcp__files__git.diff',
      'x__y',
      'patch',
      'tool_search',
      'found',
    ]);
    expect(request.tools[4]).toMatchObject({ description: 'Patches\n\nThe input must follow this grammar (lark):\nstart: "x"' });
    expect(request.toolChoice).toEqual({ name: 'mcp__files__git.diff' });
    expect(request.messages[0]?.parts).toEqual([
      { kind: 'tool_call', id: 'a', name: 'mcp__files__add', arguments: '{"a":1}' },
      { kind: 'tool_call', id: 'b', name: 'patch', arguments: '{"input":"x \\"y\\""}' },
      { kind: 'tool_call', id: 'c', name: 'tool_search', arguments: '{"query":"q"}' },
    ]);
    expect(request.messages[1]?.parts.map((part) => part.kind === 'tool_result' && part.content.slice(0, 16))).toEqual([
      'done',
      'ok',
      '[{"type":"functi',
    ]);
  },
);

test('two tools never get one name', () => {
  const tools = [fn('a__b'), { type: 'namespace', name: 'a', tools: [fn('b')] }];
  const { request } = decodeAll({ tools, input: [call('1', 'b', { namespace: 'a' }), output('1')] });
  expect(request.tools.map(({ name }) => name)).toEqual(['a__b', 'a__b_2']);
  expect(request.messages[0]?.parts[0]).toMatchObject({ name: 'a__b_2' });
});

test.each([
  ['auto', { toolChoice: 'auto' }, 2],
  ['none', { toolChoice: 'none' }, 2],
  ['required', { toolChoice: 'required' }, 2],
  [{ type: 'function', name: 'a' }, { toolChoice: { name: 'a' } }, 2],
  [{ type: 'allowed_tools', mode: 'required', tools: [{ type: 'function', name: 'b' }] }, { toolChoice: 'required' }, 1],
  [{ type: 'allowed_tools', mode: 'auto', tools: [{ type: 'function', name: 'gone' }] }, { toolChoice: 'auto' }, 2],
])('the choice %j', (tool_choice, expected, tools) => {
  const request = decode({ tools: [fn('a'), fn('b'), { type: 'web_search' }], tool_choice });
  expect(request).toMatchObject(expected);
  expect(request.tools).toHaveLength(tools);
});

test(verifies('L3:responses-thoughts', 'a thought of another provider comes back to it through a caller that stores nothing'), () => {
  const thinking = { kind: 'thinking', text: 'hm  \n', signature: 'S' } as const;
  const redacted = { kind: 'redacted_thinking', data: 'R' } as const;
  expect(
    messages(
      {
        type: 'reasoning',
        id: 'rs_1',
        summary: [{ type: 'summary_text', text: 'changed by someone' }],
        encrypted_content: sealThought(thinking),
      },
      { type: 'reasoning', id: 'rs_2', summary: [], encrypted_content: sealThought(redacted) },
      { type: 'reasoning', id: 'rs_3', summary: [{ type: 'summary_text', text: 'seen' }], encrypted_content: 'gAAAA-of-OpenAI' },
      { type: 'reasoning', id: 'rs_4', summary: [], encrypted_content: 'gAAAA-of-OpenAI' },
      { type: 'reasoning', id: 'rs_5', summary: [], encrypted_content: 'codelab1.cut' },
      call('a'),
      output('a'),
    )[0]?.parts.slice(0, -1),
  ).toEqual([thinking, redacted, { kind: 'thinking', text: 'seen' }]);
});

test(verifies('L3:responses-references', 'an item is referred to by its id as long as it is known, and named when it is not'), () => {
  const body = {
    input: [
      { role: 'user', content: 'hi' },
      { type: 'item_reference', id: 'msg_1' },
    ],
  };
  const items = new Map([['msg_1', { type: 'message', role: 'assistant', content: [{ type: 'output_text', text: 'said' }] }]]);
  expect(decode(body, { items }).messages[1]).toEqual({ role: 'assistant', parts: [text('said')] });
  expect(refusal(body)).toMatchObject({
    param: 'input[1].id',
    code: 'item_not_found',
    message: expect.stringContaining('store: false') as unknown,
  });
});

test('a result without its call is refused, or becomes text of the user where that is set', () => {
  expect(refusal({ input: [output('x')] })).toMatchObject({ kind: 'invalid_request', param: 'input[0].call_id' });
  expect(decode({ input: [output('x', 'found'), output('y', '')] }, { lenient: true }).messages).toEqual([
    { role: 'user', parts: [text('Tool result: found')] },
  ]);
});

test.each<[string, object]>([
  ['body', []],
  ['model', { model: '' }],
  ['input', { input: 7 }],
  ['input', { input: [] }],
  ['input[0]', { input: ['hi'] }],
  ['input[0].role', { input: [{ role: 'robot', content: 'x' }] }],
  ['input[0].type', { input: [{ type: 'telepathy' }] }],
  ['input[0]', { input: [{ type: 'compaction', encrypted_content: 'x' }] }],
  ['input[0].content', { input: [{ role: 'user', content: 7 }] }],
  ['input[0].content[0].type', { input: [{ role: 'user', content: [{ type: 'input_smell' }] }] }],
  ['input[0].content[0].text', { input: [{ role: 'user', content: [{ type: 'input_text' }] }] }],
  ['input[0].content[0]', { input: [{ role: 'user', content: [{ type: 'input_file', file_data: 'x' }] }] }],
  ['input[0].content[0]', { input: [{ role: 'user', content: [{ type: 'input_image', file_id: 'f' }] }] }],
  [
    'input[0].content[0].image_url',
    { input: [{ role: 'user', content: [{ type: 'input_image', image_url: 'data:image/png;base64,???' }] }] },
  ],
  ['input[0].content', { input: [{ role: 'user' }] }],
  ['input[0].name', { input: [{ type: 'function_call', call_id: 'c', name: 5, arguments: '{}' }] }],
  ['input[0].arguments', { input: [{ type: 'function_call', call_id: 'c', name: 'f', arguments: 5 }] }],
  ['input[0].call_id', { input: [{ type: 'function_call_output', output: 'x' }] }],
  ['stream', { stream: 'yes' }],
  ['max_output_tokens', { max_output_tokens: 0 }],
  ['temperature', { temperature: 'hot' }],
  ['temperature', { temperature: -1 }],
  ['top_p', { top_p: 5 }],
  ['reasoning.effort', { reasoning: { effort: 5 } }],
  ['user', { user: 5 }],
  ['include', { include: 'x' }],
  ['text.format', { text: { format: 'x' } }],
  ['text', { text: 'x' }],
  ['text.format.type', { text: { format: { type: 'xml' } } }],
  ['text.format.schema', { text: { format: { type: 'json_schema', name: 'n' } } }],
  ['tools', { tools: {} }],
  ['tools[0].type', { tools: [{ name: 'x' }] }],
  ['tools[0].name', { tools: [{ type: 'function', name: ' ' }] }],
  ['tools[0].description', { tools: [fn('x', { description: 5 })] }],
  ['tools[0].parameters', { tools: [fn('x', { parameters: 'none' })] }],
  ['tools[0].tools[0].name', { tools: [{ type: 'namespace', name: 'n', tools: [{ type: 'function' }] }] }],
  ['tool_choice', { tool_choice: 'some' }],
  ['tool_choice', { tool_choice: {} }],
  ['tool_choice', { tools: [fn('a')], tool_choice: { type: 'function', name: 'b' } }],
  ['tool_choice', { tools: [{ type: 'web_search' }], tool_choice: { type: 'web_search' } }],
  ['tool_choice', { tools: [{ type: 'web_search' }], tool_choice: 'required' }],
  ['previous_response_id', { previous_response_id: 'resp_1' }],
  ['conversation', { conversation: 'conv_1' }],
  ['background', { background: true }],
])(verifies('L3:responses-bad-fields', 'a bad field is named: %s of %j'), (param, body) => {
  const error = Array.isArray(body) ? refusalOf(body) : refusal(body);
  expect([error.kind, error.param]).toEqual(['invalid_request', param]);
});

const refusalOf = (body: unknown): ApiError => {
  try {
    decodeRequest(body, JSON.stringify(body));
  } catch (error) {
    if (error instanceof ApiError) return error;
    throw error;
  }
  throw new Error('it was taken');
};

test('what is stored nowhere is refused with what to do instead', () => {
  expect(refusal({ previous_response_id: 'resp_1' })).toMatchObject({
    code: 'unsupported_previous_response_id',
    message: expect.stringContaining('whole conversation') as unknown,
  });
});
