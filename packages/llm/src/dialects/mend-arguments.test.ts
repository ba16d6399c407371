import { expect, test } from 'vitest';
import { verifies } from '@codelab/testkit';
import { chat, messages, responses } from '../index.js';

const ODD = '{ "b": 12345678901234567890, "a": "\\u0041" }';
const TEXT = JSON.stringify(ODD);

const chatBody = (args: string): string =>
  `{"messages": [{"role":"assistant","tool_calls":[{"id":"c","type":"function","function":{"name":"f","arguments":${args}}}],` +
  `"function_call":{"name":"f","arguments":${args}}}, {"role":"user","content":"{}"}]}`;
const messagesBody = (input: string): string =>
  `{"messages": [{"role":"user","content":[{"type":"text","input":"stays"}]}, {"role":"assistant","content":[{"type":"tool_use","id":"c","name":"f","input":${input}}]}]}`;
const input = (args: string): string =>
  `{"input": [{"type":"function_call","call_id":"c","name":"f","arguments":${args}}, {"type":"tool_search_call","call_id":"d","arguments":{"q":1}}]}`;

test.each([
  ['Chat Completions', chat, chatBody(ODD), chatBody(TEXT)],
  ['Messages', messages, messagesBody(TEXT), messagesBody(ODD)],
  ['Responses', responses, input(ODD), input(TEXT)],
] as const)(verifies('L3:argument-forms', '%s: to the letter, and all else stays as it is'), (_, { mendArguments }, came, mended) => {
  expect(mendArguments(came, JSON.parse(came))).toBe(mended);
  expect(mendArguments(mended, JSON.parse(mended))).toBe(mended);
});

test.each(['""', '"{bad"', '"7"', '"[1]"'])(
  verifies('L3:argument-forms', 'Messages: the text %s says no object, and becomes an empty one'),
  (text) => {
    expect(messages.mendArguments(messagesBody(text), JSON.parse(messagesBody(text)))).toBe(messagesBody('{}'));
  },
);

test.each(['not an object', '{"messages":7}', '{"messages":[7,{"content":"x","tool_calls":[null,{"function":[]}]}],"input":[3]}'])(
  'a body of any other shape stays as it is: %s',
  (raw) => {
    const body: unknown = raw.startsWith('{') ? JSON.parse(raw) : raw;
    for (const { mendArguments } of [chat, messages, responses]) expect(mendArguments(raw, body)).toBe(raw);
  },
);
