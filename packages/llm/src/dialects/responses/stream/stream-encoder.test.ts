import { expect, test } from 'vitest';
import { verifies } from '@codelab/testkit';
import { ApiError } from '../../../errors/api-error.js';
import type { StreamPart } from '../../../canonical/stream-part.js';
import { decodeRequest } from '../request/decode-request.js';
import { encodeStreamError } from '../errors/encode-error.js';
import { StreamEncoder, encodeAnswer } from './stream-encoder.js';

interface Event {
  readonly type: string;
  readonly sequence_number: number;
  readonly output_index?: number;
  readonly item_id?: string;
  readonly item?: Item;
  readonly delta?: string;
  readonly response?: {
    readonly status: string;
    readonly output: Item[];
    readonly usage: unknown;
    readonly error: unknown;
    readonly incomplete_details: unknown;
  };
}
type Item = Readonly<Record<string, unknown>>;

const TOOLS = [
  { type: 'function', name: 'add' },
  { type: 'namespace', name: 'mcp__files', tools: [{ type: 'function', name: 'git.diff' }] },
  { type: 'custom', name: 'patch' },
  { type: 'tool_search', execution: 'client' },
];

const metaOf = (more: object = {}, keep?: (id: string, item: object) => void) => {
  const raw = JSON.stringify({ model: 'm', input: 'hi', tools: TOOLS, ...more });
  const { echo } = decodeRequest(JSON.parse(raw), raw, { ...(keep && { keep }) });
  return { id: 'resp_x', model: 'm', created: 1, includeUsage: true, ...(echo && { echo }) };
};

const read = (text: string): Event[] =>
  text
    .split('\n\n')
    .filter(Boolean)
    .map((event) => {
      const [, name, data = ''] = /^event: (\S+)\ndata: (.*)$/.exec(event) ?? [];
      const parsed = JSON.parse(data) as Event;
      expect(parsed.type).toBe(name);
      return parsed;
    });

const stream = (parts: readonly StreamPart[], meta = metaOf()): Event[] => {
  const encoder = new StreamEncoder(meta);
  const text = encoder.start() + parts.map((part) => encoder.push(part)).join('') + encoder.end();
  const events = read(text);
  expect(events.map(({ sequence_number: n }) => n)).toEqual(events.map((_, place) => place));
  return events;
};

const callParts = (index: number, id: string, name: string, ...pieces: string[]): StreamPart[] => [
  { kind: 'tool_call_start', index, id, name },
  ...pieces.map((piece) => ({ kind: 'tool_call_delta' as const, index, arguments: piece })),
  { kind: 'tool_call_end', index },
];
const finish = (reason: 'stop' | 'tool_calls' | 'length' | 'content_filter'): StreamPart => ({ kind: 'finish', reason });

test(verifies('L3:responses-events', 'an answer is the events of the dialect, in order, numbered, and whole at the end'), () => {
  const usage = { inputTokens: 10, outputTokens: 5, cachedInputTokens: 3, reasoningTokens: 2 };
  const events = stream([
    { kind: 'thinking_delta', text: 'hm' },
    { kind: 'thinking_delta', text: '', signature: 'S' },
    { kind: 'text_delta', text: 'He' },
    { kind: 'text_delta', text: 'llo' },
    ...callParts(0, 'call_a', 'add', '{"a":', '1}'),
    { kind: 'finish', reason: 'tool_calls', usage },
  ]);
  expect(events.map(({ type }) => type.replace('response.', ''))).toEqual([
    ...['created', 'in_progress'],
    ...['output_item.added', 'reasoning_summary_part.added', 'reasoning_summary_text.delta'],
    ...['reasoning_summary_text.done', 'reasoning_summary_part.done', 'output_item.done'],
    ...['output_item.added', 'content_part.added', 'output_text.delta', 'output_text.delta'],
    ...['output_text.done', 'content_part.done', 'output_item.done'],
    ...['output_item.added', 'function_call_arguments.delta', 'function_call_arguments.delta'],
    ...['function_call_arguments.done', 'output_item.done', 'completed'],
  ]);
  const { response } = events.at(-1) ?? {};
  expect(response?.output).toEqual(events.filter(({ type }) => type.endsWith('item.done')).map(({ item }) => item));
  expect(response).toMatchObject({
    ...{ id: 'resp_x', object: 'response', created_at: 1, status: 'completed', model: 'm', error: null, incomplete_details: null },
    output: [
      { type: 'reasoning', id: 'rs_x_0', summary: [{ type: 'summary_text', text: 'hm' }] },
      { type: 'message', id: 'msg_x_1', role: 'assistant', content: [{ type: 'output_text', text: 'Hello', annotations: [] }] },
      { type: 'function_call', id: 'fc_x_2', call_id: 'call_a', name: 'add', arguments: '{"a":1}', status: 'completed' },
    ],
    usage: {
      ...{ input_tokens: 10, input_tokens_details: { cached_tokens: 3 }, output_tokens: 5 },
      ...{ output_tokens_details: { reasoning_tokens: 2 }, total_tokens: 15 },
    },
  });
});

test('the response repeats what was asked, letter by letter', () => {
  const raw =
    '{"model":"m","input":"hi","tools":[{"type":"function","name":"a","parameters":{"x":12345678901234567890,"1":0}}],"top_p":null}';
  const { echo } = decodeRequest(JSON.parse(raw), raw);
  const text = encodeAnswer([finish('stop')], { id: 'resp_x', model: 'm', created: 1, includeUsage: true, ...(echo && { echo }) });
  expect(text).toContain('"tools":[{"type":"function","name":"a","parameters":{"x":12345678901234567890,"1":0}}]');
  expect(JSON.parse(text)).toMatchObject({ tool_choice: 'auto', top_p: null, instructions: null, usage: null, output: [] });
});

test(verifies('L3:responses-order', 'items never interleave, and nothing of them is lost'), () => {
  const events = stream([
    { kind: 'tool_call_start', index: 0, id: 'a', name: 'add' },
    { kind: 'tool_call_start', index: 1, id: 'b', name: 'add' },
    { kind: 'tool_call_delta', index: 1, arguments: '{"b":1}' },
    { kind: 'tool_call_delta', index: 0, arguments: '{"a"' },
    { kind: 'text_delta', text: 'after' },
    { kind: 'tool_call_delta', index: 0, arguments: ':1}' },
    { kind: 'tool_call_end', index: 0 },
    { kind: 'tool_call_end', index: 1 },
    finish('tool_calls'),
  ]);
  const places = events.flatMap(({ output_index: place }) => place ?? []);
  expect(places).toEqual(places.toSorted((a, b) => a - b));
  expect(events.at(-1)?.response?.output).toMatchObject([
    { call_id: 'a', arguments: '{"a":1}' },
    { call_id: 'b', arguments: '{"b":1}' },
    { type: 'message', content: [{ text: 'after' }] },
  ]);
});

test('text goes out as it comes, and so do the arguments of the first open call', () => {
  const encoder = new StreamEncoder(metaOf());
  const deltas = (part: StreamPart) => read(encoder.push(part)).flatMap(({ delta }) => delta ?? []);
  expect(deltas({ kind: 'text_delta', text: 'a' })).toEqual(['a']);
  expect(deltas({ kind: 'text_delta', text: '' })).toEqual([]);
  expect(deltas({ kind: 'tool_call_start', index: 0, id: 'a', name: 'add' })).toEqual([]);
  expect(deltas({ kind: 'tool_call_delta', index: 0, arguments: '{' })).toEqual(['{']);
});

test(verifies('L3:responses-namespaces-back', 'a call comes back as its tool was declared: in its namespace, custom, or a search'), () => {
  const events = stream([
    ...callParts(0, 'a', 'mcp__files__git.diff'),
    ...callParts(1, 'b', 'patch', '{"input":"x ', '\\"y\\""}'),
    ...callParts(2, 'c', 'patch', 'no JSON'),
    ...callParts(3, 'd', 'tool_search', '{"query":"q"}'),
    ...callParts(4, 'e', 'made_up', '{}'),
    finish('tool_calls'),
  ]);
  expect(events.at(-1)?.response?.output).toMatchObject([
    { type: 'function_call', call_id: 'a', namespace: 'mcp__files', name: 'git.diff', arguments: '{}' },
    { type: 'custom_tool_call', call_id: 'b', name: 'patch', input: 'x "y"' },
    { type: 'custom_tool_call', call_id: 'c', name: 'patch', input: 'no JSON' },
    { type: 'tool_search_call', call_id: 'd', execution: 'client', arguments: { query: 'q' } },
    { type: 'function_call', call_id: 'e', name: 'made_up' },
  ]);
  expect(events.find(({ type }) => type === 'response.custom_tool_call_input.delta')?.delta).toBe('x "y"');
});

test.each([
  ['length', 'max_output_tokens'],
  ['content_filter', 'content_filter'],
] as const)('%s is an incomplete response, and the call that was cut stays as it is', (reason, why) => {
  const events = stream([{ kind: 'text_delta', text: 'a' }, ...callParts(0, 'a', 'add', '{"a').slice(0, -1), finish(reason)]);
  expect(events.at(-1)).toMatchObject({
    type: 'response.incomplete',
    response: { status: 'incomplete', incomplete_details: { reason: why } },
  });
  expect(events.at(-1)?.response?.output).toMatchObject([{ status: 'completed' }, { status: 'incomplete', arguments: '{"a' }]);
});

test('a stream ends with the same response object as an answer in one piece', () => {
  const parts: StreamPart[] = [
    { kind: 'redacted_thinking', data: 'R' },
    { kind: 'thinking_delta', text: 'a', signature: '1' },
    { kind: 'thinking_delta', text: 'b', signature: '2' },
    { kind: 'text_delta', text: 'x' },
    finish('stop'),
  ];
  const { response } = stream(parts).at(-1) ?? {};
  expect(JSON.parse(encodeAnswer(parts, metaOf()))).toEqual(response);
  expect(response?.output.map(({ type }) => type)).toEqual(['reasoning', 'reasoning', 'reasoning', 'message']);
});

test(
  verifies('L3:responses-errors', 'an error in the middle is told twice, for the SDKs and for Codex, and with what came before it'),
  () => {
    const encoder = new StreamEncoder(metaOf());
    const text = encoder.start() + encoder.push({ kind: 'text_delta', text: 'a' });
    const error = new ApiError('rate_limited', 'Too many requests.');
    const [failure, failed] = read(encoder.fail(error));
    expect(failure).toMatchObject({
      type: 'error',
      code: 'rate_limit_exceeded',
      message: error.message,
      param: null,
      sequence_number: read(text).length,
    });
    expect(failed).toMatchObject({
      type: 'response.failed',
      response: { id: 'resp_x', status: 'failed', error: { code: 'rate_limit_exceeded', message: error.message } },
    });
    expect(read(encodeStreamError(error)).map(({ type }) => type)).toEqual(['error', 'response.failed']);
  },
);

test('items are kept for later unless the caller stores itself', () => {
  const kept: string[] = [];
  const keep = (id: string) => void kept.push(id);
  const parts: StreamPart[] = [{ kind: 'text_delta', text: 'a' }, ...callParts(0, 'a', 'add'), finish('tool_calls')];
  encodeAnswer(parts, metaOf({ store: false }, keep));
  expect(kept).toEqual([]);
  encodeAnswer(parts, metaOf({}, keep));
  expect(kept).toEqual(['msg_x_0', 'fc_x_1']);
});

test('many calls by turns take time in proportion to their number', () => {
  const encoder = new StreamEncoder({ id: 'resp_x', model: 'm', created: 1, includeUsage: true });
  const calls = Array.from({ length: 20_000 }, (_, index) => index);
  for (const index of calls) encoder.push({ kind: 'tool_call_start', index, id: `c${index}`, name: 'add' });
  for (const index of calls) encoder.push({ kind: 'tool_call_delta', index: 19_999 - (index % 2), arguments: 'x' });
  for (const index of calls.toReversed()) encoder.push({ kind: 'tool_call_end', index });
  const { output } = JSON.parse(encoder.response()) as { output: Item[] };
  expect(output.map(({ call_id }) => call_id)).toEqual(calls.map((index) => `c${index}`));
  expect(output.at(-1)).toMatchObject({ arguments: 'x'.repeat(10_000) });
});
