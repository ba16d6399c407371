import { expect, test } from 'vitest';
import { verifies } from '@codelab/testkit';
import fc from 'fast-check';
import type { StreamPart } from '../../../canonical/stream-part.js';
import { ToolNames } from '../../../names/tool-names.js';
import { decodeAnswer } from '../answer/decode-answer.js';
import { EventDecoder, decodeStream } from './decode-stream.js';

const messageStart = (usage: object = { input_tokens: 10, output_tokens: 1 }, id = 'msg_1') => ({
  type: 'message_start',
  message: { id, usage },
});
const blockStart = (index: number, content_block: object) => ({ type: 'content_block_start', index, content_block });
const delta = (index: number, change: object) => ({ type: 'content_block_delta', index, delta: change });
const blockStop = (index: number) => ({ type: 'content_block_stop', index });
const said = (index: number, ...texts: string[]) => [
  blockStart(index, { type: 'text', text: '' }),
  ...texts.map((text) => delta(index, { type: 'text_delta', text })),
  blockStop(index),
];
const used = (index: number, ...pieces: string[]) => [
  blockStart(index, { type: 'tool_use', id: `toolu_${index}`, name: 'git_diff', input: {} }),
  ...pieces.map((partial_json) => delta(index, { type: 'input_json_delta', partial_json })),
  blockStop(index),
];
const messageDelta = (stop_reason: string | null, usage: object = { output_tokens: 4 }, stop_sequence: string | null = null) => ({
  type: 'message_delta',
  delta: { stop_reason, stop_sequence },
  usage,
});
const STOP = { type: 'message_stop' };

const toText = (events: readonly object[]) =>
  events.map((event) => `event: ${(event as { type: string }).type}\ndata: ${JSON.stringify(event)}\n\n`).join('');

async function* bytes(...chunks: (string | Uint8Array)[]): AsyncGenerator<Uint8Array> {
  for (const chunk of chunks) yield typeof chunk === 'string' ? new TextEncoder().encode(chunk) : chunk;
}

/** The parts of a stream, and how it failed if it did. */
async function read(source: AsyncIterable<Uint8Array>, names?: ToolNames) {
  const parts: StreamPart[] = [];
  try {
    for await (const part of decodeStream(source, names)) parts.push(part);
  } catch (error) {
    return { parts, error };
  }
  return { parts };
}

const decode = async (...events: object[]) => {
  const { parts, error } = await read(bytes(toText(events)));
  if (error !== undefined) throw error as Error;
  return parts;
};

test('text, thoughts, calls, reason and usage', async () => {
  const parts = await decode(
    messageStart({ input_tokens: 5, cache_read_input_tokens: 100, cache_creation_input_tokens: 20, output_tokens: 1 }),
    { type: 'ping' },
    blockStart(0, { type: 'thinking', thinking: '', signature: '' }),
    delta(0, { type: 'thinking_delta', thinking: 'hm' }),
    delta(0, { type: 'signature_delta', signature: 'sig' }),
    blockStop(0),
    blockStart(1, { type: 'redacted_thinking', data: 'opaque' }),
    blockStop(1),
    ...said(2, 'Hi', ' you'),
    ...used(3, '', '{"a"', ':1}'),
    messageDelta('tool_use', { output_tokens: 9, output_tokens_details: { thinking_tokens: 3 } }),
    STOP,
  );
  expect(parts).toEqual([
    { kind: 'thinking_delta', text: 'hm' },
    { kind: 'thinking_delta', text: '', signature: 'sig' },
    { kind: 'redacted_thinking', data: 'opaque' },
    { kind: 'text_delta', text: 'Hi' },
    { kind: 'text_delta', text: ' you' },
    { kind: 'tool_call_start', index: 0, id: 'toolu_3', name: 'git_diff' },
    { kind: 'tool_call_delta', index: 0, arguments: '{"a"' },
    { kind: 'tool_call_delta', index: 0, arguments: ':1}' },
    { kind: 'tool_call_end', index: 0 },
    {
      kind: 'finish',
      reason: 'tool_calls',
      usage: { inputTokens: 125, outputTokens: 9, cachedInputTokens: 100, cacheWriteTokens: 20, reasoningTokens: 3 },
    },
  ]);
});

test('blocks of tools that the provider runs, citations and events of later versions are left out', async () => {
  const parts = await decode(
    messageStart(),
    blockStart(0, { type: 'server_tool_use', id: 'srvtoolu_1', name: 'web_search', input: {} }),
    delta(0, { type: 'input_json_delta', partial_json: '{"query":"x"}' }),
    blockStop(0),
    blockStart(1, { type: 'web_search_tool_result', tool_use_id: 'srvtoolu_1', content: [] }),
    blockStop(1),
    blockStart(2, { type: 'text', text: 'A' }),
    delta(2, { type: 'citations_delta', citation: {} }),
    delta(2, { type: 'text_delta', text: 'B' }),
    blockStop(2),
    { type: 'something_new', index: 3 },
    messageDelta('end_turn'),
    STOP,
  );
  expect(parts.slice(0, -1)).toEqual([
    { kind: 'text_delta', text: 'A' },
    { kind: 'text_delta', text: 'B' },
  ]);
});

test.each([
  ['end_turn', [], 'stop'],
  ['stop_sequence', [], 'stop'],
  ['pause_turn', [], 'stop'],
  ['tool_use', used(0, '{}'), 'tool_calls'],
  ['end_turn', used(0, '{}'), 'tool_calls'],
  ['tool_use', [], 'stop'],
  ['max_tokens', used(0, '{"a'), 'length'],
  ['model_context_window_exceeded', [], 'length'],
  ['refusal', [], 'content_filter'],
  ['a_later_word', [], 'stop'],
])(verifies('L3:finish-reason', 'the stop reason %s after %j is %s'), async (word, before, expected) => {
  expect((await decode(messageStart(), ...before, messageDelta(word), STOP)).at(-1)).toMatchObject({ kind: 'finish', reason: expected });
});

test(verifies('L3:ST11', 'arguments that the limit cut off stay as they are'), async () => {
  const parts = await decode(messageStart(), ...used(0, '{"content":"half'), messageDelta('max_tokens'), STOP);
  expect(parts.slice(1)).toMatchObject([{ arguments: '{"content":"half' }, { kind: 'tool_call_end' }, { reason: 'length' }]);
});

test('the stop sequence that ended the answer is told', async () => {
  const parts = await decode(messageStart(), ...said(0, 'a'), messageDelta('stop_sequence', { output_tokens: 1 }, 'END'), STOP);
  expect(parts.at(-1)).toMatchObject({ reason: 'stop', stopSequence: 'END' });
});

test(verifies('L3:ST14', 'a call without deltas has none; one whose start has its input has that, to the letter'), async () => {
  const whole = toText([messageStart(), ...used(0), messageDelta('tool_use'), STOP]);
  expect((await read(bytes(whole))).parts.slice(0, 2)).toMatchObject([{ kind: 'tool_call_start' }, { kind: 'tool_call_end' }]);
  const withInput = whole.replace('"input":{}', '"input":{ "n":12345678901234567890}');
  expect((await read(bytes(withInput))).parts[1]).toEqual({ kind: 'tool_call_delta', index: 0, arguments: '{ "n":12345678901234567890}' });
});

test(verifies('L3:ST7', 'a call without a name is an error'), async () => {
  const nameless = blockStart(0, { type: 'tool_use', id: 'x', input: {} });
  await expect(decode(messageStart(), nameless, blockStop(0), messageDelta('tool_use'), STOP)).rejects.toMatchObject({
    code: 'stream_interrupted',
  });
});

test('ids that come twice, or not at all, are told apart', async () => {
  const start = (index: number, id?: string) => blockStart(index, { type: 'tool_use', name: 'a', ...(id && { id }) });
  const parts = await decode(messageStart(), start(0, 'x'), start(1, 'x'), start(2), messageDelta('tool_use'), STOP);
  expect(parts.flatMap((part) => (part.kind === 'tool_call_start' ? [part.id] : []))).toEqual(['x', 'x_2', 'toolu_2']);
  expect(parts.filter(({ kind }) => kind === 'tool_call_end')).toHaveLength(3);
});

test(verifies('L3:ST17', 'usage of later events replaces what came before, and what they leave out stays'), async () => {
  const usageOf = async (...events: object[]) => (await decode(...events, STOP)).at(-1);
  const first = messageStart({ input_tokens: 10, cache_read_input_tokens: 2, output_tokens: 1 });
  const twice = [messageDelta(null, { output_tokens: 5 }), messageDelta('end_turn', { output_tokens: 9, input_tokens: null })];
  expect(await usageOf(first, ...twice)).toMatchObject({ usage: { inputTokens: 12, outputTokens: 9, cachedInputTokens: 2 } });
  expect(await usageOf({ type: 'message_start', message: {} }, messageDelta('end_turn', {}))).toMatchObject({ usage: undefined });
});

test(verifies('L3:ST18', 'what came from the cache and went into it is input; rounds of one answer are summed'), async () => {
  const iterations = [
    { type: 'compaction', input_tokens: 1000, output_tokens: 50, cache_read_input_tokens: 7 },
    { type: 'message', input_tokens: 5, output_tokens: 2, cache_read_input_tokens: 100, cache_creation_input_tokens: 20 },
  ];
  const parts = await decode(messageStart(), messageDelta('end_turn', { input_tokens: 5, output_tokens: 2, iterations }), STOP);
  expect(parts.at(-1)).toMatchObject({
    usage: { inputTokens: 1132, outputTokens: 52, cachedInputTokens: 107, cacheWriteTokens: 20 },
  });
});

test(verifies('L3:ST20', 'an error event is an error of ours; what came before it was given out'), async () => {
  const error = { type: 'error', error: { type: 'overloaded_error', message: 'sk-ant-secret is overloaded' } };
  const { parts, error: failure } = await read(bytes(toText([messageStart(), ...said(0, 'half'), error, messageDelta('end_turn'), STOP])));
  expect(parts).toEqual([{ kind: 'text_delta', text: 'half' }]);
  expect(failure).toMatchObject({ name: 'LlmError', code: 'overloaded', retryable: true });
  expect(String(failure)).not.toContain('sk-ant');
  expect((await read(bytes('event: error\ndata: <html>\n\n'))).error).toMatchObject({ code: 'unavailable' });
});

const HALF = toText([messageStart(), ...said(0, 'half an answer'), messageDelta('end_turn')]);

async function* breaking(text: string): AsyncGenerator<Uint8Array> {
  yield* bytes(text);
  throw new Error('socket hang up');
}

test(verifies('L3:ST21', 'a stream that ends or breaks before message_stop throws after its text was given out'), async () => {
  const ended = await read(bytes(HALF));
  expect(ended).toMatchObject({ parts: [{ kind: 'text_delta', text: 'half an answer' }], error: { code: 'stream_interrupted' } });
  expect(await read(breaking(HALF))).toMatchObject({ parts: ended.parts, error: { message: 'socket hang up' } });
  await expect(decode(messageStart(), ...said(0, 'a'), STOP)).rejects.toMatchObject({ code: 'stream_interrupted' });
  expect((await read(bytes('event: message_start\ndata: {"type":\n\n'))).error).toMatchObject({ code: 'stream_interrupted' });
});

test('an answer that is whole is one whatever the connection does then', async () => {
  expect(await read(breaking(HALF + toText([STOP])))).not.toHaveProperty('error');
});

test(verifies('L3:ST22', 'a second beginning of the same answer is ignored, another answer’s is an error'), async () => {
  const again = await decode(messageStart(), ...said(0, 'a'), messageStart(), ...said(1, 'b'), messageDelta('end_turn'), STOP);
  expect(again.slice(0, -1)).toMatchObject([{ text: 'a' }, { text: 'b' }]);
  const { parts, error } = await read(bytes(toText([messageStart(), ...said(0, 'a'), messageStart({}, 'msg_2')])));
  expect([parts.length, error]).toMatchObject([1, { code: 'stream_interrupted' }]);
});

test(verifies('L3:RQ14', 'tool names come back as the request had them'), async () => {
  const stream = toText([messageStart(), ...used(0, '{}'), messageDelta('tool_use'), STOP]);
  expect((await read(bytes(stream), new ToolNames(['git.diff']))).parts[0]).toMatchObject({ name: 'git.diff' });
});

const WHOLE = toText([
  messageStart(),
  blockStart(0, { type: 'thinking', thinking: '' }),
  delta(0, { type: 'thinking_delta', thinking: '생각 🤔' }),
  delta(0, { type: 'signature_delta', signature: 's' }),
  blockStop(0),
  ...said(1, '한글과 ', '🙂🙃'),
  ...used(2, '{"path":"파', '일"}'),
  messageDelta('tool_use'),
  STOP,
]);

test(verifies('L3:ST19', 'the bytes may be cut anywhere, and lines may end in any way'), async () => {
  const expected = await read(bytes(WHOLE));
  expect(expected).not.toHaveProperty('error');
  const all = new TextEncoder().encode(WHOLE);
  await fc.assert(
    fc.asyncProperty(fc.array(fc.nat(all.length), { maxLength: 12 }), async (cuts) => {
      const places = [0, ...cuts.toSorted((a, b) => a - b), all.length];
      const pieces = places.slice(1).map((end, place) => all.subarray(places[place], end));
      expect(await read(bytes(...pieces))).toEqual(expected);
    }),
    { numRuns: 50 },
  );
  expect(await read(bytes(...[...all].map((byte) => Uint8Array.of(byte))))).toEqual(expected);
  for (const ending of ['\r\n', '\r']) expect(await read(bytes(WHOLE.replaceAll('\n', ending)))).toEqual(expected);
});

test(verifies('L3:ST19', 'a character whose halves come in two events is given out whole'), async () => {
  const stream = toText([messageStart(), ...said(0, 'aX', 'Yb'), messageDelta('end_turn'), STOP])
    .replace('aX', 'a\\ud83d')
    .replace('Yb', '\\ude42b');
  expect((await read(bytes(stream))).parts.slice(0, -1)).toEqual([
    { kind: 'text_delta', text: 'a' },
    { kind: 'text_delta', text: '🙂b' },
  ]);
});

test('`finish` is given out before the source is let go', async () => {
  let released = false;
  async function* source() {
    try {
      yield* bytes(WHOLE);
      yield* bytes('more');
    } finally {
      released = true;
    }
  }
  for await (const part of decodeStream(source())) if (part.kind === 'finish') expect(released).toBe(false);
  expect(released).toBe(true);
});

test('an answer in one piece reads like a stream, its inputs to the letter', () => {
  const answer = JSON.stringify({
    id: 'msg_1',
    content: [
      { type: 'thinking', thinking: 'hm', signature: 's' },
      { type: 'text', text: 'Hi' },
      { type: 'tool_use', id: 'a', name: 'git_diff', input: 'INPUT' },
      { type: 'tool_use', id: 'b', name: 'other', input: {} },
    ],
    stop_reason: 'tool_use',
    usage: { input_tokens: 3, output_tokens: 2 },
  }).replace('"INPUT"', '{ "n": 12345678901234567890 }');
  expect([...decodeAnswer(answer, new ToolNames(['git.diff']))]).toEqual([
    { kind: 'thinking_delta', text: 'hm' },
    { kind: 'thinking_delta', text: '', signature: 's' },
    { kind: 'text_delta', text: 'Hi' },
    { kind: 'tool_call_start', index: 0, id: 'a', name: 'git.diff' },
    { kind: 'tool_call_delta', index: 0, arguments: '{ "n": 12345678901234567890 }' },
    { kind: 'tool_call_end', index: 0 },
    { kind: 'tool_call_start', index: 1, id: 'b', name: 'other' },
    { kind: 'tool_call_end', index: 1 },
    { kind: 'finish', reason: 'tool_calls', usage: { inputTokens: 3, outputTokens: 2 } },
  ]);
});

test.each([
  ['<html>bad gateway</html>', 'unavailable'],
  ['', 'unavailable'],
  ['{"object":"chat.completion"}', 'unavailable'],
  ['{"type":"error","error":{"type":"overloaded_error","message":"x"}}', 'overloaded'],
  ['{"content":[{"type":"text","text":"a"}],"stop_reason":null}', 'stream_interrupted'],
])(verifies('L1:ER2', 'an answer %j is refused without its words'), (answer, code) => {
  const decodeAll = () => [...decodeAnswer(answer)];
  expect(decodeAll).toThrow(expect.objectContaining({ name: 'LlmError', code }));
  expect(decodeAll).not.toThrow('bad gateway');
});

test('one id in many calls takes time in proportion to their number', () => {
  const decoder = new EventDecoder();
  const block = { type: 'tool_use', id: 'a', name: 'read', input: {} };
  const events = Array.from({ length: 20_000 }, (_, index) => blockStart(index, block));
  const ids = events.flatMap((event) =>
    [...decoder.add(event, JSON.stringify(event))].map((part) => part.kind === 'tool_call_start' && part.id),
  );
  expect(new Set(ids).size).toBe(20_000);
  expect(ids.at(-1)).toBe('a_20000');
});
