import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { eventually, startScriptedProvider, verifies, type Reply, type Script, type ScriptedProvider } from '@codelab/testkit';
import { digestChat, digestMessages } from '../__fixtures__/digest-stream.js';
import { callerOf, DIRECTIONS, openStage, PATHS, upstreamOf, type Direction, type Side, type Stage } from '../__fixtures__/stage.js';
import { parseEvents as parse } from '../__fixtures__/parse-events.js';
import type { Answered } from '../__fixtures__/start-proxy.js';

const ALL = DIRECTIONS.map((direction) => [direction] as const);
const TO_O = [['O→O'], ['A→O']] as const;

let provider: ScriptedProvider;
let stage: Stage;
let quick: Stage;
let script: Script;

beforeAll(async () => {
  provider = await startScriptedProvider({ script: (request, n) => script(request, n) });
  [stage, quick] = await Promise.all([openStage(provider), openStage(provider, { keepaliveMs: 20 })]);
});
afterAll(async () => {
  await Promise.all([stage.close(), quick.close()]);
  await provider.close();
});

type Fields = Record<string, unknown>;
type Chunks = NonNullable<Reply['chunks']>;

const TOOLS: Readonly<Record<Side, object[]>> = {
  O: ['read', 'list'].map((name) => ({ type: 'function', function: { name, parameters: { type: 'object' } } })),
  A: ['read', 'list'].map((name) => ({ name, input_schema: { type: 'object' } })),
};

const bodyOf = (direction: Direction, on: Stage, more: Fields = {}): Fields => ({
  model: on.model(upstreamOf(direction)),
  messages: [{ role: 'user', content: 'go' }],
  tools: TOOLS[callerOf(direction)],
  ...(callerOf(direction) === 'A' ? { max_tokens: 100 } : { stream_options: { include_usage: true } }),
  ...more,
});

/** Streams in a direction what an upstream says. */
async function stream(direction: Direction, reply: Reply | Script, on: Stage = stage): Promise<Answered> {
  script = typeof reply === 'function' ? reply : () => reply;
  return on.proxy.ask(PATHS[callerOf(direction)], bodyOf(direction, on, { stream: true }));
}

const digest = (direction: Direction, answer: Answered): readonly string[] =>
  callerOf(direction) === 'O' ? digestChat(answer.events()) : digestMessages(answer.events());

/** What the events of an upstream become for the caller, in words. */
async function digested(direction: Direction, chunks: Chunks): Promise<readonly string[]> {
  const answer = await stream(direction, { chunks });
  expect(answer.status).toBe(200);
  return digest(direction, answer);
}

const chunk = (delta: object, finish_reason: string | null = null, more: Fields = {}) => ({
  ...{ id: 'chatcmpl-1', object: 'chat.completion.chunk', created: 1, model: 'm' },
  choices: [{ index: 0, delta, finish_reason }],
  ...more,
});
const ROLE = chunk({ role: 'assistant', content: '' });
const usage = (prompt_tokens = 7, completion_tokens = 3) => ({
  ...chunk({}),
  choices: [],
  usage: { prompt_tokens, completion_tokens, total_tokens: prompt_tokens + completion_tokens },
});
const DONE = 'data: [DONE]\n\n';
const say = (content: string) => chunk({ content });
/** One fragment of a call; what is left out is missing on the wire. */
const fragment = (index: number | undefined, id: string | undefined, name: string | undefined, args?: string) =>
  chunk({ tool_calls: [part(index, id, name, args)] });
const part = (index: number | undefined, id: string | undefined, name: string | undefined, args?: string) => ({
  index,
  id,
  type: id === undefined ? undefined : 'function',
  function: { name, arguments: args },
});
const endOf = (reason: string) => [chunk({}, reason), usage(), DONE];

const START = {
  type: 'message_start',
  message: {
    ...{ id: 'msg_1', type: 'message', role: 'assistant', model: 'm', content: [], stop_reason: null, stop_sequence: null },
    usage: { input_tokens: 7, output_tokens: 1 },
  },
};
const textAt = (index: number, ...texts: string[]) => [
  { type: 'content_block_start', index, content_block: { type: 'text', text: '' } },
  ...texts.map((text) => ({ type: 'content_block_delta', index, delta: { type: 'text_delta', text } })),
  { type: 'content_block_stop', index },
];
const toolAt = (index: number, id: string, name: string, ...pieces: string[]) => [
  { type: 'content_block_start', index, content_block: { type: 'tool_use', id, name, input: {} } },
  ...pieces.map((partial_json) => ({ type: 'content_block_delta', index, delta: { type: 'input_json_delta', partial_json } })),
  { type: 'content_block_stop', index },
];
const stopFor = (stop_reason: string, counted: Fields = { output_tokens: 3 }) => [
  { type: 'message_delta', delta: { stop_reason, stop_sequence: null }, usage: counted },
  { type: 'message_stop' },
];

/** What is left of words when pieces of arguments and texts are joined: how they were cut is not the point. */
function joined(words: readonly string[]): readonly string[] {
  return words.reduce<string[]>((all, word) => {
    const [, head = '', tail = ''] = /^((?:args|text|input_json) (?:\d+ )?)(.*)$/s.exec(word) ?? [];
    const last = all.at(-1);
    if (head !== '' && head !== 'text ' && last?.startsWith(head)) return [...all.slice(0, -1), last + tail];
    return head !== '' && head !== 'text ' && tail === '' ? all : [...all, word];
  }, []);
}

const END_O = (reason: string) => [`finish ${reason}`, 'usage 7 3', 'done'];
const END_A = (reason: string) => [`finish ${reason} 7 3`, 'message_stop'];

/** *A→O*, and *O→O* where it says so: events of an OpenAI upstream. */
const FROM_CHAT: readonly [title: string, direction: Direction, chunks: Chunks, words: readonly string[]][] = [
  [
    verifies('L3:ST1', 'A→O: an answer that is only a call has no text block'),
    'A→O',
    [ROLE, fragment(0, 'c1', 'read', '{"a":1}'), ...endOf('tool_calls')],
    ['message_start', 'start 0 tool_use c1 read', 'input_json 0 {"a":1}', 'stop 0', ...END_A('tool_use')],
  ],
  [
    verifies('L3:ST2', 'A→O: a call starts with an empty input, then come its arguments'),
    'A→O',
    [
      ROLE,
      fragment(0, 'c1', 'read', ''),
      ...['{"a"', ':1', '}'].map((args) => fragment(0, undefined, undefined, args)),
      ...endOf('tool_calls'),
    ],
    ['message_start', 'start 0 tool_use c1 read', 'input_json 0 {"a":1}', 'stop 0', ...END_A('tool_use')],
  ],
  [
    verifies('L3:ST3', 'A→O: a call without arguments is its start and its end'),
    'A→O',
    [ROLE, fragment(0, 'c1', 'read'), ...endOf('tool_calls')],
    ['message_start', 'start 0 tool_use c1 read', 'stop 0', ...END_A('tool_use')],
  ],
  ...interleaved('A→O', [
    ...['message_start', 'start 0 tool_use c1 read', 'input_json 0 {"a":1}', 'stop 0'],
    ...['start 1 tool_use c2 list', 'input_json 1 {"b":2}', 'stop 1', ...END_A('tool_use')],
  ]),
  ...interleaved('O→O', ['role', 'call 0 c1 read', 'args 0 {"a":1}', 'call 1 c2 list', 'args 1 {"b":2}', ...END_O('tool_calls')]),
  ...fragments('O→O', ['role', 'call 0 c1 read', 'args 0 {"a":1}', ...END_O('tool_calls')]),
  ...fragments('A→O', ['message_start', 'start 0 tool_use c1 read', 'input_json 0 {"a":1}', 'stop 0', ...END_A('tool_use')]),
  [
    verifies('L3:ST9', 'O→O: content, call and finish in one chunk come apart'),
    'O→O',
    [chunk({ role: 'assistant', content: 'hi', tool_calls: [part(0, 'c1', 'read', '{}')] }, 'tool_calls'), usage(), DONE],
    ['role', 'text hi', 'call 0 c1 read', 'args 0 {}', ...END_O('tool_calls')],
  ],
  [
    verifies('L3:ST10', 'A→O: text, call and text keep their first fragments'),
    'A→O',
    [ROLE, say('one'), fragment(0, 'c1', 'read', '{"a":1}'), say('two'), say(' more'), ...endOf('tool_calls')],
    [
      ...['message_start', 'start 0 text', 'text 0 one', 'stop 0', 'start 1 tool_use c1 read', 'input_json 1 {"a":1}', 'stop 1'],
      ...['start 2 text', 'text 2 two more', 'stop 2', ...END_A('tool_use')],
    ],
  ],
  [
    verifies('L3:ST11', 'A→O: the length limit inside a call leaves its arguments as they are'),
    'A→O',
    [ROLE, fragment(0, 'c1', 'read', '{"a":'), ...endOf('length')],
    ['message_start', 'start 0 tool_use c1 read', 'input_json 0 {"a":', 'stop 0', ...END_A('max_tokens')],
  ],
  [
    verifies('L3:ST11', 'O→O: the length limit inside a call leaves its arguments as they are'),
    'O→O',
    [ROLE, fragment(0, 'c1', 'read', '{"a":'), ...endOf('length')],
    ['role', 'call 0 c1 read {"a":', ...END_O('length')],
  ],
  [
    verifies('L3:ST12', 'A→O: usage behind the finish is told with it, once'),
    'A→O',
    [ROLE, say('hi'), chunk({}, 'stop'), usage(), DONE],
    ['message_start', 'start 0 text', 'text 0 hi', 'stop 0', ...END_A('end_turn')],
  ],
  [
    verifies('L3:ST17', 'A→O: usage that comes twice is told once'),
    'A→O',
    [ROLE, say('hi'), { ...chunk({}, 'stop'), usage: { prompt_tokens: 1, completion_tokens: 1 } }, usage(), DONE],
    ['message_start', 'start 0 text', 'text 0 hi', 'stop 0', ...END_A('end_turn')],
  ],
  [
    verifies('L3:F7', 'A→O: a stop behind a call is tool_use'),
    'A→O',
    [ROLE, fragment(0, 'c1', 'read', '{"a":1}'), ...endOf('stop')],
    ['message_start', 'start 0 tool_use c1 read', 'input_json 0 {"a":1}', 'stop 0', ...END_A('tool_use')],
  ],
];

function interleaved(direction: Direction, words: readonly string[]): typeof FROM_CHAT {
  const fragments = [
    fragment(0, 'c1', 'read', ''),
    fragment(1, 'c2', 'list', ''),
    ...[fragment(0, undefined, undefined, '{"a"'), fragment(1, undefined, undefined, '{"b"')],
    ...[fragment(0, undefined, undefined, ':1}'), fragment(1, undefined, undefined, ':2}')],
  ];
  return [
    [
      verifies('L3:ST4', `${direction}: calls that alternate come one after the other`),
      direction,
      [ROLE, ...fragments, ...endOf('tool_calls')],
      words,
    ],
  ];
}

/** One call, whose fragments lack what a client needs. */
function fragments(direction: Direction, words: readonly string[]): typeof FROM_CHAT {
  const cases: readonly [title: string, chunks: readonly object[]][] = [
    [
      verifies('L3:ST5', `${direction}: without any index`),
      [fragment(undefined, 'c1', 'read', ''), fragment(undefined, undefined, undefined, '{"a":1}')],
    ],
    [
      verifies('L3:ST6', `${direction}: it goes on under another index`),
      [fragment(0, 'c1', 'read', ''), fragment(1, undefined, undefined, '{"a":1}')],
    ],
    [
      verifies('L3:ST7', `${direction}: its name comes late`),
      [fragment(0, 'c1', undefined, '{"a"'), fragment(0, undefined, 'read', ':1}')],
    ],
  ];
  return cases.map(([title, chunks]) => [title, direction, [ROLE, ...chunks, ...endOf('tool_calls')], words]);
}

/** *O→A*: events of an Anthropic upstream. */
const FROM_MESSAGES: readonly [title: string, chunks: Chunks, words: readonly string[]][] = [
  [
    verifies('L3:ST13', 'O→A: a call behind a text has the index 0'),
    [START, ...textAt(0, 'hi'), ...toolAt(1, 'c1', 'read', '{"a":1}'), ...stopFor('tool_use')],
    ['role', 'text hi', 'call 0 c1 read', 'args 0 {"a":1}', ...END_O('tool_calls')],
  ],
  [
    verifies('L3:ST14', 'O→A: a call without arguments gets {} before the finish'),
    [START, ...toolAt(0, 'c1', 'read'), ...stopFor('tool_use')],
    ['role', 'call 0 c1 read', 'args 0 {}', ...END_O('tool_calls')],
  ],
  [
    verifies('L3:ST14', 'O→A: a call with empty pieces gets {} too, at the end'),
    [START, ...toolAt(0, 'c1', 'read', '', ''), ...stopFor('tool_use')],
    ['role', 'call 0 c1 read', 'args 0 {}', ...END_O('tool_calls')],
  ],
  [
    verifies('L3:ST16', 'O→A: two calls have all that a client needs'),
    [START, ...toolAt(0, 'c1', 'read', '{"a":1}'), ...toolAt(1, 'c2', 'list', '{"b":', '2}'), ...stopFor('tool_use')],
    ['role', 'call 0 c1 read', 'args 0 {"a":1}', 'call 1 c2 list', 'args 1 {"b":2}', ...END_O('tool_calls')],
  ],
  [
    verifies('L3:ST15', 'O→A: the first chunk has the role'),
    [START, ...textAt(0, 'hi'), ...stopFor('end_turn')],
    ['role', 'text hi', ...END_O('stop')],
  ],
  [
    verifies('L3:ST18', 'O→A: input from the cache and into it is input'),
    [
      {
        ...START,
        message: {
          ...START.message,
          usage: { input_tokens: 5, cache_read_input_tokens: 100, cache_creation_input_tokens: 20, output_tokens: 1 },
        },
      },
      ...[...textAt(0, 'hi'), ...stopFor('end_turn')],
    ],
    ['role', 'text hi', 'finish stop', 'usage 125 3 cached 100', 'done'],
  ],
  [
    verifies('L3:ST17', 'O→A: usage that comes twice is told once, the last one'),
    [START, ...textAt(0, 'hi'), stopFor('end_turn', { output_tokens: 1 })[0]!, ...stopFor('end_turn', { output_tokens: 3 })],
    ['role', 'text hi', ...END_O('stop')],
  ],
  [
    verifies('L3:ST22', 'O→A: a repeated beginning is ignored'),
    [START, START, ...textAt(0, 'hi'), ...stopFor('end_turn')],
    ['role', 'text hi', ...END_O('stop')],
  ],
  [
    verifies('L3:ST22', "O→A: another message's beginning is an error"),
    [START, ...textAt(0, 'hi'), { ...START, message: { ...START.message, id: 'msg_2' } }, ...stopFor('end_turn')],
    ['role', 'text hi', 'error server_error null'],
  ],
  [
    verifies('L3:ST11', 'O→A: the length limit inside a call leaves its arguments as they are'),
    [START, ...toolAt(0, 'c1', 'read', '{"a":'), ...stopFor('max_tokens')],
    ['role', 'call 0 c1 read', 'args 0 {"a":', ...END_O('length')],
  ],
];

describe('streams', () => {
  test.each(FROM_CHAT)('%s', async (_title, direction, chunks, words) => {
    expect(joined(await digested(direction, chunks))).toEqual(words);
  });

  test.each(FROM_MESSAGES)('%s', async (_title, chunks, words) => {
    expect(joined(await digested('O→A', chunks))).toEqual(words);
  });

  test.each(TO_O)(verifies('L3:ST7', '%s: a call that never gets a name is an error'), async (direction) => {
    const answer = await stream(direction, { chunks: [ROLE, say('hi'), fragment(0, 'c1', undefined, '{}'), ...endOf('tool_calls')] });
    expect(digest(direction, answer).at(-1)).toMatch(/^error /);
  });

  test.each(TO_O)(verifies('L3:ST8', '%s: arguments that parse already do not end a call'), async (direction) => {
    for (const pieces of [
      ['1', '2'],
      ['{}', ' '],
      ['{"a":1}', '\n'],
    ]) {
      const rest = pieces.map((args) => fragment(0, undefined, undefined, args));
      const words = joined(await digested(direction, [ROLE, fragment(0, 'c1', 'read', ''), ...rest, ...endOf('tool_calls')]));
      expect(words).toContain(`${direction === 'O→O' ? 'args' : 'input_json'} 0 ${pieces.join('')}`);
    }
  });

  test(verifies('L3:ST8', 'O→A: arguments that parse already do not end a call'), async () => {
    const words = joined(await digested('O→A', [START, ...toolAt(0, 'c1', 'read', '1', '2'), ...stopFor('tool_use')]));
    expect(words).toContain('args 0 12');
  });

  test.each(ALL)(verifies('L3:ST19', '%s: a character that is cut at any byte comes through'), async (direction) => {
    const TEXT = '한글 👩‍👩‍👧 é';
    const events =
      upstreamOf(direction) === 'O' ? [ROLE, say(TEXT), ...endOf('stop')] : [START, ...textAt(0, TEXT), ...stopFor('end_turn')];
    const wire = events
      .map((event) => {
        if (typeof event === 'string') return event;
        return `${'type' in event ? `event: ${event.type}\n` : ''}data: ${JSON.stringify(event)}\n\n`;
      })
      .join('');
    const bytes = Buffer.from(wire);
    const answer = await stream(direction, { chunks: Array.from(bytes, (_byte, place) => bytes.subarray(place, place + 1)) });
    const texts = digest(direction, answer).flatMap((word) => /^text (?:0 )?(.*)$/s.exec(word)?.[1] ?? []);
    expect([texts.join(''), answer.text.includes('\uFFFD')]).toEqual([TEXT, false]);
  });

  test.each([['O→O'], ['A→A']] as const)(verifies('L3:relay', '%s: well-formed events pass byte for byte'), async (direction) => {
    const wire =
      direction === 'O→O'
        ? `data:  {"id":"x", "choices":[{"index":0,"delta":{"role":"assistant","content":"hi"},"finish_reason":null}],"extra":1.0}\n\n` +
          `data: {"id":"x","choices":[{"index":0,"delta":{},"finish_reason":"stop"}]}\n\ndata: [DONE]\n\n`
        : [START, ...textAt(0, 'hi'), ...stopFor('end_turn')]
            .map((event) => `event: ${event.type}\ndata: ${JSON.stringify(event, null, 1).replaceAll('\n', ' ')}\n\n`)
            .join('');
    expect((await stream(direction, { chunks: [wire] })).text).toBe(wire);
  });
});

describe('usage', () => {
  test.each(TO_O)(verifies('L3:F8', '%s: an OpenAI upstream is asked for usage'), async (direction) => {
    const before = provider.requests.length;
    script = () => ({ text: 'hi', usage: { prompt_tokens: 7, completion_tokens: 3 } });
    const body = bodyOf(direction, stage, { stream: true, ...(direction === 'O→O' && { stream_options: undefined }) });
    const answer = await stage.proxy.ask(PATHS[callerOf(direction)], body);
    expect(provider.requests[before]?.body).toMatchObject({ stream_options: { include_usage: true } });
    const words = digest(direction, answer);
    if (direction === 'A→O') expect(words).toContain('finish end_turn 7 3');
    else expect(words.filter((word) => word.startsWith('usage'))).toEqual([]);
  });
});

describe('failures in the middle', () => {
  const begun: Readonly<Record<Side, Chunks>> = {
    O: [ROLE, say('half'), say(' an answer')],
    A: [START, ...textAt(0, 'half', ' an answer').slice(0, 3)],
  };
  const errors: Readonly<Record<Side, object>> = {
    O: { error: { message: 'sk-secret is broken', type: 'server_error' } },
    A: { type: 'error', error: { type: 'overloaded_error', message: 'sk-secret is broken' } },
  };

  const expectBroken = (direction: Direction, answer: Answered): void => {
    const words = digest(direction, answer);
    const texts = words.flatMap((word) => /^text (?:0 )?(.*)$/.exec(word)?.[1] ?? []);
    expect(texts.join('')).toBe('half an answer');
    expect(words.at(-1)).toMatch(/^error /);
    expect(words.filter((word) => /^(?:finish|done|message_stop)/.test(word))).toEqual([]);
    expect(answer.text).not.toContain('sk-secret');
  };

  test.each(ALL)(verifies('L3:ST20', '%s: an error of the upstream ends the stream in the dialect of the caller'), async (direction) => {
    const side = upstreamOf(direction);
    expectBroken(direction, await stream(direction, { chunks: [...begun[side], errors[side]] }));
  });

  test.each(ALL)(verifies('L3:ST21', '%s: a stream that breaks off is an error, whether it is cut or just ends'), async (direction) => {
    const chunks = begun[upstreamOf(direction)];
    const before = provider.requests.length;
    expectBroken(direction, await stream(direction, { chunks, cutAfterChunks: chunks.length }));
    expectBroken(direction, await stream(direction, { chunks }));
    expect(provider.requests.length - before).toBe(2); // what was shown is not asked for again
  });

  test.each(ALL)(verifies('L3:ST21', '%s: one that breaks off before its first byte is asked for again'), async (direction) => {
    let asked = 0;
    const answer = await stream(direction, () => ((asked += 1) === 1 ? { cutAfterChunks: 0 } : { text: 'whole', pieceCharacters: 99 }));
    expect([answer.status, answer.headers.get('x-codelab-attempts')]).toEqual([200, '2']);
    expect(digest(direction, answer)).toContain(callerOf(direction) === 'O' ? 'text whole' : 'text 0 whole');
  });

  test(verifies('L3:ST21', 'an answer in one piece that breaks off again and again is a failed upstream, in every direction'), async () => {
    script = () => ({ text: 'half', cutAfterChunks: 1 });
    const asking = DIRECTIONS.map((direction) => stage.proxy.ask(PATHS[callerOf(direction)], bodyOf(direction, stage)));
    for (const { status, headers } of await Promise.all(asking)) expect([status, headers.get('x-should-retry')]).toEqual([502, 'false']);
  });
});

describe('silence', () => {
  const KEEPALIVE: Readonly<Record<Side, string>> = { O: ': : keep-alive', A: 'ping' };

  test.each(ALL)(verifies('L3:F4', '%s: a caller is kept waiting with what its client takes'), async (direction) => {
    for (const holdAfterChunks of [0, 2]) {
      let goOn = (): void => undefined;
      const hold = new Promise<void>((resolve) => (goOn = resolve));
      const before = provider.requests.length;
      script = () => ({ text: 'a long answer', hold, holdAfterChunks });
      const response = await quick.proxy.send(PATHS[callerOf(direction)], bodyOf(direction, quick, { stream: true }));
      let text = '';
      const reading = (async () => {
        const decoder = new TextDecoder();
        for await (const bytes of response.body as AsyncIterable<Uint8Array>) text += decoder.decode(bytes, { stream: true });
      })();
      await eventually(
        'three signs of life',
        () => text.split(callerOf(direction) === 'O' ? ': keep-alive\n\n' : 'event: ping\n').length > 3,
      );
      goOn();
      await reading;
      expect(await provider.requests[before]?.ended).toBe('answered');
      const whole = { events: () => parse(text) } as Answered;
      const words = digest(direction, whole).filter((word) => word !== KEEPALIVE[callerOf(direction)] && word !== ': keep-alive');
      expect(words.join('|')).toMatch(
        callerOf(direction) === 'O' ? /role.*finish stop.*done$/ : /message_start.*finish end_turn.*message_stop$/,
      );
      expect(text).not.toContain(': ping\n'.padStart(8, '\n'));
    }
  });

  test.each(ALL)(verifies('L3:ST23', '%s: what fails after a sign of life is an error of the stream'), async (direction) => {
    let fail = (): void => undefined;
    const hold = new Promise<void>((resolve) => (fail = resolve));
    script = () => ({ status: 400, body: { error: { message: 'no', type: 'invalid_request_error' } }, hold });
    const response = await quick.proxy.send(PATHS[callerOf(direction)], bodyOf(direction, quick, { stream: true }));
    expect(response.status).toBe(200); // its head came with the sign of life
    fail();
    const text = await response.text();
    const words = digest(direction, { events: () => parse(text) } as Answered);
    expect(words.at(-1)).toMatch(/^error invalid_request_error/);
  });
});

describe('a caller that leaves', () => {
  const phases: readonly [phase: string, reply: Reply, isStream: boolean][] = [
    ['before the first token', { text: 'x', hold: new Promise(() => undefined) }, true],
    ['in the middle', { text: 'a long answer', hold: new Promise(() => undefined), holdAfterChunks: 4 }, true],
    ['while it waits for JSON', { text: 'x', hold: new Promise(() => undefined) }, false],
  ];

  test.each(ALL)(verifies('L2:F6', '%s: the request to the upstream ends at once'), async (direction) => {
    for (const [, reply, isStream] of phases) {
      const before = provider.requests.length;
      script = () => reply;
      const leaving = new AbortController();
      const path = PATHS[callerOf(direction)];
      const asking = stage.proxy.send(path, bodyOf(direction, stage, { stream: isStream }), { signal: leaving.signal });
      const request = await provider.request(before);
      if (reply.holdAfterChunks !== undefined) await (await asking).body!.getReader().read();
      leaving.abort();
      await asking.catch(() => undefined);
      expect(await request.ended).toBe('hung_up');
    }
  });
});
