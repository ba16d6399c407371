import { describe, expect, test } from 'vitest';
import { verifies } from '@codelab/testkit';
import { checkSchema } from '../../../check/check-schema.js';
import { collectAnswer } from '../../../canonical/collect-answer.js';
import type { ImagePart, JsonSchema, Message, ModelRequest, Part, Thinking, ToolChoice } from '../../../canonical/message.js';
import type { StreamPart } from '../../../canonical/stream-part.js';
import { keepFirstCall } from '../../../canonical/keep-first-call.js';
import type { Quirks } from '../../../quirks.js';
import { MUST_CALL } from './choose-tools.js';
import { encodeRequest } from './encode-request.js';

const encode = (request: Partial<ModelRequest>) => encodeRequest({ model: 'm', messages: [], tools: [], ...request }).body;
const encodeWith = (quirks: Quirks, request: Partial<ModelRequest>) =>
  encodeRequest({ model: 'm', messages: [], tools: [], ...request }, { quirks });
const tool = (name: string) => ({ name, description: `does ${name}`, parameters: { type: 'object' } });
const uses = (args: string): Message => ({
  role: 'assistant',
  parts: [{ kind: 'tool_call', id: 'call_a', name: 'read_file', arguments: args }],
});

test('what is left out stays out, and usage is always asked for', () => {
  expect(encode({})).toEqual({ model: 'm', stream: true, stream_options: { include_usage: true }, messages: [] });
});

test('messages of every role', () => {
  const messages: Message[] = [
    { role: 'system', parts: [{ kind: 'text', text: 'be good' }] },
    { role: 'user', parts: [{ kind: 'text', text: 'hi' }] },
    { role: 'assistant', parts: [{ kind: 'thinking', text: 'hm' }, { kind: 'text', text: 'ok' }, ...uses('{}').parts] },
    { role: 'tool', parts: [{ kind: 'tool_result', id: 'call_a', content: 'Error [X]: y', isError: true }] },
    { role: 'assistant', parts: [{ kind: 'thinking', text: 'only this' }] },
    {
      role: 'user',
      parts: [
        { kind: 'text', text: 'see' },
        { kind: 'image', source: { kind: 'base64', mediaType: 'image/png', data: 'AAAA' } },
        { kind: 'image', source: { kind: 'url', url: 'https://x/y.png' } },
      ],
    },
  ];
  expect(encode({ messages }).messages).toEqual([
    { role: 'system', content: 'be good' },
    { role: 'user', content: 'hi' },
    {
      role: 'assistant',
      content: 'ok',
      tool_calls: [{ id: 'call_a', type: 'function', function: { name: 'read_file', arguments: '{}' } }],
    },
    { role: 'tool', tool_call_id: 'call_a', content: 'Error [X]: y' },
    {
      role: 'user',
      content: [
        { type: 'text', text: 'see' },
        { type: 'image_url', image_url: { url: 'data:image/png;base64,AAAA' } },
        { type: 'image_url', image_url: { url: 'https://x/y.png' } },
      ],
    },
  ]);
});

test.each([
  ['', '{}'],
  ['{"bad', '{}'],
  ['[1]', '{}'],
  ['null', '{}'],
  ['{ "n": 12345678901234567890, "b":1, "a": "\\u00e9" }', '{ "n": 12345678901234567890, "b":1, "a": "\\u00e9" }'],
])(verifies('L3:arguments-text', 'earlier arguments %j go upstream as %j'), (given, sent) => {
  expect(encode({ messages: [uses(given)] }).messages[0]).toMatchObject({ content: null, tool_calls: [{ function: { arguments: sent } }] });
});

test('a megabyte of arguments goes upstream as it is', () => {
  const args = JSON.stringify({ content: 'x"\n'.repeat(350_000) });
  expect(encode({ messages: [uses(args)] }).messages[0]).toMatchObject({ tool_calls: [{ function: { arguments: args } }] });
});

test.each([
  ['auto', 'auto'],
  ['none', 'none'],
  ['required', 'required'],
  [{ name: 'git.diff' }, { type: 'function', function: { name: 'git_diff' } }],
] as const)('tool choice %j becomes %j', (toolChoice, expected) => {
  const body = encode({ tools: [tool('git.diff')], toolChoice });
  expect(body.tool_choice).toEqual(expected);
  expect(body.tools).toEqual([
    { type: 'function', function: { name: 'git_diff', description: 'does git.diff', parameters: { type: 'object' } } },
  ]);
});

test('without tools nothing is said about them; parallel calls only when asked', () => {
  expect(encode({ toolChoice: 'auto', parallelToolCalls: false })).not.toHaveProperty('tool_choice');
  expect(encode({ toolChoice: 'auto', parallelToolCalls: false })).not.toHaveProperty('parallel_tool_calls');
  expect(encode({ tools: [tool('a')], parallelToolCalls: false }).parallel_tool_calls).toBe(false);
});

test(verifies('L3:tool-names', 'an illegal name is mapped in tools, choice and history, and its answer is mapped back'), () => {
  const { body, names } = encodeRequest({
    model: 'm',
    tools: [tool('git.diff')],
    messages: [{ role: 'assistant', parts: [{ kind: 'tool_call', id: 'a', name: 'git.diff', arguments: '{}' }] }],
  });
  expect(body.messages[0]).toMatchObject({ tool_calls: [{ function: { name: 'git_diff' } }] });
  expect(names.fromWire('git_diff')).toBe('git.diff');
});

test.each([
  ['gpt-4.1', 'max_tokens'],
  ['llama3', 'max_tokens'],
  ['gpt-5.4-mini', 'max_completion_tokens'],
  ['azure/o3', 'max_completion_tokens'],
])('%s is given %s', (model, field) => {
  expect(encode({ model, maxTokens: 7 })).toMatchObject({ [field]: 7 });
});

test('models that think are given no sampling and no stop: they refuse it', () => {
  const sampling = { temperature: 0, topP: 0.5, stop: ['END'] };
  for (const model of ['gpt-5.4-mini', 'azure/o3', 'o4-mini'])
    for (const field of ['temperature', 'top_p', 'stop']) expect(encode({ model, ...sampling })).not.toHaveProperty(field);
  for (const model of ['gpt-4.1', 'gpt-5-chat-latest', 'gpt-oss-120b', 'llama3'])
    expect(encode({ model, ...sampling })).toMatchObject({ temperature: 0, top_p: 0.5, stop: ['END'] });
});

describe('results', () => {
  const result = (id: string, more: Partial<Extract<Part, { kind: 'tool_result' }>> = {}): Part => ({
    kind: 'tool_result', id, content: `of ${id}`, isError: false, ...more,
  }); // oxfmt-ignore
  const image: ImagePart = { kind: 'image', source: { kind: 'url', url: 'https://x/y.png' }, detail: 'low' };
  const calls: Message = {
    role: 'assistant',
    parts: ['a', 'b'].map((id): Part => ({ kind: 'tool_call', id, name: 'n', arguments: '{}' })),
  };

  test.each<[title: string, messages: Message[], expected: object[]]>([
    [
      verifies('L3:RQ17', 'beside a text go before it'),
      [calls, { role: 'user', parts: [{ kind: 'text', text: 'x' }, result('a')] }],
      [
        { role: 'tool', tool_call_id: 'a', content: 'of a' },
        { role: 'user', content: 'x' },
      ],
    ],
    [
      verifies('L3:RQ18', 'around a text stand directly after the call'),
      [calls, { role: 'user', parts: [result('b'), { kind: 'text', text: 'x' }, result('a')] }],
      [
        { role: 'tool', tool_call_id: 'b', content: 'of b' },
        { role: 'tool', tool_call_id: 'a', content: 'of a' },
        { role: 'user', content: 'x' },
      ],
    ],
    [
      verifies('L3:RQ19', 'give their images in one message after all of them'),
      [calls, { role: 'tool', parts: [result('a', { images: [image] })] }, { role: 'tool', parts: [result('b', { images: [image] })] }],
      [
        { role: 'tool', tool_call_id: 'a', content: 'of a' },
        { role: 'tool', tool_call_id: 'b', content: 'of b' },
        { role: 'user', content: [1, 2].map(() => ({ type: 'image_url', image_url: { url: 'https://x/y.png', detail: 'low' } })) },
      ],
    ],
    [
      verifies('L3:RQ20', 'may be empty'),
      [calls, { role: 'tool', parts: [result('a', { content: '' })] }],
      [{ role: 'tool', tool_call_id: 'a', content: '' }],
    ],
  ])('%s', (_title, messages, expected) => {
    expect(encode({ messages }).messages.slice(1)).toEqual(expected);
  });

  test.each([
    ['no such file', 'Error: no such file'],
    ['Error: no such file', 'Error: no such file'],
    ['Error [FILE_NOT_FOUND]: x', 'Error [FILE_NOT_FOUND]: x'],
    ['errors.log is gone', 'Error: errors.log is gone'],
    ['', 'Error: '],
  ])(verifies('L3:error-results', 'that are errors say so once: %j is %j'), (content, sent) => {
    expect(encode({ messages: [{ role: 'tool', parts: [result('a', { content, isError: true })] }] }).messages).toMatchObject([
      { content: sent },
    ]);
  });

  test('of calls with long ids keep their call', () => {
    const id = 'x'.repeat(60);
    const [call, answer] = encode({
      messages: [
        { role: 'assistant', parts: [{ kind: 'tool_call', id, name: 'n', arguments: '{}' }] },
        { role: 'tool', parts: [result(id)] },
      ],
    }).messages as unknown as [{ tool_calls: [{ id: string }] }, { tool_call_id: string }];
    expect(call.tool_calls[0].id.length).toBeLessThanOrEqual(40);
    expect(answer.tool_call_id).toBe(call.tool_calls[0].id);
  });
});

test(verifies('L3:RQ27', 'a system message in the middle stays there'), () => {
  const roles = (['system', 'user', 'system', 'user'] as const).map((role): Message => ({ role, parts: [{ kind: 'text', text: 'x' }] }));
  expect(encode({ messages: roles }).messages.map(({ role }) => role)).toEqual(['system', 'user', 'system', 'user']);
});

test(verifies('L3:RQ22', 'thoughts are left out, or go back as reasoning_content where the server wants them'), () => {
  const parts: Part[] = [
    { kind: 'thinking', text: 'hm', signature: 's' },
    { kind: 'redacted_thinking', data: 'd' },
    { kind: 'text', text: 'x' },
  ];
  expect(encode({ messages: [{ role: 'assistant', parts }] }).messages).toEqual([{ role: 'assistant', content: 'x' }]);
  const { messages } = encodeWith({ reasoning_content: true }, { messages: [{ role: 'assistant', parts }] }).body;
  expect(messages).toEqual([{ role: 'assistant', content: 'x', reasoning_content: 'hm' }]);
});

test(verifies('L3:RQ24', 'stop texts and user are sent, at most four of them; top_k is not'), () => {
  expect(encode({ stop: ['a', 'b', 'c', 'd', 'e'], user: 'u', topK: 5, topP: 0.1 })).toEqual({
    ...encode({}), stop: ['a', 'b', 'c', 'd'], user: 'u', top_p: 0.1,
  }); // oxfmt-ignore
});

test.each([
  [
    { toolChoice: 'auto', parallelToolCalls: false },
    { tool_choice: 'auto', parallel_tool_calls: false },
  ],
  [{ parallelToolCalls: true }, { parallel_tool_calls: true }],
] as const)(verifies('L3:RQ11', 'calls one at a time: %j is %j'), (given, sent) => {
  expect(encode({ tools: [tool('a')], ...given })).toMatchObject(sent);
});

test(verifies('L3:RQ12', 'any tool is required'), () => {
  expect(encode({ tools: [tool('a')], toolChoice: 'required' }).tool_choice).toBe('required');
});

test.each<[string, Thinking, string | undefined]>([
  ['gpt-5.4', { kind: 'on', effort: 'low' }, 'low'],
  ['openai/o3', { kind: 'adaptive', effort: 'max' }, 'high'],
  ['gpt-oss:20b', { kind: 'on', budgetTokens: 1_024 }, 'low'],
  ['o4-mini', { kind: 'on', budgetTokens: 10_000 }, 'medium'],
  ['o4-mini', { kind: 'on', budgetTokens: 32_000 }, 'high'],
  ['o4-mini', { kind: 'on' }, undefined],
  ['o4-mini', { kind: 'off' }, undefined],
  ['gpt-5-chat-latest', { kind: 'on', effort: 'low' }, undefined],
  ['gpt-4.1', { kind: 'on', effort: 'low' }, undefined],
])('%s, asked to think by %j, is sent the effort %s', (model, thinking, effort) => {
  expect(encode({ model, thinking }).reasoning_effort).toBe(effort);
});

test('the form of the answer and strict tools', () => {
  const schema = { type: 'object' };
  expect(encode({ responseFormat: { kind: 'json' } }).response_format).toEqual({ type: 'json_object' });
  expect(encode({ responseFormat: { kind: 'json_schema', name: 'n', schema, strict: true, description: 'd' } }).response_format).toEqual({
    type: 'json_schema', json_schema: { name: 'n', schema, strict: true, description: 'd' },
  }); // oxfmt-ignore
  expect(encode({ tools: [{ ...tool('a'), strict: true }] }).tools).toMatchObject([{ function: { strict: true } }]);
});

describe(verifies('L3:RQ29', 'strict, where it is wanted if possible'), () => {
  const object = (properties: object, more: object = {}): JsonSchema => ({
    ...{ type: 'object', properties, required: Object.keys(properties), additionalProperties: false, ...more },
  });
  const strictOf = (parameters: JsonSchema) =>
    encode({ tools: [{ ...tool('a'), parameters, strict: 'if_possible' }] }).tools?.[0]?.function;
  const text = { type: 'string' };
  test.each<[string, JsonSchema]>([
    ['nothing', object({})],
    ['optional as null', object({ a: { type: ['string', 'null'], description: 'd' }, n: { type: 'integer', minimum: 1 } })],
    [
      'choices, lists and definitions',
      object({ a: { anyOf: [text, { $ref: '#/$defs/b' }] } }, { $defs: { b: { type: 'array', items: object({}) } } }),
    ],
  ])('stays for %s', (_, schema) => expect(strictOf(schema)).toMatchObject({ strict: true, parameters: schema }));
  test.each<[string, JsonSchema]>([
    ['an optional property', object({ a: text }, { required: [] })],
    ['a required one that is not there', object({ a: text }, { required: ['a', 'b'] })],
    ['other members', object({ a: text }, { additionalProperties: undefined })],
    ['an open object inside', object({ a: { type: 'array', items: { type: 'object' } } })],
    ['an open object among definitions', object({}, { $defs: { b: { type: 'object' } } })],
    ['a keyword', object({ a: { ...text, minLength: 1 } })],
    ['a format', object({ a: { ...text, format: 'uri' } })],
    ['a member without a type', object({ a: { enum: ['x'] } })],
    ['a list of anything', object({ a: { type: 'array' } })],
    ['a choice at the top', { anyOf: [object({})] }],
    ['what is beside a reference', object({ a: { $ref: '#/$defs/b', description: 'd' } })],
    ['depth', Array.from({ length: 12 }).reduce<JsonSchema>((inner) => object({ a: inner }), text)],
  ])('goes for %s, and the schema stays', (_, schema) => {
    expect(strictOf(schema)).toEqual({ name: 'a', description: 'does a', parameters: schema });
    const responseFormat = { kind: 'json_schema', name: 'n', schema, strict: 'if_possible' } as const;
    expect(encode({ responseFormat }).response_format).toEqual({ type: 'json_schema', json_schema: { name: 'n', schema } });
  });
});

describe('tools that a vendor defined', () => {
  const vendor = (type: string, name: string) =>
    encode({ tools: [{ name, description: '', parameters: {}, vendor: { type } }] }).tools?.[0]?.function;
  test.each([
    [
      'text_editor_20250728',
      'str_replace_based_edit_tool',
      ['command', 'path', 'file_text', 'old_str', 'new_str', 'insert_line', 'view_range', 'insert_text'],
    ],
    ['text_editor_20241022', 'str_replace_editor', ['command', 'path', 'file_text', 'old_str', 'new_str', 'insert_line', 'view_range']],
    ['bash_20250124', 'bash', ['command', 'restart']],
    [
      'memory_20250818',
      'memory',
      ['command', 'path', 'file_text', 'old_str', 'new_str', 'insert_line', 'view_range', 'insert_text', 'old_path', 'new_path'],
    ],
    [
      'computer_20250124',
      'computer',
      ['action', 'coordinate', 'start_coordinate', 'region', 'text', 'duration', 'scroll_direction', 'scroll_amount'],
    ],
  ])(verifies('L3:vendor-tools', '%s is the function %s with the arguments %j'), (type, name, members) => {
    const called = vendor(type, name);
    expect(called).toMatchObject({ name, parameters: { type: 'object' } });
    expect(called?.description).not.toBe('');
    expect(Object.keys((called!.parameters as { properties: object }).properties)).toEqual(members);
    expect(() => checkSchema(called?.parameters, 'p')).not.toThrow();
  });

  test(verifies('L3:RQ23', 'a tool of no vendor keeps its schema, untouched'), () => {
    const parameters = { type: 'object', properties: { z: { minLength: 3 }, a: {} }, $comment: 'x' };
    expect(
      JSON.stringify(encode({ tools: [{ ...tool('a'), parameters, vendor: { type: 'custom' } }] }).tools?.[0]?.function.parameters),
    ).toBe(JSON.stringify(parameters));
  });
});

describe('quirks', () => {
  const ollama: Quirks = { no_tool_choice: true, no_parallel_tool_calls: true, content_text: true, no_image_urls: true };
  const tools = [tool('a'), tool('b')];

  test(verifies('L3:OL1', 'a text, not null, where the server wants one'), () => {
    expect(encodeWith(ollama, { messages: [uses('')] }).body.messages).toMatchObject([
      { content: '', tool_calls: [{ function: { arguments: '{}' } }] },
    ]);
  });

  test.each<[ToolChoice | undefined, string[] | undefined]>([
    [undefined, ['a', 'b']],
    ['auto', ['a', 'b']],
    ['none', undefined],
    ['required', ['a', 'b']],
    [{ name: 'b' }, ['b']],
  ])(verifies('L3:OL2', 'a server without tool_choice gets for %j the tools %j'), (toolChoice, names) => {
    const { body, notes } = encodeWith(ollama, { tools, messages: [uses('{}')], ...(toolChoice && { toolChoice }) });
    expect(body.tools?.map((sent) => sent.function.name)).toEqual(names);
    expect(body).not.toHaveProperty('tool_choice');
    expect(body.messages.map(({ content }) => content)).toEqual(toolChoice === 'required' ? [MUST_CALL, ''] : ['']);
    expect(notes).toEqual(toolChoice === 'required' ? ['tool_choice'] : []);
  });

  test('one call at a time is kept to on the way back', async () => {
    const { body, onlyFirstCall, notes } = encodeWith(ollama, { tools, parallelToolCalls: false });
    expect({ onlyFirstCall, notes }).toEqual({ onlyFirstCall: true, notes: ['parallel_tool_calls'] });
    expect(body).not.toHaveProperty('parallel_tool_calls');
    expect(encodeWith({}, { tools, parallelToolCalls: false }).onlyFirstCall).toBe(false);
    async function* parts(): AsyncGenerator<StreamPart> {
      for (const index of [0, 1]) yield { kind: 'tool_call_start', index, id: `c${index}`, name: 'a' };
      yield { kind: 'tool_call_delta', index: 1, arguments: '{}' };
      yield { kind: 'finish', reason: 'tool_calls' };
    }
    expect((await collectAnswer(keepFirstCall(parts()))).toolCalls).toEqual([{ providerId: 'c0', name: 'a', arguments: '' }]);
  });

  test(verifies('L3:OL2', 'an image by URL is refused with the reason'), () => {
    const picture = (source: ImagePart['source']) => () =>
      encodeWith(ollama, { messages: [{ role: 'user', parts: [{ kind: 'image', source }] }] });
    expect(picture({ kind: 'url', url: 'https://x' })).toThrow(
      expect.objectContaining({ code: 'invalid_request', wording: expect.stringContaining('data URLs') }),
    );
    expect(picture({ kind: 'base64', mediaType: 'image/png', data: 'AAAA' })).not.toThrow();
  });

  test('ids, names, limits and options as the server takes them', () => {
    const quirks: Quirks = { tool_call_ids: 'alphanumeric9', max_tool_name: 20, max_tokens_field: 'max_tokens', no_stream_options: true };
    const messages: Message[] = [
      uses('{}'),
      { role: 'tool', parts: [{ kind: 'tool_result', id: 'call_a', content: 'x', isError: false }] },
    ];
    const { body, names } = encodeWith(quirks, { model: 'o3', maxTokens: 5, tools: [tool('x'.repeat(30))], messages });
    const [made, answer] = body.messages as unknown as [{ tool_calls: [{ id: string }] }, { tool_call_id: string }];
    expect(made.tool_calls[0].id).toMatch(/^[a-zA-Z0-9]{9}$/);
    expect(answer.tool_call_id).toBe(made.tool_calls[0].id);
    expect(body.tools?.[0]?.function.name).toMatch(/^x{11}_[0-9a-f]{8}$/);
    expect(names.fromWire(body.tools?.[0]?.function.name ?? '')).toBe('x'.repeat(30));
    expect(body).toMatchObject({ max_tokens: 5 });
    expect(body).not.toHaveProperty('stream_options');
  });
});
