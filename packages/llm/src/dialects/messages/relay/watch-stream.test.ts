import { expect, test } from 'vitest';
import { verifies } from '@codelab/testkit';
import fc from 'fast-check';
import type { StreamWatch } from '../../../stream/stream-watch.js';
import { ToolNames } from '../../../names/tool-names.js';
import { watchStream } from './watch-stream.js';

const event = (type: string, more: object = {}) => `event: ${type}\ndata: ${JSON.stringify({ type, ...more })}\n\n`;
const START = event('message_start', { message: { id: 'm', usage: { input_tokens: 5, cache_read_input_tokens: 3, output_tokens: 1 } } });
const TEXT = event('content_block_delta', { index: 0, delta: { type: 'text_delta', text: '한글 git_diff 🙂' } });
const BLOCK = event('content_block_start', { index: 0, content_block: { type: 'text', text: '' } });
const CALL = event('content_block_start', { index: 1, content_block: { type: 'tool_use', id: 'a', name: 'git_diff', input: {} } });
const END = event('message_delta', { delta: { stop_reason: 'end_turn' }, usage: { output_tokens: 9 } });
const STOP = event('message_stop');
const ERROR = event('error', { error: { type: 'overloaded_error', message: 'sk-ant-secret' } });
const WHOLE = `: hello\n\n${START}${event('ping')}${BLOCK}${TEXT}${event('content_block_stop', { index: 0 })}${CALL}${END}${STOP}`;

const toBytes = (text: string) => new TextEncoder().encode(text);
const toString = (bytes: Uint8Array) => new TextDecoder().decode(bytes);

/** What a caller gets of a stream that comes in these pieces. */
const pass = (watch: StreamWatch, pieces: readonly Uint8Array[]) =>
  Buffer.concat([...pieces.map((piece) => Buffer.from(watch.push(piece))), watch.end()]).toString('utf8');

const cut = (text: string, places: readonly number[]) => {
  const all = toBytes(text);
  const ends = [...places.map((place) => place % all.length).toSorted((a, b) => a - b), all.length];
  return ends.map((end, place) => all.subarray(ends[place - 1] ?? 0, end));
};

const USAGE = { inputTokens: 8, outputTokens: 9, cachedInputTokens: 3 };

test(verifies('L3:messages-watch', 'wherever the bytes are cut they pass as they are, and usage and end are known'), () => {
  fc.assert(
    fc.property(fc.array(fc.nat(), { maxLength: 10 }), fc.constantFrom('\n', '\r\n'), (places, ending) => {
      const text = WHOLE.replaceAll('\n', ending);
      const watch = watchStream({});
      expect(pass(watch, cut(text, places))).toBe(text);
      expect([watch.begun, watch.whole, watch.usage]).toEqual([true, true, USAGE]);
    }),
    { numRuns: 150 },
  );
});

test('what is whole goes on at once, what is not waits for its rest', () => {
  const watch = watchStream();
  expect(toString(watch.push(toBytes(START + TEXT.slice(0, 30))))).toBe(START);
  expect(toString(watch.push(toBytes(TEXT.slice(30))))).toBe(TEXT);
});

test('only what means something is a beginning', () => {
  const watch = watchStream();
  watch.push(toBytes(`: hello\n\n${event('ping')}`));
  expect([watch.begun, watch.usage]).toEqual([false, undefined]);
  watch.push(toBytes(START));
  expect(watch.begun).toBe(true);
  const late = watchStream();
  late.push(toBytes(TEXT));
  expect(late.begun).toBe(true);
});

test(verifies('L3:RQ14', 'a mapped name of a tool is the caller’s again wherever the bytes are cut, and nothing else changes'), () => {
  fc.assert(
    fc.property(fc.array(fc.nat(), { maxLength: 10 }), (places) => {
      const watch = watchStream({ names: new ToolNames(['git.diff']) });
      expect(pass(watch, cut(WHOLE, places))).toBe(WHOLE.replace('"name":"git_diff"', '"name":"git.diff"'));
    }),
    { numRuns: 50 },
  );
});

test(verifies('L3:messages-watch', 'an error is thrown, without the words of the provider, after what came before it was given'), () => {
  const overloaded = expect.objectContaining({ name: 'LlmError', code: 'overloaded', message: expect.not.stringContaining('sk-ant') });
  expect(() => watchStream().push(toBytes(ERROR + TEXT))).toThrow(overloaded);
  for (const how of ['push', 'end'] as const) {
    const watch = watchStream();
    expect(toString(watch.push(toBytes(START + TEXT + ERROR + TEXT)))).toBe(START + TEXT);
    expect(() => (how === 'push' ? watch.push(toBytes(TEXT)) : watch.end())).toThrow(overloaded);
  }
  expect(() => watchStream().push(toBytes('event: error\ndata: <html>\n\n'))).toThrow(expect.objectContaining({ code: 'unavailable' }));
  const asOpenAi = 'data: {"error":{"message":"sk-ant-secret at 10.0.0.1"}}\n\n';
  expect(() => watchStream().push(toBytes(asOpenAi))).toThrow(expect.objectContaining({ message: expect.not.stringContaining('secret') }));
});

test.each([
  ['content_block_delta', '\ndata: '],
  ['content_block_stop', '\ndata:'],
  ['content_block_start', '\r\ndata: '],
  ['content_block_delta', ': 1\n: wait\ndata: '],
])(verifies('L1:stream-error', 'an error under the name %s is an error, however it is written (%j)'), (name, between) => {
  const overloaded = expect.objectContaining({ name: 'LlmError', code: 'overloaded', message: expect.not.stringContaining('sk-ant') });
  for (const space of ['', ' ']) {
    const data = `{${space}"type":${space}"error","error":{"type":"overloaded_error","message":"sk-ant-secret"}}`;
    const watch = watchStream();
    expect(toString(watch.push(toBytes(`${START}event: ${name}${between}${data}\n\n${TEXT}`)))).toBe(START);
    expect(() => watch.end()).toThrow(overloaded);
  }
});

test('events written in other ways pass as they are', () => {
  const ways = [
    'event: content_block_delta\ndata: { "type": "content_block_delta", "index": 0}\n\n',
    'event: content_block_delta\ndata:{"index":0,"type":"content_block_delta"}\n\n',
    'event:content_block_stop\rdata: {"type":"content_block_stop"}\r\r',
    'data: {"type":"content_block_stop"}\nevent: content_block_stop\n\n',
  ];
  for (const way of ways) expect(pass(watchStream(), [toBytes(START + way + END + STOP)])).toBe(START + way + END + STOP);
});

test.each([
  ['before its end', WHOLE.slice(0, -STOP.length)],
  ['in its end mark', WHOLE.slice(0, -5)],
  ['before it began', ''],
])(verifies('L3:ST21', 'a relayed stream that ends %s is an interrupted one'), (_how, text) => {
  const watch = watchStream();
  watch.push(toBytes(text));
  expect(() => watch.end()).toThrow(expect.objectContaining({ code: 'stream_interrupted' }));
});

test(
  verifies('L3:ST22', 'in a relayed stream a repeated beginning passes as it is, another message’s is an error behind what came'),
  () => {
    const start = (id: string) =>
      `event: message_start\ndata: {"type":"message_start","message":{"id":"${id}","usage":{"input_tokens":1}}}\n\n`;
    expect(toString(watchStream().push(toBytes(start('msg_1') + TEXT + start('msg_1'))))).toContain(start('msg_1') + TEXT + start('msg_1'));
    const watch = watchStream();
    expect(toString(watch.push(toBytes(start('msg_1') + TEXT + start('msg_2') + TEXT)))).toBe(start('msg_1') + TEXT);
    expect(() => watch.end()).toThrow(expect.objectContaining({ code: 'stream_interrupted' }));
  },
);

test('empty lines pass in any number', () => {
  for (const lines of ['\n', '\n\n', '\n\n\n']) {
    const text = lines + START + lines + TEXT + lines + STOP + lines;
    expect(pass(watchStream(), [toBytes(text)])).toContain(STOP);
    expect(pass(watchStream(), cut(text, [3, START.length + 2]))).toContain(TEXT);
  }
});

test('an end mark that lacks its blank line counts', () => {
  const watch = watchStream();
  watch.push(toBytes(WHOLE.slice(0, -1)));
  expect(toString(watch.end())).toContain('message_stop');
  expect(watch.whole).toBe(true);
});
