import { expect, test } from 'vitest';
import { verifies } from '@codelab/testkit';
import { ApiError } from '../../../errors/api-error.js';
import { encodeRequest } from '../../chat/request/encode-request.js';
import { decodeRequest } from './decode-request.js';

const decode = (body: object, options: { lenient?: boolean } = {}) => decodeRequest(body, JSON.stringify(body), options);
const request = (body: object) => decode({ model: 'm', max_tokens: 10, messages: [{ role: 'user', content: 'hi' }], ...body }).request;
const messagesOf = (...messages: object[]) => request({ messages }).messages;

const user = (...content: object[]) => ({ role: 'user', content });
const text = (said: string) => ({ type: 'text', text: said });
const uses = (...ids: string[]) => ({
  role: 'assistant',
  content: ids.map((id) => ({ type: 'tool_use', id, name: `tool_${id}`, input: {} })),
});
const result = (id: string, more: object = { content: `of ${id}` }) => ({ type: 'tool_result', tool_use_id: id, ...more });
const image = { type: 'image', source: { type: 'base64', media_type: 'image/png', data: 'AAAA' } };

const said = (role: string, ...texts: string[]) => ({ role, parts: texts.map((one) => ({ kind: 'text', text: one })) });
const resulted = (id: string, content = `of ${id}`) => ({ role: 'tool', parts: [{ kind: 'tool_result', id, content, isError: false }] });

test('a conversation of every kind of block', () => {
  const answer = {
    role: 'assistant',
    content: [
      { type: 'thinking', thinking: 'hm', signature: 'sig' },
      { type: 'redacted_thinking', data: 'opaque' },
      text('ok'),
      { type: 'tool_use', id: 'a', name: 'read', input: { path: 'x' }, cache_control: { type: 'ephemeral' } },
    ],
  };
  const looked = user(result('a', { content: 'no such file', is_error: true, cache_control: { type: 'ephemeral', ttl: '1h' } }));
  const shown = user(
    text('look'),
    { ...image, cache_control: { type: 'ephemeral' } },
    { type: 'image', source: { type: 'url', url: 'https://x/y' } },
  );
  expect(messagesOf({ role: 'user', content: 'hi' }, answer, looked, shown)).toEqual([
    said('user', 'hi'),
    {
      role: 'assistant',
      parts: [
        { kind: 'thinking', text: 'hm', signature: 'sig' },
        { kind: 'redacted_thinking', data: 'opaque' },
        { kind: 'text', text: 'ok' },
        { kind: 'tool_call', id: 'a', name: 'read', arguments: '{"path":"x"}', cache: {} },
      ],
    },
    { role: 'tool', parts: [{ kind: 'tool_result', id: 'a', content: 'no such file', isError: true, cache: { ttl: '1h' } }] },
    {
      role: 'user',
      parts: [
        { kind: 'text', text: 'look' },
        { kind: 'image', source: { kind: 'base64', mediaType: 'image/png', data: 'AAAA' }, cache: {} },
        { kind: 'image', source: { kind: 'url', url: 'https://x/y' } },
      ],
    },
  ]);
});

test('system as a text and as blocks', () => {
  expect(request({ system: 'be good' }).messages[0]).toEqual(said('system', 'be good'));
  const system = [text('one'), { ...text('two'), cache_control: { type: 'ephemeral' } }];
  expect(request({ system }).messages[0]).toEqual({
    role: 'system',
    parts: [
      { kind: 'text', text: 'one' },
      { kind: 'text', text: 'two', cache: {} },
    ],
  });
  expect(request({ system: [] }).messages).toHaveLength(1);
});

test(verifies('L3:RQ26', 'the input of a call is carried to the letter, a megabyte of it too'), () => {
  const odd = '{ "n": 12345678901234567890, "b":1, "a": "\\u00e9" }';
  const large = JSON.stringify({ content: 'x"\n'.repeat(350_000) });
  const body = { messages: [user(text('go')), uses('a', 'b'), user(result('a'), result('b'))] };
  const raw = JSON.stringify(body).replace('"input":{}', `"input":${odd}`).replace('"input":{}', `"input" :\n${large}`);
  const { messages } = decodeRequest(JSON.parse(raw), raw).request;
  expect(messages[1]?.parts).toMatchObject([{ arguments: odd }, { arguments: large }]);
});

test('a call without input has an empty one', () => {
  const call = { role: 'assistant', content: [{ type: 'tool_use', id: 'a', name: 'now' }] };
  expect(messagesOf(user(text('go')), call, user(result('a')))[1]?.parts).toMatchObject([{ arguments: '{}' }]);
});

test(verifies('L3:RQ17', 'a text before its result goes behind it'), () => {
  expect(messagesOf(uses('a'), user(text('and now?'), result('a'))).slice(1)).toEqual([resulted('a'), said('user', 'and now?')]);
});

test(verifies('L3:RQ18', 'results around a text, and in messages behind it, stand directly after the calls'), () => {
  const around = messagesOf(uses('a', 'b'), user(result('b'), text('one'), result('a')));
  expect(around.slice(1)).toEqual([resulted('b'), resulted('a'), said('user', 'one')]);
  const apart = messagesOf(uses('a', 'b'), user(result('a')), { role: 'system', content: 'note' }, user(text('one')), user(result('b')));
  expect(apart.slice(1)).toEqual([resulted('a'), resulted('b'), said('system', 'note'), said('user', 'one')]);
});

test(verifies('L3:RQ19', 'text and images of a result are told apart'), () => {
  const [, message] = messagesOf(uses('a'), user(result('a', { content: [text('a picture'), image] })));
  expect(message?.parts).toMatchObject([{ content: 'a picture', images: [{ kind: 'image', source: { data: 'AAAA' } }] }]);
});

test.each([
  [{}, ''],
  [{ content: null }, ''],
  [{ content: [] }, ''],
  [{ content: 'plain' }, 'plain'],
  [{ content: [text('one'), text('two')] }, 'one\ntwo'],
])(verifies('L3:RQ20', 'the result %j reads %j'), (more, content) => {
  expect(messagesOf(uses('a'), user(result('a', more)))[1]).toEqual(resulted('a', content));
});

test(verifies('L3:RQ6', 'a result of no call is refused by its place; lenient, it is text of the user'), () => {
  const orphan = { messages: [user(text('hi'), result('gone'))] };
  expect(() => decode(orphan)).toThrow(
    expect.objectContaining({
      kind: 'invalid_request',
      param: 'messages[0].content[1].tool_use_id',
      message: expect.stringContaining('gone'),
    }),
  );
  expect(decode(orphan, { lenient: true }).request.messages).toEqual([said('user', 'hi', 'Tool result: of gone')]);
});

test(verifies('L3:RQ7', 'an empty one makes no turn'), () => {
  const body = { messages: [user(result('gone', { content: [] })), user(text('hi'))] };
  expect(decode(body, { lenient: true }).request.messages).toEqual([said('user', 'hi')]);
});

test(verifies('L3:RQ27', 'a system message among the others stays where it is'), () => {
  const system = { role: 'system', content: [text('from now on: short')] };
  expect(messagesOf(user(text('a')), system, user(text('b')))).toEqual([
    said('user', 'a'),
    said('system', 'from now on: short'),
    said('user', 'b'),
  ]);
});

const TOOL = { name: 'read', input_schema: { type: 'object' } };

test.each([
  [undefined, {}],
  [null, {}],
  [{ type: 'auto' }, { toolChoice: 'auto' }],
  [{ type: 'any' }, { toolChoice: 'required' }],
  [{ type: 'none' }, { toolChoice: 'none' }],
  [{ type: 'tool', name: 'read' }, { toolChoice: { name: 'read' } }],
  [
    { type: 'any', disable_parallel_tool_use: false },
    { toolChoice: 'required', parallelToolCalls: true },
  ],
])(verifies('L3:RQ12', 'the choice %j is %j'), (tool_choice, expected) => {
  const { toolChoice, parallelToolCalls } = request({ tools: [TOOL], tool_choice });
  expect({ toolChoice, parallelToolCalls }).toEqual({ toolChoice: undefined, parallelToolCalls: undefined, ...expected });
});

test(verifies('L3:RQ11', 'one call at a time'), () => {
  const tool_choice = { type: 'auto', disable_parallel_tool_use: true };
  expect(request({ tools: [TOOL], tool_choice })).toMatchObject({ toolChoice: 'auto', parallelToolCalls: false });
});

test(verifies('L3:RQ23', 'tools of type custom and of none are functions with their schema untouched'), () => {
  const input_schema = { type: 'object', $defs: { x: { anyOf: [] } }, properties: { p: { $ref: '#/$defs/x', minLength: 2 } } };
  const described = { name: 'b', type: 'custom', description: 'does b', input_schema, strict: true, cache_control: { type: 'ephemeral' } };
  expect(request({ tools: [{ ...TOOL, type: null, defer_loading: true }, described] }).tools).toEqual([
    { name: 'read', description: '', parameters: { type: 'object' } },
    { name: 'b', description: 'does b', parameters: input_schema, strict: 'if_possible', cache: {} },
  ]);
});

const SEARCH = { type: 'web_search_20250305', name: 'web_search', max_uses: 5 };

test(verifies('L3:RQ23', 'one that runs at Anthropic is left out beside others and named; alone, or chosen, it is refused'), () => {
  const body = { messages: [user(text('hi'))], tools: [TOOL, SEARCH] };
  expect(decode(body)).toMatchObject({ request: { tools: [{ name: 'read' }] }, notes: [expect.stringContaining('web_search_20250305')] });
  expect(() => decode({ ...body, tools: [SEARCH] })).toThrow(expect.objectContaining({ param: 'tools[0].type' }));
  expect(() => decode({ ...body, tool_choice: { type: 'tool', name: 'web_search' } })).toThrow(
    expect.objectContaining({ param: 'tool_choice' }),
  );
});

test(verifies('L3:vendor-tools', 'one that the caller runs keeps its type and settings'), () => {
  const tools = [
    { type: 'text_editor_20250728', name: 'str_replace_based_edit_tool', max_characters: 100 },
    { type: 'bash_20250124', name: 'bash' },
  ];
  expect(request({ tools, tool_choice: { type: 'tool', name: 'bash' } })).toMatchObject({
    tools: [
      { name: 'str_replace_based_edit_tool', vendor: { type: 'text_editor_20250728', max_characters: 100 } },
      { name: 'bash', vendor: { type: 'bash_20250124' } },
    ],
    toolChoice: { name: 'bash' },
  });
});

test(verifies('L3:RQ24', 'limits, stops and the user'), () => {
  const body = { max_tokens: 0, temperature: 0, top_p: 0.5, top_k: 7, stop_sequences: ['END'], metadata: { user_id: '{"a":1}' } };
  expect(request(body)).toMatchObject({ maxTokens: 1, temperature: 0, topP: 0.5, topK: 7, stop: ['END'], user: '{"a":1}' });
  const bare = decode({ model: 'm', stream: true, messages: [user(text('hi'))], stop_sequences: [], metadata: {} });
  expect(bare).toEqual({ request: { model: 'm', messages: [said('user', 'hi')], tools: [] }, stream: true, includeUsage: true });
});

test.each([
  [{ thinking: { type: 'enabled', budget_tokens: 2048 } }, { kind: 'on', budgetTokens: 2048 }],
  [
    { thinking: { type: 'adaptive' }, output_config: { effort: 'high' } },
    { kind: 'adaptive', effort: 'high' },
  ],
  [{ thinking: { type: 'disabled' }, output_config: { effort: 'high' } }, { kind: 'off' }],
  [{ output_config: { effort: 'low' } }, { kind: 'adaptive', effort: 'low' }],
  [{ thinking: { type: 'of_a_later_version' } }, undefined],
])('how much to think: %j', (body, expected) => {
  expect(request(body).thinking).toEqual(expected);
});

test('the form of the answer, where it stands now and where it stood before', () => {
  const format = { type: 'json_schema', schema: { type: 'object' } };
  const expected = { kind: 'json_schema', name: 'answer', schema: { type: 'object' }, strict: 'if_possible' };
  expect(request({ output_config: { format } }).responseFormat).toEqual(expected);
  expect(request({ output_format: format }).responseFormat).toEqual(expected);
});

test('documents, search results and references are kept as far as they are text, and named where they are not', () => {
  const content = [
    { type: 'document', title: 'T', source: { type: 'text', media_type: 'text/plain', data: 'plain' } },
    { type: 'document', source: { type: 'content', content: [text('inner'), image] } },
    { type: 'document', source: { type: 'base64', media_type: 'application/pdf', data: 'AAAA' } },
    { type: 'search_result', title: 'S', source: 'https://s', content: [text('found')] },
    { type: 'image', source: { type: 'file', file_id: 'f' } },
    { type: 'container_upload', file_id: 'f' },
  ];
  const [message] = messagesOf(user(...content));
  expect(message?.parts.map((part) => (part.kind === 'text' ? part.text : part.kind))).toEqual([
    ...['T', 'plain', 'inner', 'image'],
    expect.stringContaining('application/pdf'),
    ...['S: https://s', 'found'],
    expect.stringContaining('image'),
  ]);
});

test(verifies('L3:messages-claude-code', 'a body such as Claude Code sends is taken whole'), () => {
  const reminder = '<system-reminder>'.repeat(5_000);
  const { request: decoded, notes } = decode({
    model: 'claude-x',
    max_tokens: 32_000,
    stream: true,
    system: [text('You are Claude Code'), { ...text(reminder), cache_control: { type: 'ephemeral', ttl: '1h' } }],
    thinking: { type: 'adaptive', display: 'omitted' },
    context_management: { edits: [{ type: 'clear_thinking_20251015', keep: 'all' }] },
    output_config: { effort: 'medium' },
    betas: ['interleaved-thinking-2025-05-14'],
    metadata: { user_id: '{"device_id":"d"}' },
    mcp_servers: [],
    tools: [
      { ...TOOL, name: 'Read', defer_loading: true, eager_input_streaming: true, input_examples: [{}] },
      { type: 'tool_search_tool_regex_20251119', name: 'tool_search_tool_regex' },
    ],
    messages: [
      user(text(reminder), text('hi')),
      { role: 'assistant', content: [{ type: 'server_tool_use', id: 's', name: 'tool_search_tool_regex', input: {} }, text('ok')] },
      {
        role: 'assistant',
        content: [{ type: 'tool_use', id: 't', name: 'ToolSearch', input: { query: 'x' }, caller: { type: 'direct' } }],
      },
      user(result('t', { content: [{ type: 'tool_reference', tool_name: 'Read' }] })),
    ],
  });
  expect(decoded).toMatchObject({ tools: [{ name: 'Read' }], thinking: { kind: 'adaptive', effort: 'medium' } });
  expect(decoded.messages.at(-1)).toEqual(resulted('t', 'Tool: Read'));
  expect(notes).toHaveLength(1);
});

test(verifies('L3:messages-claude-code', 'blocks of the system prompt and of the user stay apart for a model of another vendor'), () => {
  const system = [text('You are Claude Code'), text('Today is Sunday')];
  const { messages } = encodeRequest(request({ system, messages: [user(text('a reminder'), text('hi'))] })).body;
  expect(messages).toEqual([
    { role: 'system', content: 'You are Claude Code\n\nToday is Sunday' },
    { role: 'user', content: 'a reminder\n\nhi' },
  ]);
});

test(verifies('L3:messages-thread', 'it says so in the word that SDKs react to; a thread of null is none'), () => {
  const body = { messages: [user(result('a'))], thread: { type: 'continue', previous_message_id: 'm' } };
  const refusal = { kind: 'invalid_request', details: { error_code: 'thread_unsupported_request' } };
  expect(() => decode(body)).toThrow(expect.objectContaining(refusal));
  expect(() => decode(body)).toThrow(ApiError);
  expect(() => decode({ messages: [user(text('hi'))], thread: null })).not.toThrow();
});
