import { expect, test } from 'vitest';
import { verifies } from '@codelab/testkit';
import type { Message, ModelRequest, ModelTool, Part } from '../../../canonical/message.js';
import { encodeRequest } from './encode-request.js';

const text = (said: string): Part => ({ kind: 'text', text: said });
const user = (...parts: (Part | string)[]): Message => ({
  role: 'user',
  parts: parts.map((part) => (typeof part === 'string' ? text(part) : part)),
});
const system = (said: string): Message => ({ role: 'system', parts: [text(said)] });
const assistant = (...parts: Part[]): Message => ({ role: 'assistant', parts });
const call = (id: string, args = '{}', name = 'read'): Part => ({ kind: 'tool_call', id, name, arguments: args });
const result = (id: string, content = `of ${id}`, more: object = {}): Message => ({
  role: 'tool',
  parts: [{ kind: 'tool_result', id, content, isError: false, ...more }],
});
const tool = (name: string, more: Partial<ModelTool> = {}): ModelTool => ({
  name,
  description: `does ${name}`,
  parameters: { type: 'object' },
  ...more,
});

const encode = (request: Partial<ModelRequest>) =>
  encodeRequest({ model: 'claude-sonnet-4-5', messages: [user('hi')], tools: [tool('read')], ...request });
/** The body as a server reads it. */
const bodyOf = (request: Partial<ModelRequest>) =>
  JSON.parse(encode(request).text) as Record<string, unknown> & { messages: { role: string; content: object[] }[] };
const messagesOf = (...messages: Message[]) => bodyOf({ messages }).messages;

const said = (said: string) => ({ type: 'text', text: said });
const used = (id: string, input: object = {}) => ({ type: 'tool_use', id, name: 'read', input });
const resulted = (id: string, content = `of ${id}`) => ({ type: 'tool_result', tool_use_id: id, content });

test('a conversation with tools', () => {
  expect(
    bodyOf({
      messages: [system('be good'), user('hi'), assistant(text('ok'), call('a', '{"p":1}')), result('a')],
      user: 'u',
      stop: ['END', ' '],
    }),
  ).toEqual({
    model: 'claude-sonnet-4-5',
    max_tokens: 8192,
    stream: true,
    system: [said('be good')],
    messages: [
      { role: 'user', content: [said('hi')] },
      { role: 'assistant', content: [said('ok'), used('a', { p: 1 })] },
      { role: 'user', content: [resulted('a')] },
    ],
    tools: [{ name: 'read', description: 'does read', input_schema: { type: 'object' } }],
    stop_sequences: ['END'],
    metadata: { user_id: 'u' },
  });
});

test.each(['', ' '])(verifies('L3:RQ1', 'arguments %j become {}'), (args) => {
  expect(messagesOf(user('hi'), assistant(call('a', args)), result('a'))[1]?.content).toEqual([used('a')]);
});

test.each(['{"bad', '[1]', 'null', '"x"'])(verifies('L3:RQ2', 'arguments %j become {}'), (args) => {
  expect(messagesOf(user('hi'), assistant(call('a', args)), result('a'))[1]?.content).toEqual([used('a')]);
});

test(verifies('L3:RQ26', 'arguments go out to the letter'), () => {
  const odd = '{ "n": 12345678901234567890, "b":1, "a": "\\u00e9" }';
  const large = JSON.stringify({ content: 'x"\n'.repeat(350_000) });
  const { text } = encode({ messages: [user('hi'), assistant(call('a', odd), call('b', large)), result('a'), result('b')] });
  expect(text).toContain(`"input":${odd}`);
  expect(text).toContain(`"input":${large}`);
});

test(verifies('L3:RQ3', 'a blank text beside a call, or alone, is not sent'), () => {
  const messages = messagesOf(user('hi', ''), assistant(text(' '), call('a')), result('a'), assistant(text('\n')), user('go on'));
  expect(messages).toEqual([
    { role: 'user', content: [said('hi')] },
    { role: 'assistant', content: [used('a')] },
    { role: 'user', content: [resulted('a'), said('go on')] },
  ]);
});

test('a blank question stays one: nobody is asked with nothing, or to go on with an answer', () => {
  for (const blank of [user(''), user(' \n'), user()]) {
    expect(messagesOf(blank)).toEqual([{ role: 'user', content: [said('…')] }]);
    expect(messagesOf(user('q'), assistant(text('a')), blank).at(-1)).toEqual({ role: 'user', content: [said('…')] });
    expect(messagesOf(user('q'), assistant(call('a')), result('a'), blank)).toHaveLength(3);
  }
});

test(verifies('L3:RQ4', 'three results become one message, before what the user says'), () => {
  const messages = messagesOf(
    user('hi'),
    assistant(call('a'), call('b'), call('c')),
    result('b'),
    user('and?'),
    result('a'),
    result('c', ''),
  );
  expect(messages[2]).toEqual({
    role: 'user',
    content: [resulted('b'), resulted('a'), { type: 'tool_result', tool_use_id: 'c' }, said('and?')],
  });
});

test(verifies('L3:RQ5', 'user and user, assistant and assistant are one turn each'), () => {
  expect(messagesOf(user('a'), user('b'), assistant(text('c')), assistant(text('d')), user('e'))).toEqual([
    { role: 'user', content: [said('a'), said('b')] },
    { role: 'assistant', content: [said('c'), said('d')] },
    { role: 'user', content: [said('e')] },
  ]);
});

test('the conversation begins with the user, and an answer to go on with has no blanks at its end', () => {
  expect(messagesOf(assistant(text('Hello')), user('hi'))[0]?.role).toBe('user');
  expect(messagesOf(user('hi'), assistant(text('Once  \n'))).at(-1)?.content).toEqual([said('Once')]);
  expect(bodyOf({ messages: [system('Say hi.')] })).toMatchObject({ messages: [{ role: 'user', content: [said('Say hi.')] }] });
});

test(verifies('L3:RQ6', 'a result of no call, or of one that was answered or is over, is text of the user'), () => {
  expect(messagesOf(user('hi'), result('gone')).at(-1)?.content).toEqual([said('hi'), said('Tool result: of gone')]);
  const late = messagesOf(user('hi'), assistant(call('a')), result('a'), result('a', 'again'), assistant(text('x')), result('a', 'late'));
  expect(late[2]?.content).toEqual([resulted('a'), said('Tool result: again')]);
  expect(late[4]?.content).toEqual([said('Tool result: late')]);
});

test(verifies('L3:RQ7', 'an empty one makes no turn'), () => {
  expect(messagesOf(user('hi'), assistant(text('x')), result('gone', ' '))).toHaveLength(2);
});

test(verifies('L3:RQ8', 'the first two system messages are the prompt, the third is text in its place'), () => {
  const body = bodyOf({ messages: [system('one'), system('two'), user('hi'), assistant(text('ok')), system('three'), user('go')] });
  expect(body.system).toEqual([said('one'), said('two')]);
  expect(body.messages.at(-1)).toEqual({ role: 'user', content: [said('three'), said('go')] });
});

test('ids that the provider refuses, or that were used before, get others, with their results', () => {
  const messages = messagesOf(
    user('hi'),
    assistant(call('call_0')),
    result('call_0', '1'),
    assistant(call('call_0'), call('fn:x/1')),
    result('call_0', '2'),
    result('fn:x/1', '3'),
  );
  const [, first, , second, last] = messages as unknown as { content: { id: string; tool_use_id: string; content: string }[] }[];
  expect(first?.content[0]?.id).toBe('call_0');
  const ids = second!.content.map(({ id }) => id);
  expect(ids[0]).toBe('call_0_2');
  expect(ids[1]).toMatch(/^call_[0-9a-f]{26}$/);
  expect(last?.content.map(({ tool_use_id, content }) => [tool_use_id, content])).toEqual([
    [ids[0], '2'],
    [ids[1], '3'],
  ]);
});

test('an error is marked, and never empty; images of a result stay in it', () => {
  const image = { kind: 'image', source: { kind: 'url', url: 'https://x/y' } } as const;
  const messages = messagesOf(
    user('hi'),
    assistant(call('a'), call('b')),
    result('a', '', { isError: true }),
    result('b', 'seen', { images: [image] }),
  );
  expect(messages.at(-1)?.content).toEqual([
    { type: 'tool_result', tool_use_id: 'a', content: 'The tool failed and gave no reason.', is_error: true },
    { type: 'tool_result', tool_use_id: 'b', content: [said('seen'), { type: 'image', source: { type: 'url', url: 'https://x/y' } }] },
  ]);
});

test('a text that only begins like an error is no error', () => {
  expect(messagesOf(user('hi'), assistant(call('a')), result('a', 'Error: not really')).at(-1)?.content).toEqual([
    resulted('a', 'Error: not really'),
  ]);
});

test(verifies('L3:RQ25', 'an image by its bytes and by its address'), () => {
  const bytes: Part = { kind: 'image', source: { kind: 'base64', mediaType: 'image/webp', data: 'AAAA' } };
  const address: Part = { kind: 'image', source: { kind: 'url', url: 'http://x/y.png' } };
  expect(messagesOf(user(bytes, address))[0]?.content).toEqual([
    { type: 'image', source: { type: 'base64', media_type: 'image/webp', data: 'AAAA' } },
    { type: 'image', source: { type: 'url', url: 'http://x/y.png' } },
  ]);
});

test(verifies('L3:thoughts', 'thoughts with a signature go out, those without one do not'), () => {
  const thoughts: Part[] = [
    { kind: 'thinking', text: 'of another vendor' },
    { kind: 'thinking', text: 'hm', signature: 's' },
    { kind: 'thinking', text: '', signature: '' },
    { kind: 'redacted_thinking', data: 'd' },
  ];
  expect(messagesOf(user('hi'), assistant(...thoughts, text('ok')), user('go'))[1]?.content).toEqual([
    { type: 'thinking', thinking: 'hm', signature: 's' },
    { type: 'redacted_thinking', data: 'd' },
    said('ok'),
  ]);
});

test.each([
  [{}, undefined],
  [{ toolChoice: 'auto' }, { type: 'auto' }],
  [{ toolChoice: 'none', parallelToolCalls: false }, { type: 'none' }],
  [{ toolChoice: 'required' }, { type: 'any' }],
  [{ toolChoice: { name: 'git.diff' } }, { type: 'tool', name: 'git_diff' }],
  [{ parallelToolCalls: false }, { type: 'auto', disable_parallel_tool_use: true }],
  [
    { toolChoice: 'required', parallelToolCalls: false },
    { type: 'any', disable_parallel_tool_use: true },
  ],
  [
    { toolChoice: { name: 'read' }, parallelToolCalls: false },
    { type: 'tool', name: 'read', disable_parallel_tool_use: true },
  ],
  [{ toolChoice: 'auto', parallelToolCalls: true }, { type: 'auto' }],
] as const)(verifies('L3:messages-tool-choice', '%j is %j'), (choice, expected) => {
  expect(bodyOf({ tools: [tool('read'), tool('git.diff')], ...choice }).tool_choice).toEqual(expected);
});

test(verifies('L3:RQ14', 'an illegal name is legal in tools, choice and history'), () => {
  const { text, names } = encode({
    tools: [tool('git.diff')],
    toolChoice: { name: 'git.diff' },
    messages: [user('hi'), assistant(call('a', '{}', 'git.diff')), result('a')],
  });
  expect(text).not.toContain('"name":"git.diff"');
  expect(text.match(/"name":"git_diff"/g)).toHaveLength(3);
  expect(names.fromWire('git_diff')).toBe('git.diff');
});

test(verifies('L3:RQ15', 'a name of 90 characters is cut and ends in its hash'), () => {
  const name = `mcp__${'x'.repeat(85)}`;
  const wire = (bodyOf({ tools: [tool(name)] }).tools as { name: string }[])[0]!.name;
  expect(wire).toMatch(/^mcp__x{50}_[0-9a-f]{8}$/);
  expect((bodyOf({ tools: [tool(name), tool('other')] }).tools as { name: string }[])[0]!.name).toBe(wire);
});

test(verifies('L3:RQ16', 'a blank name in the history gets a placeholder'), () => {
  expect(messagesOf(user('hi'), assistant(call('a', '{}', '')), result('a'))[1]?.content).toMatchObject([{ name: 'unnamed_tool' }]);
});

test('a history with calls needs tools: without any those of the history are declared, and not to be called', () => {
  const messages = [user('hi'), assistant(call('a'), call('b', '{}', 'write')), result('a'), result('b')];
  expect(bodyOf({ tools: [], messages })).toMatchObject({
    tools: [
      { name: 'read', input_schema: { type: 'object' } },
      { name: 'write', input_schema: { type: 'object' } },
    ],
    tool_choice: { type: 'none' },
  });
  expect(bodyOf({ tools: [], toolChoice: 'auto' })).not.toHaveProperty('tools');
});

test(verifies('L3:vendor-tools', 'a tool of the vendor goes out as such'), () => {
  const vendor = { type: 'text_editor_20250728', max_characters: 100 };
  expect(
    bodyOf({ tools: [tool('str_replace_based_edit_tool', { vendor, cache: {} }), tool('x', { vendor: { type: 'other' } })] }).tools,
  ).toEqual([
    { ...vendor, name: 'str_replace_based_edit_tool', cache_control: { type: 'ephemeral' } },
    { name: 'x', description: 'does x', input_schema: { type: 'object' } },
  ]);
});

const CONSTRAINED = {
  type: 'object',
  description: 'A person.',
  properties: {
    name: { type: 'string', minLength: 2, pattern: '^[a-z]+$' },
    age: { type: ['integer', 'null'], maximum: 150, description: 'In years.' },
    tags: { type: 'array', minItems: 1, maxItems: 3, items: { type: 'string', format: 'email' } },
    either: { oneOf: [{ type: 'string', format: 'password' }, { $ref: '#/$defs/x' }] },
  },
  required: ['name'],
  $defs: { x: { type: 'object', properties: { pattern: { type: 'string' } } } },
};

const UNCONSTRAINED = {
  type: 'object',
  description: 'A person.',
  properties: {
    name: { type: 'string', description: '{minLength: 2, pattern: "^[a-z]+$"}' },
    age: { type: ['integer', 'null'], description: 'In years.\n\n{maximum: 150}' },
    tags: { type: 'array', minItems: 1, items: { type: 'string', format: 'email' }, description: '{maxItems: 3}' },
    either: { anyOf: [{ type: 'string', description: '{format: "password"}' }, { $ref: '#/$defs/x' }] },
  },
  required: ['name'],
  $defs: { x: { type: 'object', properties: { pattern: { type: 'string' } }, additionalProperties: false } },
  additionalProperties: false,
};

test(verifies('L3:RQ13', 'strict tools and structured output lose their constraints to the description, other tools keep them'), () => {
  const tools = [tool('a', { parameters: CONSTRAINED, strict: true }), tool('b', { parameters: CONSTRAINED })];
  const responseFormat = { kind: 'json_schema', name: 'x', schema: CONSTRAINED, strict: true } as const;
  const body = bodyOf({ tools, responseFormat });
  expect(body.tools).toMatchObject([{ strict: true }, { input_schema: CONSTRAINED }]);
  expect((body.tools as { input_schema: object }[])[0]?.input_schema).toEqual(UNCONSTRAINED);
  expect(body.output_config).toEqual({ format: { type: 'json_schema', schema: UNCONSTRAINED } });
});

test('a schema is one of an object, without a choice at its top', () => {
  const schemas = [
    {},
    {
      anyOf: [
        { type: 'object', properties: { a: {} } },
        { type: 'object', properties: { b: {} } },
      ],
    },
  ];
  expect(bodyOf({ tools: schemas.map((parameters, n) => tool(`t${n}`, { parameters })) }).tools).toMatchObject([
    { input_schema: { type: 'object' } },
    { input_schema: { type: 'object', properties: { a: {}, b: {} } } },
  ]);
});

test('a JSON answer without a schema is asked for in words', () => {
  expect(bodyOf({ responseFormat: { kind: 'json' } }).system).toEqual([{ type: 'text', text: expect.stringContaining('JSON object') }]);
});

const marked = (said: string): Part => ({ kind: 'text', text: said, cache: {} });

test(verifies('L3:RQ21', 'of six marks the last one of the head and the last three of the conversation stay'), () => {
  const body = bodyOf({
    tools: [tool('read', { cache: {} })],
    messages: [
      { role: 'system', parts: [marked('one'), { kind: 'text', text: 'two', cache: { ttl: '1h' } }] },
      ...[user(marked('a')), assistant(marked('b')), user(marked('c')), assistant(marked('d'))],
    ],
  });
  expect(body.tools).not.toMatchObject([{ cache_control: {} }]);
  expect(body.system).toEqual([said('one'), { ...said('two'), cache_control: { type: 'ephemeral', ttl: '1h' } }]);
  expect(body.messages.map(({ content }) => 'cache_control' in content[0]!)).toEqual([false, true, true, true]);
});

test(verifies('L3:RQ21', 'five marks in the head leave four, five in the conversation too; four stay as they are'), () => {
  const count = (request: Partial<ModelRequest>) => encode(request).text.match(/"cache_control"/g)?.length;
  const five = ['a', 'b', 'c', 'd', 'e'];
  expect(count({ tools: five.map((name) => tool(name, { cache: {} })) })).toBe(4);
  expect(count({ messages: [user(...five.map(marked))] })).toBe(4);
  expect(count({ messages: [user(...five.slice(1).map(marked), marked(' '))] })).toBe(4);
});

test('sampling: no more than 1, and one of temperature and top_p', () => {
  expect(bodyOf({ temperature: 1.5, topP: 0.9, topK: 5 })).toMatchObject({ temperature: 1, top_k: 5 });
  expect(bodyOf({ temperature: 1.5, topP: 0.9 })).not.toHaveProperty('top_p');
  expect(bodyOf({ topP: 0.9 })).toMatchObject({ top_p: 0.9 });
  expect(bodyOf({ model: 'claude-opus-4-7', temperature: 0.5, topK: 3 })).not.toHaveProperty('temperature');
});

test('the longest answer: as asked, else the largest of the model, else 8,192', () => {
  const request: ModelRequest = { model: 'm', messages: [user('hi')], tools: [] };
  expect(encodeRequest({ ...request, maxTokens: 5 }, { maxOutputTokens: 100 }).body.max_tokens).toBe(5);
  expect(encodeRequest(request, { maxOutputTokens: 100 }).body.max_tokens).toBe(100);
  expect(encodeRequest(request).body.max_tokens).toBe(8192);
});

test('one id in many calls takes time in proportion to their number', () => {
  const many = Array.from({ length: 20_000 }, () => call('a'));
  const content = messagesOf(user('hi'), assistant(...many), result('a'))[1]?.content as { id: string }[];
  expect(new Set(content.map(({ id }) => id)).size).toBe(20_000);
  expect(content.at(-1)?.id).toBe('a_20000');
});

test('a schema with choices at the top keeps the members of all of them, whatever their names and however many', () => {
  const choices = JSON.parse('[{"properties":{"__proto__":{"type":"string"},"a":{}}},{},{"properties":{"a":{"type":"null"}}}]') as object[];
  const more = Array.from({ length: 200_000 }, () => ({}));
  const parameters = { anyOf: [...choices, ...more], properties: { b: {} } };
  const { text } = encode({ tools: [tool('read', { parameters })] });
  expect(text).toContain('"properties":{"__proto__":{"type":"string"},"a":{"type":"null"},"b":{}}');
});
