import { describe, expect, test } from 'vitest';
import fc from 'fast-check';
import { verifies } from '@codelab/testkit';
import type { WatchOptions } from '../../dialect.js';
import type { StreamWatch } from '../../../stream/stream-watch.js';
import { ToolNames } from '../../../names/tool-names.js';
import { watchStream } from './watch-stream.js';

const DONE = 'data: [DONE]\n\n';
const HEAD = { id: 'chatcmpl-1', object: 'chat.completion.chunk', created: 7, model: 'gpt' };
const event = (members: object) => `data: ${JSON.stringify({ ...HEAD, ...members })}\n\n`;
const choice = (delta: object, finish_reason: string | null = null) => event({ choices: [{ index: 0, delta, finish_reason }] });
const role = choice({ role: 'assistant', content: '' });
const text = (content: string) => choice({ content });
const begin = (index: number, id: string, name = 'read', args = '') =>
  choice({ tool_calls: [{ index, id, type: 'function', function: { name, arguments: args } }] });
const more = (index: number, args: string) => choice({ tool_calls: [{ index, function: { arguments: args } }] });
const finish = (reason = 'stop') => choice({}, reason);
const counted = { prompt_tokens: 9, completion_tokens: 4 };
const usage = event({ choices: [], usage: counted });

const relay = (watch: StreamWatch, whole: string, size = Infinity): string => {
  const bytes = Buffer.from(whole);
  const given: Uint8Array[] = [];
  for (let at = 0; at < bytes.length; at += size)
    given.push(Buffer.from(watch.push(bytes.subarray(at, Math.min(at + size, bytes.length)))));
  return Buffer.concat([...given, watch.end()]).toString('utf8');
};
const through = (events: readonly string[], options: WatchOptions = {}) => relay(watchStream(options), events.join(''));

interface Chunk {
  choices: { delta: Record<string, unknown>; finish_reason: string | null }[];
  usage?: unknown;
}
const chunksOf = (stream: string): Chunk[] =>
  stream
    .split('\n\n')
    .filter((line) => line.startsWith('data: {'))
    .map((line) => JSON.parse(line.slice(6)) as Chunk);
const deltasOf = (stream: string) => chunksOf(stream).flatMap(({ choices }) => choices.map(({ delta }) => delta));

/** What OpenAI's SDK adds up, and how it fails. */
const addUp = (stream: string) => {
  const calls: { id?: string; type?: string; name?: string; args: string }[] = [];
  let [content, finishReason, hasRole] = ['', null as string | null, false];
  let last = -1;
  for (const { choices } of chunksOf(stream)) {
    for (const { delta, finish_reason } of choices) {
      hasRole ||= delta.role === 'assistant';
      if (!hasRole) throw new Error('no role');
      content += (delta.content as string | null | undefined) ?? '';
      const fragments = (delta.tool_calls ?? []) as { index?: number; id?: string; type?: string; function?: Record<string, string> }[];
      if (fragments.length > 0 && delta.content) throw new Error('text and call share a chunk');
      for (const { index, id, type, function: called } of fragments) {
        if (index === undefined || (index !== last && index !== last + 1)) throw new Error(`index ${index} after ${last}`);
        if (index > last && (id === undefined || type !== 'function' || called?.name === undefined))
          throw new Error('a call without a head');
        if (index === last && (id !== undefined || called?.name !== undefined)) throw new Error('a second head');
        last = index;
        const call = (calls[index] ??= { ...(id && { id }), ...(type && { type }), ...(called?.name && { name: called.name }), args: '' });
        call.args += called?.arguments ?? '';
      }
      finishReason = finish_reason ?? finishReason;
    }
  }
  return { content, finishReason, calls: calls.map(({ id, name, args }) => [id, name, args]) };
};

const GOOD = [
  role,
  text('한글 🙂'),
  text('"tool_calls" \\ "error":'),
  begin(0, 'a'),
  more(0, '{"pa'),
  more(0, 'th":"é"}'),
  begin(1, 'b', 'list', '{}'),
  finish('tool_calls'),
  usage,
  DONE,
];

describe('a well-formed stream', () => {
  test(verifies('L3:relay-bytes', 'passes byte for byte, wherever it is cut, and is counted'), () => {
    for (let size = 1; size < 40; size++) {
      const watch = watchStream();
      expect(relay(watch, GOOD.join(''), size)).toBe(GOOD.join(''));
      expect(watch).toMatchObject({ begun: true, whole: true, usage: { inputTokens: 9, outputTokens: 4 } });
    }
  });

  test(verifies('L3:ST19', 'a character cut at every byte stays whole, in a stream that is written anew too'), () => {
    const irregular = [choice({ content: '한글' }), text('🙂é'), finish(), DONE].join('');
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 60 }), (size) => {
        const given = relay(watchStream(), irregular, size);
        expect(addUp(given).content).toBe('한글🙂é');
        expect(given).not.toContain('\uFFFD');
      }),
      { numRuns: 60 },
    );
  });

  test('lines may end in any of the three ways, and comments become ours', () => {
    const crlf = GOOD.join('').replaceAll('\n', '\r\n');
    expect(relay(watchStream(), crlf, 7)).toBe(crlf);
    expect(relay(watchStream(), GOOD.join('').replaceAll('\n', '\r'), 5)).toContain('chatcmpl-1');
    expect(through([': ping\n\n', ...GOOD])).toBe(`: keep-alive\n\n${GOOD.join('')}`);
  });

  test.each([
    ['an unknown member', event({ choices: [{ index: 0, delta: { content: 'a' }, finish_reason: null }], x_groq: { id: 1 } })],
    ['a first chunk without choices', event({ choices: [], prompt_filter_results: [] })],
    ['repeated types and blank ids', choice({ tool_calls: [{ index: 0, id: '', type: 'function', function: { arguments: '{}' } }] })],
    ['two whole calls in one chunk', GOOD[3] ?? ''],
  ])('passes with %s', (_what, odd) => {
    const stream = [role, begin(0, 'z'), more(0, '{}'), ...(odd === GOOD[3] ? [] : [odd]), finish('tool_calls'), DONE];
    expect(through(stream)).toBe(stream.join(''));
  });

  test('several choices pass as they are', () => {
    const second = event({ choices: [{ index: 1, delta: { content: 'b' }, finish_reason: null }] });
    const end = event({ choices: [{ index: 1, delta: {}, finish_reason: 'stop' }] });
    const stream = [role, second, text('a'), second, finish(), end, DONE];
    expect(through(stream)).toBe(stream.join(''));
    expect(() => through([role, second, finish(), DONE])).toThrow('broke off');
  });
});

describe('usage', () => {
  test('that the caller did not ask for is swallowed, but counted', () => {
    const watch = watchStream({ swallowUsage: true });
    expect(relay(watch, [role, text('a'), finish(), usage, DONE].join(''))).toBe([role, text('a'), finish(), DONE].join(''));
    expect(watch.usage).toEqual({ inputTokens: 9, outputTokens: 4 });
  });

  test.each([null, {}, { prompt_tokens: -1, completion_tokens: -1 }, { prompt_tokens: 1.5, completion_tokens: 0.5 }, 'none'])(
    'that the caller did not ask for is swallowed behind the finish, though it can’t be read: %j',
    (unreadable) => {
      const leading = event({ choices: [], prompt_filter_results: [] });
      const odd = event({ choices: [], usage: unreadable });
      const stream = [leading, role, text('a'), finish()];
      const swallowing = { swallowUsage: true };
      expect(through([...stream, odd, DONE], swallowing)).toBe([...stream, DONE].join(''));
      expect(through([...stream, event({ usage: unreadable }), DONE], swallowing)).toBe([...stream, DONE].join(''));
      expect(through([...stream, odd, usage, DONE])).toBe([...stream, odd, usage, DONE].join('')); // who asked gets what came
    },
  );

  test(verifies('L3:ST17', 'that comes twice, or with every chunk, is reported once'), () => {
    const finishWithUsage = event({ choices: [{ index: 0, delta: {}, finish_reason: 'stop' }], usage: counted });
    expect(through([role, finish(), usage, usage, DONE])).toBe([role, finish(), usage, DONE].join(''));
    expect(through([role, finishWithUsage, usage, DONE])).toBe([role, finishWithUsage, DONE].join(''));
    const along = event({ choices: [{ index: 0, delta: { content: 'a' }, finish_reason: null }], usage: counted });
    const given = chunksOf(through([role, along, along, finish(), DONE]));
    expect(given.map((chunk) => (chunk.usage ? chunk.choices.length : -1)).filter((choices) => choices !== -1)).toEqual([0]);
    expect(given.at(-1)?.usage).toMatchObject({ prompt_tokens: 9, completion_tokens: 4 });
    expect(addUp(through([along, finish(), usage, usage, DONE])).content).toBe('a');
  });
});

describe('a stream that a client would break on is repaired from there', () => {
  const CALL = { name: 'read', arguments: '{"a":1}' };
  test.each<[title: string, events: string[], expected: ReturnType<typeof addUp>]>([
    [
      verifies('L3:ST15', 'a stream without a role is repaired'),
      [text('a'), text('b'), finish(), DONE],
      { content: 'ab', finishReason: 'stop', calls: [] },
    ],
    [
      verifies('L3:ST9', 'a stream with text, call and finish in one chunk is repaired'),
      [role, choice({ content: 'hi', tool_calls: [{ index: 0, id: 'a', type: 'function', function: CALL }] }, 'tool_calls'), DONE],
      { content: 'hi', finishReason: 'tool_calls', calls: [['a', 'read', '{"a":1}']] },
    ],
    [
      verifies('L3:ST5', 'a stream without indexes is repaired'),
      [
        role,
        choice({ tool_calls: [{ id: 'a', type: 'function', function: { name: 'read', arguments: '{"a"' } }] }),
        choice({ tool_calls: [{ function: { arguments: ':1}' } }] }),
        choice({ tool_calls: [{ id: 'b', type: 'function', function: CALL }] }),
        finish('tool_calls'),
        DONE,
      ],
      { content: '', finishReason: 'tool_calls', calls: [['a', 'read', '{"a":1}'], ['b', 'read', '{"a":1}']] }, // oxfmt-ignore
    ],
    [
      verifies('L3:ST6', 'a stream whose continuation has another index and no id is repaired'),
      [role, begin(0, 'a'), more(0, '{"a"'), more(1, ':1}'), finish('tool_calls'), DONE],
      { content: '', finishReason: 'tool_calls', calls: [['a', 'read', '{"a":1}']] },
    ],
    [
      verifies('L3:ST7', 'a stream whose name comes later is repaired'),
      [
        role,
        choice({ tool_calls: [{ index: 0, id: 'a', type: 'function' }] }),
        choice({ tool_calls: [{ index: 0, function: { name: 'read' } }] }),
        more(0, '{"a":1}'),
        finish('tool_calls'),
        DONE,
      ],
      { content: '', finishReason: 'tool_calls', calls: [['a', 'read', '{"a":1}']] },
    ],
    [
      verifies('L3:F3', 'a stream with the index 0 for every call, from the second one on is repaired'),
      [role, text('x'), begin(0, 'a'), more(0, '{"a":1}'), begin(0, 'b', 'list'), more(0, '{"b":2}'), finish('tool_calls'), DONE],
      { content: 'x', finishReason: 'tool_calls', calls: [['a', 'read', '{"a":1}'], ['b', 'list', '{"b":2}']] }, // oxfmt-ignore
    ],
    [
      verifies('L3:F3', 'a stream with two calls by turns is repaired'),
      [role, begin(0, 'a'), more(0, '{"a"'), begin(1, 'b', 'list'), more(0, ':1}'), more(1, '{"b":2}'), finish('tool_calls'), DONE],
      { content: '', finishReason: 'tool_calls', calls: [['a', 'read', '{"a":1}'], ['b', 'list', '{"b":2}']] }, // oxfmt-ignore
    ],
    [
      verifies('L3:F2', 'a stream with indexes from 1 is repaired'),
      [role, begin(1, 'a'), more(1, '{"a":1}'), finish('tool_calls'), DONE],
      { content: '', finishReason: 'tool_calls', calls: [['a', 'read', '{"a":1}']] },
    ],
    [
      verifies('L3:F2', 'a stream with the same id twice is repaired'),
      [role, begin(0, 'a'), more(0, '{"a":1}'), begin(1, 'a', 'list', '{"b":2}'), finish('tool_calls'), DONE],
      { content: '', finishReason: 'tool_calls', calls: [['a', 'read', '{"a":1}'], ['a_2', 'list', '{"b":2}']] }, // oxfmt-ignore
    ],
    [
      verifies('L3:F2', 'a stream with name and id in each chunk is repaired'),
      [role, begin(0, 'a', 'read', '{"a"'), begin(0, 'a', 'read', ':1}'), finish('tool_calls'), DONE],
      { content: '', finishReason: 'tool_calls', calls: [['a', 'read', '{"a":1}']] },
    ],
    [
      verifies('L3:ST16', 'a stream without a type is repaired'),
      [role, choice({ tool_calls: [{ index: 0, id: 'a', function: CALL }] }), finish('tool_calls'), DONE],
      { content: '', finishReason: 'tool_calls', calls: [['a', 'read', '{"a":1}']] },
    ],
    [
      verifies('L3:F2', 'a stream with calls without arguments is repaired'),
      [role, begin(0, 'a'), begin(1, 'b', 'list'), finish('tool_calls'), DONE],
      { content: '', finishReason: 'tool_calls', calls: [['a', 'read', '{}'], ['b', 'list', '{}']] }, // oxfmt-ignore
    ],
    [
      verifies('L3:ST11', 'a stream with a call that the limit cut off before its arguments is repaired'),
      [role, text('x'), choice({ tool_calls: [{ index: 0, id: 'a', function: { name: 'read' } }] }), finish('length'), DONE],
      { content: 'x', finishReason: 'length', calls: [['a', 'read', '']] },
    ],
    [
      verifies('L3:ST8', 'a stream with argument text that already parses, then more is repaired'),
      [role, choice({ tool_calls: [{ index: 0, id: 'a', function: { name: 'read', arguments: '1' } }] }), more(0, '2'), finish(), DONE],
      { content: '', finishReason: 'tool_calls', calls: [['a', 'read', '12']] },
    ],
    [
      verifies('L3:finish-reason', 'a stream with a blank finish reason is repaired'),
      [role, choice({ content: 'a' }, ''), choice({ content: 'b' }, ''), DONE],
      { content: 'ab', finishReason: 'stop', calls: [] },
    ],
    [
      verifies('L3:ST10', 'a stream with text behind a call is repaired'),
      [role, choice({ content: 'a', tool_calls: [{ index: 0, id: 'a', function: CALL }] }), text('b'), more(1, ''), finish(), DONE],
      { content: 'ab', finishReason: 'tool_calls', calls: [['a', 'read', '{"a":1}']] },
    ],
  ])('%s', (_title, events, expected) => {
    for (const size of [1, 13, Infinity]) expect(addUp(relay(watchStream(), events.join(''), size))).toEqual(expected);
    expect(relay(watchStream(), events.join('')).endsWith(DONE)).toBe(true);
  });

  test('what came before the first irregular chunk is what came', () => {
    const before = [role, text('x'), begin(0, 'a'), more(0, '{"a"')];
    const given = through([...before, more(1, ':1}'), finish('tool_calls'), usage, DONE]);
    expect(given.startsWith(before.join(''))).toBe(true);
    expect(deltasOf(given.slice(before.join('').length))).toEqual([{ tool_calls: [{ index: 0, function: { arguments: ':1}' } }] }, {}]);
    expect(chunksOf(given).at(-1)).toMatchObject({ choices: [], usage: { total_tokens: 13 } });
  });

  test(verifies('L3:RQ14', 'a mapped tool name comes back as the caller wrote it'), () => {
    const names = new ToolNames(['git.diff']);
    const events = [role, begin(0, 'a', 'git_diff'), more(0, '{"a":1}'), finish('tool_calls'), DONE];
    expect(addUp(through(events, { names })).calls).toEqual([['a', 'git.diff', '{"a":1}']]);
  });

  test('where only one call is wanted and the server could not be told, the others are left out', () => {
    const events = [role, begin(0, 'a'), more(0, '{"a":1}'), begin(1, 'b'), more(1, '{"b":2}'), finish('tool_calls'), DONE];
    expect(addUp(through(events, { onlyFirstCall: true })).calls).toEqual([['a', 'read', '{"a":1}']]);
  });
});

describe('an answer that is not whole', () => {
  test.each([
    ['ends without a finish reason', [role, text('a')]],
    ['has an end mark without a finish reason', [role, text('a'), DONE]],
    ['is empty', []],
    ['is empty but for its end mark', [DONE]],
    ['breaks off in a chunk', [role, text('a'), 'data: {"choices":[{"ind']],
    ['breaks off where it is written anew', [text('a'), text('b')]],
    ['calls a tool without ever naming it', [role, choice({ tool_calls: [{ index: 0, id: 'a' }] }), finish('tool_calls'), DONE]],
  ])(verifies('L3:ST21', 'that %s is an error, and what came before stays given'), (_what, events) => {
    const watch = watchStream();
    let given = '';
    const read = () => {
      for (const one of events) given += Buffer.from(watch.push(Buffer.from(one))).toString();
      watch.end();
    };
    expect(read).toThrow(expect.objectContaining({ code: 'stream_interrupted', retryable: true }));
    if (events.includes(text('a'))) expect(addUp(given).content).toContain('a');
    expect(given).not.toContain('[DONE]');
  });

  test(verifies('L1:stream-error', 'an error chunk is ours, behind what came with it in the same bytes'), () => {
    const watch = watchStream();
    const error = `data: ${JSON.stringify({ error: { message: 'sk-secret1234 said no', code: 'rate_limit_exceeded' } })}\n\n`;
    expect(Buffer.from(watch.push(Buffer.from(role + text('a') + error + text('never')))).toString()).toBe(role + text('a'));
    expect(watch.whole).toBe(true);
    expect(() => watch.push(Buffer.from(text('b')))).toThrow(expect.objectContaining({ code: 'rate_limited' }));
    expect(() => watch.end()).toThrow(/limits the rate/);
    expect(() => watchStream().push(Buffer.from(error))).toThrow(expect.not.stringContaining('sk-secret'));
    expect(() => watchStream().push(Buffer.from('event: error\ndata: {"message":"x"}\n\n'))).toThrow('failed');
  });

  test('an end mark is optional once the finish reason came, and so is the usage that was torn off', () => {
    expect(through([role, text('a'), finish()])).toBe([role, text('a'), finish()].join(''));
    expect(through([role, finish(), 'data: {"usa'])).toBe(role + finish());
    expect(addUp(through([text('a'), finish()]))).toMatchObject({ content: 'a', finishReason: 'stop' });
  });

  test('nothing has begun before a choice came', () => {
    const watch = watchStream();
    watch.push(Buffer.from(': ping\n\n'));
    expect(watch.begun).toBe(false);
    watch.push(Buffer.from(role.slice(0, 20)));
    expect(watch.begun).toBe(false);
    watch.push(Buffer.from(role.slice(20)));
    expect(watch).toMatchObject({ begun: true, whole: false, usage: undefined });
  });
});
