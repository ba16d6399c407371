import { expect, test } from 'vitest';
import { verifies } from '@codelab/testkit';
import fc from 'fast-check';
import type { FinishReason, StreamPart } from '../../../canonical/stream-part.js';
import { decodeAnswer } from '../answer/decode-answer.js';
import { decodeStream } from './decode-stream.js';
import { encodeAnswer } from '../answer/encode-answer.js';
import { StreamEncoder } from './stream-encoder.js';

const META = { id: 'msg_1', model: 'claude', created: 1, includeUsage: true };
const USAGE = { inputTokens: 125, outputTokens: 7, cachedInputTokens: 100, cacheWriteTokens: 20 };

const text = (said: string): StreamPart => ({ kind: 'text_delta', text: said });
const start = (index: number): StreamPart => ({ kind: 'tool_call_start', index, id: `call_${index}`, name: `tool_${index}` });
const args = (index: number, piece: string): StreamPart => ({ kind: 'tool_call_delta', index, arguments: piece });
const end = (index: number): StreamPart => ({ kind: 'tool_call_end', index });
const finish = (reason: FinishReason, more: object = {}): StreamPart => ({ kind: 'finish', reason, ...more });
const call = (index: number, ...pieces: string[]) => [start(index), ...pieces.map((piece) => args(index, piece)), end(index)];

interface Event {
  readonly type: string;
  readonly index?: number;
  readonly content_block?: object;
  readonly delta?: object;
  readonly usage?: object;
}

const encode = (parts: readonly StreamPart[]): string => {
  const encoder = new StreamEncoder(META);
  return encoder.start() + parts.map((part) => encoder.push(part)).join('') + encoder.end();
};

/** The events of a stream; fails where one isn't framed as Anthropic's SDK wants it. */
const eventsOf = (stream: string): Event[] =>
  stream
    .split('\n\n')
    .filter(Boolean)
    .map((event) => {
      const [, name, data] = /^event: (\w+)\ndata: (.*)$/.exec(event)!;
      const value = JSON.parse(data!) as Event;
      expect(value.type).toBe(name);
      return value;
    });

/** The blocks of a stream as `start type`, `delta text` and `stop` with their index. */
const blocksOf = (...parts: StreamPart[]) =>
  eventsOf(encode([...parts, finish('stop')])).flatMap(({ type, index, content_block, delta }) => {
    if (!type.startsWith('content_block_')) return [];
    const said = content_block ? Object.values(content_block)[0] : delta && Object.values(delta)[1];
    return [`${index} ${type.slice('content_block_'.length)}${said === undefined ? '' : ` ${String(said)}`}`];
  });

async function* bytesOf(stream: string): AsyncGenerator<Uint8Array> {
  yield new TextEncoder().encode(stream);
}

const decode = async (stream: string) => {
  const parts: StreamPart[] = [];
  for await (const part of decodeStream(bytesOf(stream))) parts.push(part);
  return parts;
};

test(verifies('L3:F5', 'a whole answer: thought, text, call, usage and the end mark'), () => {
  const stream = encode([{ kind: 'thinking_delta', text: 'hm' }, text('Hi'), ...call(0, '{}'), finish('stop', { usage: USAGE })]);
  expect(eventsOf(stream)).toEqual([
    {
      type: 'message_start',
      message: {
        ...{ id: 'msg_1', type: 'message', role: 'assistant', model: 'claude', content: [], stop_reason: null, stop_sequence: null },
        usage: { input_tokens: 0, output_tokens: 0 },
      },
    },
    { type: 'content_block_start', index: 0, content_block: { type: 'thinking', thinking: '', signature: '' } },
    { type: 'content_block_delta', index: 0, delta: { type: 'thinking_delta', thinking: 'hm' } },
    { type: 'content_block_stop', index: 0 },
    { type: 'content_block_start', index: 1, content_block: { type: 'text', text: '' } },
    { type: 'content_block_delta', index: 1, delta: { type: 'text_delta', text: 'Hi' } },
    { type: 'content_block_stop', index: 1 },
    { type: 'content_block_start', index: 2, content_block: { type: 'tool_use', id: 'call_0', name: 'tool_0', input: {} } },
    { type: 'content_block_delta', index: 2, delta: { type: 'input_json_delta', partial_json: '{}' } },
    { type: 'content_block_stop', index: 2 },
    {
      type: 'message_delta',
      delta: { stop_reason: 'tool_use', stop_sequence: null },
      usage: { input_tokens: 5, cache_creation_input_tokens: 20, cache_read_input_tokens: 100, output_tokens: 7 },
    },
    { type: 'message_stop' },
  ]);
});

test('an empty answer, and one whose usage nobody counted, still have what the SDK needs', () => {
  expect(eventsOf(encode([finish('stop')])).map(({ type, usage }) => [type, usage])).toEqual([
    ['message_start', undefined],
    ['message_delta', { input_tokens: 0, output_tokens: 0 }],
    ['message_stop', undefined],
  ]);
});

test(verifies('L3:ST1', 'no empty text block stands before a call'), () => {
  expect(blocksOf(text(''), ...call(0, '{}'))).toEqual(['0 start tool_use', '0 delta {}', '0 stop']);
});

test(verifies('L3:ST2', 'the pieces of arguments are deltas of the block'), () => {
  expect(blocksOf(...call(0, '{"a"', '', ':1}'))).toEqual(['0 start tool_use', '0 delta {"a"', '0 delta :1}', '0 stop']);
});

test(verifies('L3:ST3', 'no arguments, no delta'), () => {
  expect(blocksOf(...call(0))).toEqual(['0 start tool_use', '0 stop']);
});

test(verifies('L3:ST4', 'deltas of two calls by turns, and text between them, come one block after the other'), () => {
  expect(
    blocksOf(start(0), args(0, 'a'), start(1), text('late'), args(1, 'b'), args(0, 'c'), end(0), args(1, 'd'), end(1), text('!')),
  ).toEqual(
    ['0 start tool_use', '0 delta a', '0 delta c', '0 stop', '1 start tool_use', '1 delta b', '1 delta d', '1 stop'].concat([
      '2 start text',
      '2 delta late',
      '2 delta !',
      '2 stop',
    ]),
  );
});

test('calls that nobody ended are ended by the finish, in order', () => {
  expect(blocksOf(start(0), start(1), args(1, 'b'), start(2), args(0, 'a'))).toEqual(
    ['0 start tool_use', '0 delta a', '0 stop', '1 start tool_use', '1 delta b', '1 stop'].concat(['2 start tool_use', '2 stop']),
  );
});

test('what can go out goes out at once', () => {
  const encoder = new StreamEncoder(META);
  encoder.start();
  expect(encoder.push(text('a'))).toContain('"text":"a"');
  encoder.push(start(0));
  expect(encoder.push(args(0, 'piece'))).toContain('piece');
  expect(encoder.push(start(1))).toBe('');
  expect(encoder.push(end(0))).toContain('"id":"call_1"');
  expect(encoder.push(args(1, 'more'))).toContain('more');
});

test(verifies('L3:ST8', 'what comes behind arguments that parse already is kept'), () => {
  expect(blocksOf(start(0), args(0, '{}'), args(0, ' '), args(0, '{"a":1}'), end(0)).slice(1, 4)).toEqual([
    '0 delta {}',
    '0 delta  ',
    '0 delta {"a":1}',
  ]);
});

test(verifies('L3:ST10', 'text, call, text: each block has its first fragment'), () => {
  expect(blocksOf(text('one'), ...call(0, '{"x":1}'), text('two'))).toEqual(
    ['0 start text', '0 delta one', '0 stop', '1 start tool_use', '1 delta {"x":1}', '1 stop'].concat([
      '2 start text',
      '2 delta two',
      '2 stop',
    ]),
  );
});

test(verifies('L3:thoughts', 'a signature ends its thought; a redacted one is a block of its own'), () => {
  const parts: StreamPart[] = [
    { kind: 'thinking_delta', text: 'a' },
    { kind: 'thinking_delta', text: 'b', signature: 's1' },
    { kind: 'thinking_delta', text: '', signature: 's2' },
    { kind: 'redacted_thinking', data: 'opaque' },
    text('x'),
  ];
  expect(eventsOf(encode([...parts, finish('stop')])).filter(({ content_block }) => content_block)).toMatchObject([
    { index: 0, content_block: { type: 'thinking' } },
    { index: 1, content_block: { type: 'thinking' } },
    { index: 2, content_block: { type: 'redacted_thinking', data: 'opaque' } },
    { index: 3, content_block: { type: 'text' } },
  ]);
  expect(JSON.parse(encodeAnswer([...parts, finish('stop')], META))).toMatchObject({
    content: [
      { type: 'thinking', thinking: 'ab', signature: 's1' },
      { type: 'thinking', thinking: '', signature: 's2' },
      { type: 'redacted_thinking', data: 'opaque' },
      { type: 'text', text: 'x' },
    ],
  });
});

test.each([
  ['stop', [], {}, 'end_turn', null],
  ['stop', call(0, '{}'), {}, 'tool_use', null],
  ['tool_calls', call(0, '{}'), {}, 'tool_use', null],
  ['length', call(0, '{"cut'), {}, 'max_tokens', null],
  ['content_filter', [text('No.')], {}, 'refusal', null],
  ['stop', [text('a')], { stopSequence: 'END' }, 'stop_sequence', 'END'],
] as const)(verifies('L3:F7', 'the finish %s after %j with %j is written as %s'), (reason, parts, more, word, sequence) => {
  const expected = { stop_reason: word, stop_sequence: sequence };
  expect(eventsOf(encode([...parts, finish(reason, more)])).at(-2)).toMatchObject({ type: 'message_delta', delta: expected });
  expect(JSON.parse(encodeAnswer([...parts, finish(reason, more)], META))).toMatchObject(expected);
});

test(verifies('L3:ST12', 'there is one message_delta, with the usage'), () => {
  const deltas = eventsOf(encode([text('a'), finish('stop', { usage: { inputTokens: 3, outputTokens: 2, reasoningTokens: 1 } })])).filter(
    ({ type }) => type === 'message_delta',
  );
  expect(deltas).toMatchObject([{ usage: { input_tokens: 3, output_tokens: 2, output_tokens_details: { thinking_tokens: 1 } } }]);
});

test(verifies('L3:RQ26', 'an answer in one piece carries a long integer, odd keys and a megabyte of arguments as they came'), () => {
  const odd = '{ "n": 12345678901234567890, "b":1, "a": "\\u00e9" }';
  const large = JSON.stringify({ content: 'x"\n'.repeat(350_000) });
  const answer = encodeAnswer([...call(0, odd.slice(0, 9), odd.slice(9)), ...call(1, large), finish('stop')], META);
  expect(answer).toContain(`"input":${odd}`);
  expect(answer).toContain(`"input":${large}`);
});

test.each(['', '{"cut', 'no'])('arguments %j, which are no JSON, are an empty input in an answer in one piece', (piece) => {
  expect(JSON.parse(encodeAnswer([...call(0, piece), finish('length')], META))).toMatchObject({
    content: [{ type: 'tool_use', id: 'call_0', name: 'tool_0', input: {} }],
    stop_reason: 'max_tokens',
  });
});

// What both a stream and its encoder leave in one form: neighbouring texts are one block, a thought ends with its signature.
const said = fc.string({ unit: 'grapheme', minLength: 1, maxLength: 12 });
const segment = fc.oneof(
  fc.record({ kind: fc.constant('text_delta' as const), text: said }),
  fc.record({ kind: fc.constant('thinking_delta' as const), text: said, signature: fc.stringMatching(/^[A-Za-z0-9+/]{4,12}$/) }),
  fc.record({ kind: fc.constant('redacted_thinking' as const), data: said }),
  fc.record({ kind: fc.constant('call' as const), pieces: fc.array(said, { maxLength: 3 }), name: fc.stringMatching(/^[a-z_]{1,8}$/) }),
);
const tokens = fc.nat(1_000_000);
const answers = fc
  .record({
    segments: fc.array(segment, { maxLength: 6 }),
    cut: fc.boolean(),
    usage: fc.record({ outputTokens: tokens, cachedInputTokens: tokens, cacheWriteTokens: tokens, plain: tokens, reasoningTokens: tokens }),
  })
  .map(({ segments, cut, usage: { plain, ...counted } }): StreamPart[] => {
    let index = 0;
    const parts = segments.flatMap((entry): StreamPart[] => {
      if (entry.kind === 'thinking_delta') {
        return [
          { kind: entry.kind, text: entry.text },
          { kind: entry.kind, text: '', signature: entry.signature },
        ];
      }
      if (entry.kind !== 'call') return [entry];
      const [start, ...rest] = call(index, ...entry.pieces);
      index += 1;
      return [{ ...start, name: entry.name } as StreamPart, ...rest];
    });
    const usage = { ...counted, inputTokens: plain + counted.cachedInputTokens + counted.cacheWriteTokens };
    return [...parts, { kind: 'finish', reason: cut ? 'length' : index > 0 ? 'tool_calls' : 'stop', usage }];
  });

test(verifies('L3:messages-round-trip', 'what is written as a stream reads the same'), async () => {
  await fc.assert(
    fc.asyncProperty(answers, async (parts) => {
      expect(await decode(encode(parts))).toEqual(parts);
    }),
    { numRuns: 50 },
  );
});

test(verifies('L3:messages-round-trip', 'what is written as an answer in one piece adds up to the same'), async () => {
  const addUp = (parts: readonly StreamPart[]) => JSON.parse(encodeAnswer(parts, META)) as object;
  await fc.assert(
    fc.asyncProperty(answers, async (parts) => {
      expect(addUp([...decodeAnswer(encodeAnswer(parts, META))])).toEqual(addUp(parts));
    }),
    { numRuns: 40 },
  );
});
