import { describe, expect, test } from 'vitest';
import { verifies } from '@codelab/testkit';
import { ApiError } from '../../../errors/api-error.js';
import type { CheckOptions } from '../../dialect.js';
import type { Message, Part } from '../../../canonical/message.js';
import { decodeRequest } from './decode-request.js';
import { decodeTools } from './decode-tools.js';

const user = { role: 'user', content: 'hi' };
const decode = (body: object, options?: CheckOptions) => {
  const whole = { model: 'm', messages: [user], ...body };
  return decodeRequest(whole, JSON.stringify(whole), options);
};
const messagesOf = (messages: object[], options?: CheckOptions): readonly Message[] => decode({ messages }, options).request.messages;
const partsOf = (content: unknown): readonly Part[] => messagesOf([{ role: 'user', content }])[0]?.parts ?? [];
const call = (id: string, args?: string, name: unknown = 'read') => ({ id, type: 'function', function: { name, arguments: args } });
const paramOf = (body: object): unknown => {
  try {
    decode(body);
  } catch (error) {
    return error instanceof ApiError ? [error.kind, error.param] : error;
  }
  return 'nothing';
};
const text = (said: string): Part => ({ kind: 'text', text: said });

test('what is left out stays out', () => {
  expect(decode({ model: null, temperature: null, stream: null })).toEqual({
    request: { model: '', messages: [{ role: 'user', parts: [text('hi')] }], tools: [] },
    stream: false,
    includeUsage: false,
  });
});

test('every setting that another dialect has a word for', () => {
  const settings = {
    max_tokens: 5, max_completion_tokens: 7, temperature: 0, top_p: 0.5, top_k: 3, stop: 'END', user: 'u', safety_identifier: 's',
    parallel_tool_calls: false, stream: true, stream_options: { include_usage: true }, logit_bias: {}, seed: 1,
  }; // oxfmt-ignore
  expect(decode(settings)).toMatchObject({
    request: { maxTokens: 7, temperature: 0, topP: 0.5, topK: 3, stop: ['END'], user: 's', parallelToolCalls: false },
    stream: true,
    includeUsage: true,
  });
  expect(decode({ max_tokens: -1, stop: ['a', '', 'b'], user: 'u' }).request).toMatchObject({ stop: ['a', 'b'], user: 'u' });
  expect(decode({ max_tokens: -1, stop: [], top_k: -1 }).request).toEqual(decode({}).request);
});

test.each([
  [{ reasoning_effort: 'high' }, { kind: 'on', effort: 'high' }],
  [{ reasoning_effort: 'none' }, { kind: 'off' }],
  [{ thinking: true }, { kind: 'on' }],
  [{ thinking: false }, { kind: 'off' }],
  [
    { thinking: { type: 'enabled', budget_tokens: 2048 }, reasoning_effort: 'low' },
    { kind: 'on', budgetTokens: 2048, effort: 'low' },
  ],
  [{ thinking: { type: 'adaptive', effort: 'max' } }, { kind: 'adaptive', effort: 'max' }],
  [{ thinking: { type: 'disabled' }, reasoning_effort: 'low' }, { kind: 'off' }],
  [{}, undefined],
])('%j is the thinking %j', (fields, thinking) => {
  expect(decode(fields).request.thinking).toEqual(thinking);
});

test('the form of the answer', () => {
  const schema = { type: 'object' };
  expect(decode({ response_format: { type: 'text' } }).request.responseFormat).toBeUndefined();
  expect(decode({ response_format: { type: 'json_object' } }).request.responseFormat).toEqual({ kind: 'json' });
  const format = { type: 'json_schema', json_schema: { name: 'n', schema, strict: true, description: 'd' } };
  expect(decode({ response_format: format }).request.responseFormat).toEqual({
    kind: 'json_schema', name: 'n', schema, strict: true, description: 'd',
  }); // oxfmt-ignore
});

describe('messages', () => {
  test(verifies('L3:RQ8', 'system and developer messages stay where they stand'), () => {
    const system = (content: unknown) => ({ role: 'system', parts: [text(content as string)] });
    expect(
      messagesOf([
        { role: 'system', content: 'a' },
        { role: 'developer', content: [{ type: 'text', text: 'b' }] },
        user,
        { role: 'system', content: 'c' },
      ]),
    ).toEqual([system('a'), system('b'), { role: 'user', parts: [text('hi')] }, system('c')]);
  });

  test(verifies('L3:CP2', 'array content, no content, null and blanks are read'), () => {
    expect(messagesOf([user, { role: 'assistant' }, { role: 'user', content: '' }]).slice(1)).toEqual([
      { role: 'assistant', parts: [] },
      { role: 'user', parts: [] },
    ]);
    expect(partsOf([{ type: 'text', text: 'a' }, { type: 'text', text: '' }, { type: 'refusal', refusal: 'no' }])).toEqual([text('a'), text('no')]); // oxfmt-ignore
    expect(messagesOf([user, { role: 'assistant', content: null, refusal: 'I won’t' }])[1]?.parts).toEqual([text('I won’t')]);
  });

  test(verifies('L3:RQ3', 'a blank beside calls is no text'), () => {
    const parts = messagesOf([{ role: 'assistant', content: ' ', tool_calls: [call('a', '{}')] }])[0]?.parts;
    expect(parts).toEqual([{ kind: 'tool_call', id: 'a', name: 'read', arguments: '{}' }]);
  });

  test(verifies('L3:RQ26', 'arguments are carried as text, whatever is in them'), () => {
    const odd = ['', '{"bad', '{ "n": 12345678901234567890, "b":1, "a": "\\u00e9" }', JSON.stringify({ c: 'x"\n'.repeat(350_000) })];
    const parts = messagesOf([{ role: 'assistant', tool_calls: [...odd.map((args, i) => call(`c${i}`, args)), call('last')] }])[0]?.parts;
    expect(parts?.map((part) => part.kind === 'tool_call' && part.arguments)).toEqual([...odd, '']);
  });

  test('results, their images and cache marks', () => {
    const content = [
      { type: 'text', text: 'see' },
      { type: 'image_url', image_url: 'https://x/y.png', cache_control: { type: 'ephemeral' } },
    ];
    const results = messagesOf([
      { role: 'assistant', tool_calls: [call('a', '{}'), call('b', '{}')] },
      { role: 'tool', tool_call_id: 'a', content: 'Error: no', name: 'read' },
      { role: 'tool', tool_call_id: 'b', content },
    ]).slice(1);
    expect(results).toEqual([
      { role: 'tool', parts: [{ kind: 'tool_result', id: 'a', content: 'Error: no', isError: false }] },
      {
        role: 'tool',
        parts: [
          {
            kind: 'tool_result', id: 'b', content: 'see', isError: false, cache: {},
            images: [{ kind: 'image', source: { kind: 'url', url: 'https://x/y.png' }, cache: {} }],
          },
        ],
      },
    ]); // oxfmt-ignore
  });

  test(verifies('L3:RQ6', 'a result of an unknown call becomes text behind the results that it stands among'), () => {
    const messages = [
      { role: 'assistant', tool_calls: [call('a', '{}')] },
      { role: 'tool', tool_call_id: 'gone', content: 'lost' },
      { role: 'tool', tool_call_id: 'a', content: 'found' },
      user,
    ];
    expect(messagesOf(messages, { lenient: true }).slice(1)).toEqual([
      { role: 'tool', parts: [{ kind: 'tool_result', id: 'a', content: 'found', isError: false }] },
      { role: 'user', parts: [text('Tool result: lost')] },
      { role: 'user', parts: [text('hi')] },
    ]);
    expect(paramOf({ messages })).toEqual(['invalid_request', 'messages[1].tool_call_id']);
  });

  test(verifies('L3:RQ7', 'an empty one leaves nothing'), () => {
    expect(messagesOf([user, { role: 'tool', tool_call_id: 'gone', content: ' ' }], { lenient: true })).toHaveLength(1);
  });

  test('functions of old get ids', () => {
    const messages = messagesOf([
      { role: 'assistant', content: null, function_call: { name: 'read', arguments: '{}' } },
      { role: 'function', name: 'read', content: 'x' },
    ]);
    const id = (messages[0]!.parts[0] as { id: string }).id;
    expect(messages).toEqual([
      { role: 'assistant', parts: [{ kind: 'tool_call', id, name: 'read', arguments: '{}' }] },
      { role: 'tool', parts: [{ kind: 'tool_result', id, content: 'x', isError: false }] },
    ]);
  });

  test(verifies('L3:chat-thoughts', 'thoughts come back: as text, or with their signatures where a client kept them'), () => {
    const thoughts = (message: object) => messagesOf([{ role: 'assistant', content: 'x', ...message }])[0]?.parts.slice(0, -1);
    expect(thoughts({ reasoning_content: 'hm' })).toEqual([{ kind: 'thinking', text: 'hm' }]);
    const blocks = [{ type: 'thinking', thinking: 'hm', signature: 's' }, { type: 'redacted_thinking', data: 'd' }, { type: 'other' }];
    expect(thoughts({ reasoning_content: 'hm', thinking_blocks: blocks })).toEqual([
      { kind: 'thinking', text: 'hm', signature: 's' },
      { kind: 'redacted_thinking', data: 'd' },
    ]);
  });
});

describe('images', () => {
  const image = (url: string, more: object = {}) => partsOf([{ type: 'image_url', image_url: { url, ...more } }])[0];
  test.each([
    ['data:image/png;base64,iVBORw0KGgoAAA==', { kind: 'base64', mediaType: 'image/png', data: 'iVBORw0KGgoAAA==' }],
    ['data:image/webp;base64,UklGRhoAAAA=', { kind: 'base64', mediaType: 'image/webp', data: 'UklGRhoAAAA=' }],
    ['data:image/jpeg;base64,iVBORw0KGgoAAA==', { kind: 'base64', mediaType: 'image/png', data: 'iVBORw0KGgoAAA==' }],
    ['data:image/JPG;base64,AAAA', { kind: 'base64', mediaType: 'image/jpeg', data: 'AAAA' }],
    ['data:image/gif;name=x.gif;base64,AA\nAA', { kind: 'base64', mediaType: 'image/gif', data: 'AAAA' }],
    ['https://x/y.png?z=1', { kind: 'url', url: 'https://x/y.png?z=1' }],
  ])(verifies('L3:RQ25', '%s is read'), (url, source) => {
    expect(image(url, { detail: 'low' })).toEqual({ kind: 'image', source, detail: 'low' });
  });

  test.each(['data:image/png;base64,', 'data:image/png;base64,%%%', 'data:text/plain;base64,AAAA', 'data:image/png,AAAA', 'file:///etc/passwd', ''])(
    verifies('L3:RQ25', '"%s" is refused by its name'),
    (url) => {
      const content = [{ type: 'text', text: 'a' }, { type: 'image_url', image_url: { url } }];
      expect(paramOf({ messages: [{ role: 'user', content }] })).toEqual(['invalid_request', 'messages[0].content[1].image_url.url']);
    },
  ); // oxfmt-ignore
});

test(verifies('L3:RQ21', 'cache marks are carried, on parts, messages and tools'), () => {
  const mark = { cache_control: { type: 'ephemeral', ttl: '1h' } };
  const { request } = decode({
    messages: [
      {
        role: 'system',
        content: [
          { type: 'text', text: 'a', ...mark },
          { type: 'text', text: 'b' },
        ],
      },
      { role: 'user', content: 'c', cache_control: { type: 'ephemeral' } },
      { role: 'user', content: 'd', cache_control: { type: 'forever' } },
    ],
    tools: [
      { type: 'function', function: { name: 'x' }, ...mark },
      { type: 'function', function: { name: 'y', ...mark } },
    ],
  });
  expect(request.messages.map(({ parts }) => parts)).toEqual([
    [{ ...text('a'), cache: { ttl: '1h' } }, text('b')],
    [{ ...text('c'), cache: {} }],
    [text('d')],
  ]);
  expect(request.tools.map(({ cache }) => cache)).toEqual([{ ttl: '1h' }, { ttl: '1h' }]);
});

describe('tools', () => {
  const tools = ['a', 'b', 'c'].map((name) => ({ type: 'function', function: { name, description: name, strict: true } }));
  const allow = (mode: string, ...names: string[]) =>
    decode({ tools, tool_choice: { type: 'allowed_tools', allowed_tools: { mode, tools: names.map((name) => ({ type: 'function', function: { name } })) } } }).request; // oxfmt-ignore

  test('are read, those of old too', () => {
    expect(decode({ tools: tools.slice(0, 1), functions: [{ name: 'old', parameters: { type: 'object' } }] }).request.tools).toEqual([
      { name: 'a', description: 'a', parameters: { type: 'object', properties: {} }, strict: true },
      { name: 'old', description: '', parameters: { type: 'object' } },
    ]);
  });

  test.each([
    ['none', 'none'],
    ['auto', 'auto'],
    ['required', 'required'],
    [{ type: 'function', function: { name: 'b' } }, { name: 'b' }],
    [null, undefined],
  ])('the choice %j is %j', (given, choice) => {
    expect(decode({ tools, tool_choice: given }).request.toolChoice).toEqual(choice);
  });

  test('the choice of old counts too', () => {
    expect(decode({ functions: [{ name: 'a' }], function_call: { name: 'a' } }).request.toolChoice).toEqual({ name: 'a' });
  });

  test(verifies('L3:RQ9', 'allowed tools are those that stay; where none of them is known, all do'), () => {
    expect(allow('auto', 'c', 'a')).toMatchObject({ toolChoice: 'auto', tools: [{ name: 'a' }, { name: 'c' }] });
    expect(allow('required', 'b', 'gone')).toMatchObject({ toolChoice: 'required', tools: [{ name: 'b' }] });
    expect(allow('required', 'gone').tools).toHaveLength(3);
  });

  test('many allowed tools of many take time in proportion to their number', () => {
    const functions = Array.from({ length: 20_000 }, (_, n) => ({ type: 'function', function: { name: `t${n}` } }));
    const allowed_tools = { mode: 'auto', tools: [...functions].reverse() };
    const { tools: kept } = decodeTools({ tools: functions, tool_choice: { type: 'allowed_tools', allowed_tools } });
    expect(kept.map(({ name }) => name)).toEqual(functions.map(({ function: { name } }) => name));
  });
});

test.each([
  [{ n: 2 }, 'n'],
  [{ messages: [{ role: 'user', content: [{ type: 'input_audio', input_audio: {} }] }] }, 'messages[0].content[0].type'],
])(verifies('L3:chat-bad-fields', 'what cannot be said in another dialect is refused: %j'), (body, param) => {
  expect(paramOf(body)).toEqual(['invalid_request', param]);
});

test('a tool of another type is for OpenAI alone, even where the proxy is lenient', () => {
  expect(() => decode({ tools: [{ type: 'custom', custom: { name: 'x' } }] }, { lenient: true })).toThrow(/^tools\[0\]\.type: /);
});
