import { describe, expect, test } from 'vitest';
import fc from 'fast-check';
import { verifies } from '@codelab/testkit';
import { collectAnswer } from '../../../canonical/collect-answer.js';
import type { FinishReason, StreamPart, Usage } from '../../../canonical/stream-part.js';
import { decodeStream, decodeAnswer } from './decode-stream.js';
import { encodeAnswer } from '../answer/encode-answer.js';
import { encodeProgress, StreamEncoder } from './stream-encoder.js';

const META = { id: 'chatcmpl-1', model: 'gpt "x"', created: 7, includeUsage: true };
const start = (index: number, id = `c${index}`): StreamPart => ({ kind: 'tool_call_start', index, id, name: `tool_${index}` });
const args = (index: number, text: string): StreamPart => ({ kind: 'tool_call_delta', index, arguments: text });
const end = (index: number): StreamPart => ({ kind: 'tool_call_end', index });
const text = (said: string): StreamPart => ({ kind: 'text_delta', text: said });
const finish = (reason: FinishReason = 'stop', usage?: Usage): StreamPart => ({ kind: 'finish', reason, ...(usage && { usage }) });

const encode = (parts: readonly StreamPart[], meta = META): string => {
  const encoder = new StreamEncoder(meta);
  return encoder.start() + parts.map((part) => encoder.push(part)).join('') + encoder.end();
};
const choicesOf = (stream: string) =>
  stream
    .split('\n\n')
    .filter((event) => event.startsWith('data: {'))
    .flatMap((event) => (JSON.parse(event.slice(6)) as { choices: { delta: Record<string, unknown>; finish_reason: unknown }[] }).choices);
const deltasOf = (...parts: StreamPart[]) =>
  choicesOf(encode([...parts, finish()]))
    .map(({ delta }) => delta)
    .slice(1, -1);
const answerOf = (parts: readonly StreamPart[]) =>
  JSON.parse(encodeAnswer(parts, META)) as { choices: [{ message: Record<string, unknown>; finish_reason: string }]; usage?: object };

async function* bytes(whole: string): AsyncGenerator<Uint8Array> {
  yield Buffer.from(whole);
}

test(verifies('L3:ST15', 'the first chunk has the role, whether or not somebody asked for it'), () => {
  const encoder = new StreamEncoder(META);
  const first = encoder.push(text('a'));
  expect(choicesOf(first)).toEqual([
    { index: 0, delta: { role: 'assistant', content: '' }, finish_reason: null },
    { index: 0, delta: { content: 'a' }, finish_reason: null },
  ]);
  expect(encoder.start()).toBe('');
  expect(first).toContain('{"id":"chatcmpl-1","object":"chat.completion.chunk","created":7,"model":"gpt \\"x\\"","choices":[');
});

describe('calls', () => {
  const head = (index: number) => ({
    tool_calls: [{ index, id: `c${index}`, type: 'function', function: { name: `tool_${index}`, arguments: '' } }],
  });
  const piece = (index: number, text: string) => ({ tool_calls: [{ index, function: { arguments: text } }] });

  test(verifies('L3:F2', 'the first piece of a call has everything but arguments, the others only these'), () => {
    expect(deltasOf(text('x'), start(0), args(0, '{"a"'), args(0, ''), args(0, ':1}'), end(0), start(1), args(1, '{}'), end(1))).toEqual([
      { content: 'x' }, head(0), piece(0, '{"a"'), piece(0, ':1}'), head(1), piece(1, '{}'),
    ]); // oxfmt-ignore
  });

  test(verifies('L3:F3', 'calls by turns come one after another, with nothing lost'), () => {
    const parts = [
      start(0),
      args(0, '1'),
      start(1),
      args(1, 'a'),
      text('x'),
      args(0, '2'),
      start(2),
      args(1, 'b'),
      end(1),
      args(2, 'z'),
      end(0),
      end(2),
    ];
    expect(deltasOf(...parts)).toEqual([
      head(0), piece(0, '1'), { content: 'x' }, piece(0, '2'), head(1), piece(1, 'a'), piece(1, 'b'), head(2), piece(2, 'z'),
    ]); // oxfmt-ignore
  });

  test(verifies('L3:ST14', 'a call without arguments has {} when it is over, and never begins with it'), () => {
    expect(deltasOf(start(0), end(0), start(1), args(1, ' '), end(1))).toEqual([
      head(0),
      piece(0, '{}'),
      head(1),
      piece(1, ' '),
      piece(1, '{}'),
    ]);
    expect(answerOf([start(0), end(0), finish('tool_calls')]).choices[0].message.tool_calls).toMatchObject([
      { function: { arguments: '{}' } },
    ]);
  });

  test(verifies('L3:ST11', 'but not one that the limit cut off'), () => {
    const cut = [start(0), args(0, '{"a"'), end(0), start(1), finish('length')];
    expect(choicesOf(encode(cut)).slice(1)).toEqual([
      ...[head(0), piece(0, '{"a"'), head(1)].map((delta) => ({ index: 0, delta, finish_reason: null })),
      { index: 0, delta: {}, finish_reason: 'length' },
    ]);
    expect(answerOf(cut).choices[0].message.tool_calls).toMatchObject([
      { function: { arguments: '{"a"' } },
      { function: { arguments: '' } },
    ]);
  });

  test(verifies('L3:ST16', 'any calls, however their parts mix, read as they were meant by index and by order alike'), async () => {
    const calls = fc.array(fc.array(fc.string({ minLength: 1 }), { maxLength: 4 }), { maxLength: 4 });
    await fc.assert(
      fc.asyncProperty(calls, fc.infiniteStream(fc.nat()), async (pieces, picks) => {
        const queues = pieces.map((texts, index) => [start(index), ...texts.map((text) => args(index, text)), end(index)]);
        const parts: StreamPart[] = [];
        // starts come in order, everything else in any
        for (let started = 0; queues.some((queue) => queue.length > 0);) {
          const ready = queues.filter((queue, index) => queue.length > 0 && index <= started);
          const queue = ready[(picks.next().value as number) % ready.length] ?? [];
          if (queue[0]?.kind === 'tool_call_start') started += 1;
          parts.push(queue.shift() as StreamPart);
        }
        const stream = encode([...parts, finish('tool_calls')]);
        const expected = pieces.map((texts, i) => ({
          providerId: `c${i}`,
          name: `tool_${i}`,
          arguments: texts.join('').trim() === '' ? `${texts.join('')}{}` : texts.join(''),
        }));
        expect((await collectAnswer(decodeStream(bytes(stream)))).toolCalls).toEqual(expected);
        const order = choicesOf(stream).flatMap(
          ({ delta }) => (delta.tool_calls as { index: number }[] | undefined)?.map(({ index }) => index) ?? [],
        );
        expect(order).toEqual(order.toSorted((a, b) => a - b));
      }),
      { numRuns: 100 },
    );
  });
});

test.each<[FinishReason, StreamPart[], string]>([
  ['stop', [], 'stop'],
  ['stop', [start(0), end(0)], 'tool_calls'],
  ['tool_calls', [start(0), end(0)], 'tool_calls'],
  ['length', [start(0)], 'length'],
  ['content_filter', [text('No.')], 'content_filter'],
])(verifies('L3:finish-reason', 'the reason %s after %j is %s'), (reason, parts, word) => {
  expect(choicesOf(encode([...parts, finish(reason)])).at(-1)).toEqual({ index: 0, delta: {}, finish_reason: word });
  expect(answerOf([...parts, finish(reason)]).choices[0].finish_reason).toBe(word);
});

test('thoughts are reasoning_content, and once more where their provider wants them back', () => {
  const parts: StreamPart[] = [
    { kind: 'thinking_delta', text: 'h' },
    { kind: 'thinking_delta', text: 'm' },
    { kind: 'thinking_delta', text: '', signature: 's' },
    { kind: 'redacted_thinking', data: 'd' },
    text('x'),
  ];
  const blocks = [
    { type: 'thinking', thinking: 'hm', signature: 's' },
    { type: 'redacted_thinking', data: 'd' },
  ];
  expect(deltasOf(...parts)).toEqual([
    { reasoning_content: 'h' },
    { reasoning_content: 'm' },
    { thinking_blocks: [blocks[0]] },
    { thinking_blocks: [blocks[1]] },
    { content: 'x' },
  ]);
  expect(answerOf([...parts, finish()]).choices[0].message).toMatchObject({
    content: 'x',
    reasoning_content: 'hm',
    thinking_blocks: blocks,
  });
});

describe('usage', () => {
  const usage: Usage = { inputTokens: 125, outputTokens: 8, cachedInputTokens: 100, cacheWriteTokens: 20, reasoningTokens: 3 };
  const written = {
    prompt_tokens: 125, completion_tokens: 8, total_tokens: 133,
    prompt_tokens_details: { cached_tokens: 100, cache_write_tokens: 20 }, completion_tokens_details: { reasoning_tokens: 3 },
  }; // oxfmt-ignore

  test(verifies('L3:ST18', 'all input, what of it came from the cache, and what of the output was thought'), async () => {
    const stream = encode([text('a'), finish('stop', usage)]);
    expect(stream).toContain(`"choices":[],"usage":${JSON.stringify(written)}}\n\ndata: [DONE]\n\n`);
    expect((await collectAnswer(decodeStream(bytes(stream)))).usage).toEqual(usage);
    expect(answerOf([finish('stop', usage)]).usage).toEqual(written);
  });

  test('comes only if the caller asked for it, and never as zeros that nobody counted', () => {
    expect(encode([finish('stop', usage)], { ...META, includeUsage: false })).not.toContain('usage');
    expect(encode([finish()])).not.toContain('usage');
    expect(answerOf([finish()])).not.toHaveProperty('usage');
  });
});

test('an answer in one piece', async () => {
  const parts = [text('a'), text('b'), start(0), args(0, '{"n":12345678901234567890}'), end(0), finish('tool_calls')];
  expect(answerOf(parts)).toEqual({
    id: 'chatcmpl-1', object: 'chat.completion', created: 7, model: 'gpt "x"',
    choices: [
      {
        index: 0,
        message: {
          role: 'assistant', content: 'ab', refusal: null,
          tool_calls: [{ id: 'c0', type: 'function', function: { name: 'tool_0', arguments: '{"n":12345678901234567890}' } }],
        },
        logprobs: null,
        finish_reason: 'tool_calls',
      },
    ],
  }); // oxfmt-ignore
  expect(answerOf([start(0), finish()]).choices[0].message.content).toBeNull();
  expect(answerOf([finish()]).choices[0].message.content).toBe('');
  expect(await collectAnswer(decodeAnswer(encodeAnswer(parts, META)))).toEqual(await collectAnswer(parts));
});

test('progress is a chunk that changes nothing of the answer', async () => {
  const progress = encodeProgress(META, { tool: 'read', state: 'running' });
  expect(progress).toContain('"choices":[{"index":0,"delta":{},"finish_reason":null}],"codelab":{"tool":"read","state":"running"}}\n\n');
  expect((await collectAnswer(decodeStream(bytes(progress + encode([text('a'), finish()]))))).text).toBe('a');
});
