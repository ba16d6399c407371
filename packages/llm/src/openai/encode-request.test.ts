import { expect, test } from '@jest/globals';
import { verifies } from '@codelab/testkit';
import type { Message, ModelRequest } from '../message.js';
import { encodeRequest } from './encode-request.js';

const encode = (request: Partial<ModelRequest>) => encodeRequest({ model: 'm', messages: [], tools: [], ...request }).body;
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
  expect(encode({ model, maxTokens: 7, temperature: 0 })).toMatchObject({ [field]: 7, temperature: 0 });
});
