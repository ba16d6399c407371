import { expect, test } from 'vitest';
import { verifies } from '@codelab/testkit';
import { AnswerBuilder, collectAnswer } from '../../../canonical/collect-answer.js';
import { LlmError } from '../../../errors/llm-error.js';
import { ToolNames } from '../../../names/tool-names.js';
import { decodeStream } from './decode-stream.js';

const DONE = '[DONE]';
const choice = (delta: object, finish_reason: string | null = null) => ({ choices: [{ index: 0, delta, finish_reason }] });
const text = (content: string) => choice({ content });
const finish = (reason: string) => choice({}, reason);
const usage = (prompt_tokens: number, completion_tokens: number, more: object = {}) => ({
  choices: [],
  usage: { prompt_tokens, completion_tokens, ...more },
});
const call = (args: string) => choice({ tool_calls: [{ index: 0, id: 'x', function: { name: 'read', arguments: args } }] });

const toText = (events: readonly unknown[]) =>
  events.map((event) => `data: ${typeof event === 'string' ? event : JSON.stringify(event)}\n\n`).join('');

async function* bytes(whole: string, error?: Error): AsyncGenerator<Uint8Array> {
  yield new TextEncoder().encode(whole);
  if (error) throw error;
}

const decode = (...events: unknown[]) => collectAnswer(decodeStream(bytes(toText(events))));

test('text, thoughts, calls, reason and usage', async () => {
  const parts = [];
  const stream = bytes(
    toText([
      choice({ role: 'assistant', content: '' }),
      choice({ reasoning_content: 'hm' }),
      text('Hi'),
      call('{}'),
      finish('tool_calls'),
      usage(5, 2, {
        prompt_tokens_details: { cached_tokens: 3, cache_write_tokens: 1 },
        completion_tokens_details: { reasoning_tokens: 1 },
      }),
      DONE,
    ]),
  );
  for await (const part of decodeStream(stream)) parts.push(part);
  expect(parts).toEqual([
    { kind: 'thinking_delta', text: 'hm' },
    { kind: 'text_delta', text: 'Hi' },
    { kind: 'tool_call_start', index: 0, id: 'x', name: 'read' },
    { kind: 'tool_call_delta', index: 0, arguments: '{}' },
    { kind: 'tool_call_end', index: 0 },
    {
      kind: 'finish',
      reason: 'tool_calls',
      usage: { inputTokens: 5, outputTokens: 2, cachedInputTokens: 3, cacheWriteTokens: 1, reasoningTokens: 1 },
    },
  ]);
});

test(verifies('L3:ST9', 'content, call and finish may share a chunk'), async () => {
  const answer = await decode(
    {
      choices: [
        {
          index: 0,
          delta: { content: 'a', tool_calls: [{ index: 0, id: 'x', function: { name: 'n', arguments: '{}' } }] },
          finish_reason: 'stop',
        },
      ],
    },
    DONE,
  );
  expect(answer).toEqual({ text: 'a', toolCalls: [{ providerId: 'x', name: 'n', arguments: '{}' }], finish: 'tool_calls' });
});

test.each([
  ['stop', [], 'stop'],
  ['stop', [call('{}')], 'tool_calls'],
  ['tool_calls', [], 'stop'],
  ['function_call', [choice({ function_call: { name: 'read', arguments: '{}' } })], 'tool_calls'],
  ['length', [call('{"pa')], 'length'],
  ['max_tokens', [], 'length'],
  ['content_filter', [], 'content_filter'],
  ['eos_token', [], 'stop'],
])(verifies('L3:finish-reason', 'finish reason %s after %j is %s'), async (word, before, expected) => {
  expect((await decode(...before, finish(word), DONE)).finish).toBe(expected);
});

test(verifies('L3:finish-reason', 'a reason that nobody knows is named, unless it is more than a word'), async () => {
  for (const [word, named] of [
    ['eos_token', 'eos_token'],
    ['constructor', 'constructor'],
    ['the key sk-1 is gone', '?'],
    ['stop', undefined],
    ['length', undefined],
  ]) {
    const parts = [];
    for await (const part of decodeStream(bytes(toText([finish(word!), DONE])))) parts.push(part);
    expect(parts.at(-1)).toEqual({ kind: 'finish', reason: word === 'length' ? 'length' : 'stop', ...(named && { unknownReason: named }) });
  }
});

test(verifies('L3:cut-arguments', 'arguments that the length limit cut off stay as they are'), async () => {
  const answer = await decode(call('{"path":"a", "content":"half'), finish('length'), DONE);
  expect(answer).toMatchObject({ finish: 'length', toolCalls: [{ arguments: '{"path":"a", "content":"half' }] });
});

test('a refusal is text, and the filter’s doing', async () => {
  expect(await decode(choice({ refusal: 'No.' }), finish('stop'), DONE)).toMatchObject({ text: 'No.', finish: 'content_filter' });
});

test(verifies('L3:ST17', 'usage in its own chunk, with the finish, twice or in every chunk is reported once, the last one'), async () => {
  const expected = { inputTokens: 9, outputTokens: 4 };
  expect((await decode(text('a'), finish('stop'), usage(9, 4), DONE)).usage).toEqual(expected);
  expect((await decode({ ...finish('stop'), usage: { prompt_tokens: 9, completion_tokens: 4 } }, DONE)).usage).toEqual(expected);
  expect(
    (await decode({ ...text('a'), usage: { prompt_tokens: 9, completion_tokens: 1 } }, finish('stop'), usage(9, 4), usage(9, 4), DONE))
      .usage,
  ).toEqual(expected);
  expect(await decode(text('a'), { ...finish('stop'), usage: null }, DONE)).toMatchObject({ usage: undefined });
});

test('after finish reason and usage nobody waits for the end mark', async () => {
  async function* open() {
    yield* bytes(toText([text('a'), finish('stop'), usage(1, 1)]));
    await new Promise(() => undefined);
  }
  expect((await collectAnswer(decodeStream(open()))).text).toBe('a');
});

test.each([
  ['ends', undefined],
  ['breaks', new Error('socket hang up')],
])(verifies('R3:no-invented-end', 'a stream that %s without a finish reason throws after its text was given out'), async (_how, error) => {
  const builder = new AnswerBuilder();
  const read = async () => {
    for await (const part of decodeStream(bytes(toText([text('half an '), text('answer')]), error))) builder.add(part);
  };
  await expect(read()).rejects.toThrow(error?.message ?? 'broke off');
  expect(builder.text).toBe('half an answer');
});

test('an end mark without a finish reason is no clean end', async () => {
  await expect(decode(text('a'), DONE)).rejects.toMatchObject({ code: 'stream_interrupted', retryable: true });
});

test('an empty finish reason counts only together with the end mark', async () => {
  expect(await decode(choice({ content: 'a' }, ''), choice({ content: 'b' }, ''), DONE)).toMatchObject({ text: 'ab', finish: 'stop' });
  await expect(decode(choice({ content: 'a' }, ''))).rejects.toMatchObject({ code: 'stream_interrupted' });
});

test('a connection that breaks after the finish reason costs only the usage; a cancel is still a cancel', async () => {
  const whole = toText([text('a'), finish('stop')]);
  expect(await collectAnswer(decodeStream(bytes(whole, new Error('reset'))))).toEqual({ text: 'a', toolCalls: [], finish: 'stop' });
  const cancelled = decodeStream(bytes(whole, new LlmError('cancelled', 'x')));
  await expect(collectAnswer(cancelled)).rejects.toMatchObject({ code: 'cancelled' });
});

test.each([
  ['a chunk that is no JSON', ['{"choices":'], 'stream_interrupted'],
  ['an error chunk', [{ error: { message: 'sk-secret said no', type: 'server_error' } }], 'unavailable'],
  ['an error chunk with a number', [{ error: { message: 'slow down', code: 429 } }], 'rate_limited'],
  ['an error as finish reason', [choice({}, 'error')], 'unavailable'],
])(verifies('L1:stream-error', '%s after text becomes our error'), async (_what, events, code) => {
  const failure = decode(text('a'), ...events);
  await expect(failure).rejects.toMatchObject({ name: 'LlmError', code });
  await expect(failure).rejects.not.toThrow('sk-secret');
});

test('an event named error is an error whatever is in it', async () => {
  await expect(collectAnswer(decodeStream(bytes('event: error\ndata: {"message":"x"}\n\n')))).rejects.toMatchObject({
    code: 'unavailable',
  });
});

test('choices other than the first are left out; content may be a list; a chunk may lack choices', async () => {
  const other = { choices: [{ index: 1, delta: { content: 'not me' } }] };
  expect(
    await decode(
      { id: 'x' },
      other,
      choice({
        content: [
          { type: 'text', text: 'a' },
          { type: 'text', text: 'b' },
        ],
      }),
      finish('stop'),
      DONE,
    ),
  ).toMatchObject({ text: 'ab' });
});

test(verifies('L3:utf8-boundaries', 'a character whose halves come in two chunks is given out whole'), async () => {
  const halves =
    toText([text('a'), DONE])
      .replace('"a"', '"a\\ud83d"')
      .replace('data: [DONE]\n\n', '') +
    toText([text('b')]).replace('"b"', '"\\ude42b"') +
    toText([finish('stop'), DONE]);
  const texts = [];
  for await (const part of decodeStream(bytes(halves))) if (part.kind === 'text_delta') texts.push(part.text);
  expect(texts).toEqual(['a', '🙂b']);
});

test('tool names come back as the request had them', async () => {
  const chunks = toText([
    choice({ tool_calls: [{ index: 0, id: 'x', function: { name: 'git_diff', arguments: '{}' } }] }),
    finish('stop'),
    DONE,
  ]);
  const answer = await collectAnswer(decodeStream(bytes(chunks), new ToolNames(['git.diff'])));
  expect(answer.toolCalls[0]?.name).toBe('git.diff');
});

test('`finish` is given out before the source is let go', async () => {
  const order: string[] = [];
  async function* source() {
    try {
      yield* bytes(toText([finish('stop'), DONE]));
      await new Promise(() => undefined);
    } finally {
      order.push('let go');
    }
  }
  for await (const part of decodeStream(source())) order.push(part.kind);
  expect(order).toEqual(['finish', 'let go']);
});
