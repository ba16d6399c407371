import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { startScriptedProvider, verifies, type Reply, type Script, type ScriptedProvider } from '@codelab/testkit';
import { callerOf, DIRECTIONS, openStage, PATHS, upstreamOf, type Direction, type Side, type Stage } from '../__fixtures__/stage.js';
import type { Answered } from '../__fixtures__/start-proxy.js';

const ALL = DIRECTIONS.map((direction) => [direction] as const);
/** What an upstream says and nobody may hear. */
const SECRET = 'sk-secret-of-the-upstream';

let provider: ScriptedProvider;
let stage: Stage;
let hasty: Stage;
let script: Script;

beforeAll(async () => {
  provider = await startScriptedProvider({ script: (request, n) => script(request, n) });
  [stage, hasty] = await Promise.all([openStage(provider), openStage(provider, { firstTokenTimeoutMs: 50, totalTimeoutMs: 100 })]);
});
afterAll(async () => {
  await Promise.all([stage.close(), hasty.close()]);
  await provider.close();
});

type Fields = Record<string, unknown>;
interface ErrorBody {
  readonly error: Readonly<Record<'message' | 'type' | 'param' | 'code', string | null>>;
}

const bodyOf = (side: Side, model: string, more: Fields = {}): Fields => ({
  ...{ model, messages: [{ role: 'user', content: 'go' }] },
  ...(side === 'A' && { max_tokens: 100 }),
  ...more,
});

const ask = (direction: Direction, more: Fields = {}, on = stage): Promise<Answered> =>
  on.proxy.ask(PATHS[callerOf(direction)], bodyOf(callerOf(direction), on.model(upstreamOf(direction)), more));

/** Status, type and code of an error, with everything that its dialect asks of one. */
function errorOf(side: Side, answer: Answered): readonly [status: number, type: unknown, code?: unknown] {
  expect(answer.headers.get('content-type')).toMatch(/^application\/json/);
  expect(answer.headers.get('request-id')).toMatch(/./);
  expect(answer.text).not.toContain(SECRET);
  const body = answer.json<ErrorBody>();
  const { message, type, param, code } = body.error;
  expect(message).toMatch(/./);
  if (side === 'A') {
    expect(body).toMatchObject({ type: 'error', request_id: answer.headers.get('request-id') });
    return [answer.status, type];
  }
  expect(Object.keys(body)).toEqual(['error']);
  for (const word of [param, code]) expect(word === null || typeof word === 'string').toBe(true);
  return [answer.status, type, code];
}

/** Asked again at once: a test need not wait. */
const AT_ONCE = { 'retry-after-ms': '0' };
const refusal = (status: number, error: Fields, headers: Readonly<Record<string, string>> = AT_ONCE): Reply => ({
  ...{ status, headers },
  body: { type: 'error', error: { message: `${SECRET} is not fine`, ...error } },
});

type Expected = Readonly<Record<Side, readonly unknown[]>>;

const FAILURES: readonly [title: string, reply: Reply, expected: Expected][] = [
  [
    'a bad request stays one',
    refusal(400, { type: 'invalid_request_error' }),
    { O: [400, 'invalid_request_error', null], A: [400, 'invalid_request_error'] },
  ],
  [
    'a refused key is a failed upstream',
    refusal(401, { type: 'authentication_error' }),
    { O: [502, 'server_error', null], A: [502, 'api_error'] },
  ],
  ['so is a key without the right', refusal(403, { type: 'permission_error' }), { O: [502, 'server_error', null], A: [502, 'api_error'] }],
  [
    'an unknown model stays one',
    refusal(404, { type: 'not_found_error', code: 'model_not_found' }),
    { O: [404, 'invalid_request_error', 'model_not_found'], A: [404, 'not_found_error'] },
  ],
  [
    verifies('L1:ER1', 'out of credit is no rate limit'),
    refusal(402, { type: 'billing_error' }),
    { O: [429, 'insufficient_quota', 'insufficient_quota'], A: [402, 'billing_error'] },
  ],
  [
    'out of quota is no rate limit either',
    refusal(429, { type: 'insufficient_quota', code: 'insufficient_quota' }),
    { O: [429, 'insufficient_quota', 'insufficient_quota'], A: [402, 'billing_error'] },
  ],
  [
    'what is too large stays so',
    refusal(413, { type: 'request_too_large' }),
    { O: [413, 'invalid_request_error', null], A: [413, 'request_too_large'] },
  ],
  [
    'a rate limit stays one',
    refusal(429, { type: 'rate_limit_error' }),
    { O: [429, 'rate_limit_error', 'rate_limit_exceeded'], A: [429, 'rate_limit_error'] },
  ],
  [
    verifies('L1:ER1', 'overloaded is 503 to one and 529 to the other'),
    refusal(529, { type: 'overloaded_error' }),
    { O: [503, 'server_error', 'overloaded'], A: [529, 'overloaded_error'] },
  ],
  [
    'an internal error is a failed upstream',
    refusal(500, { type: 'api_error' }),
    { O: [502, 'server_error', null], A: [502, 'api_error'] },
  ],
  [
    verifies('L1:ER2', 'a web page is a failed upstream'),
    { status: 503, headers: { ...AT_ONCE, 'content-type': 'text/html' }, body: `<html>${SECRET}</html>` },
    { O: [503, 'server_error', 'overloaded'], A: [529, 'overloaded_error'] },
  ],
  [
    verifies('L1:ER2', 'an empty body is a failed upstream'),
    { status: 500, headers: AT_ONCE, body: '' },
    { O: [502, 'server_error', null], A: [502, 'api_error'] },
  ],
];

describe('what an upstream refuses', () => {
  test.each(FAILURES)('%s', async (_title, reply, expected) => {
    script = () => reply;
    for (const direction of DIRECTIONS) {
      const side = callerOf(direction);
      for (const stream of [false, true])
        expect([direction, ...errorOf(side, await ask(direction, { stream }))]).toEqual([direction, ...expected[side]]);
    }
  });

  test('once it was asked as often as it made sense, a client is told not to ask again', async () => {
    for (const reply of [refusal(500, {}), refusal(429, { type: 'rate_limit_error' }), refusal(529, { type: 'overloaded_error' })]) {
      script = () => reply;
      const before = provider.requests.length;
      expect((await ask('O→O')).headers.get('x-should-retry')).toBe('false');
      expect(provider.requests.length - before).toBe(4);
    }
    script = () => refusal(400, {});
    expect((await ask('O→O')).headers.get('x-should-retry')).toBeNull();
  });

  test('a wait that the upstream asks for is passed on where it is too long for us', async () => {
    script = () => refusal(429, { type: 'rate_limit_error' }, { 'retry-after': '90' });
    for (const direction of DIRECTIONS) expect((await ask(direction)).headers.get('retry-after')).toBe('90');
  });

  test.each(ALL)(verifies('L1:wording', '%s: the words of a refusal are kept, because programs react to them'), async (direction) => {
    script = () => ({
      status: 400,
      body: { type: 'error', error: { type: 'invalid_request_error', message: 'messages.1: tool_use ids were found without tool_result' } },
    });
    expect((await ask(direction)).json<ErrorBody>().error.message).toContain('tool_use ids were found without tool_result');
  });

  test.each(ALL)(verifies('L1:no-echo', '%s: a validator that repeats the prompt is heard without it'), async (direction) => {
    const prompt = 'Our launch is on the 3rd of May, and nobody may know.';
    script = ({ text }) => ({
      status: 400,
      body: {
        type: 'error',
        error: { type: 'invalid_request_error', message: `messages[0].content: '${prompt}' is invalid; sent: ${text}` },
      },
    });
    const answer = await ask(direction, { messages: [{ role: 'user', content: prompt }] });
    expect(answer.json<ErrorBody>().error.message).toMatch(/^messages\[0\]\.content: '\[…\]' is invalid; sent: /);
    expect(answer.text).not.toMatch(/launch|3rd of May|may know/);
  });

  test(verifies('L1:ER2', 'an answer that is none is a failed upstream, in every direction'), async () => {
    const bodies = [`<html>${SECRET}</html>`, '', '{"half":', '[]'];
    script = ({ text }) => {
      const [, place = 0, type = ''] = /case (\d) (\S+?)"/.exec(text) ?? [];
      return { headers: { 'content-type': type }, body: bodies[Number(place)]! };
    };
    const cases = DIRECTIONS.flatMap((direction) =>
      bodies.flatMap((_body, place) => ['text/html', 'application/json'].map((type) => ({ direction, place, type }))),
    );
    const statuses = cases.map(async ({ direction, place, type }) => {
      const side = callerOf(direction);
      const body = bodyOf(side, stage.model(upstreamOf(direction)), { messages: [{ role: 'user', content: `case ${place} ${type}` }] });
      return errorOf(side, await stage.proxy.ask(PATHS[side], body))[0];
    });
    expect(await Promise.all(statuses)).toEqual(cases.map(() => 502));
  });

  test(verifies('L3:timeout', 'an upstream that takes too long is 504 to everybody'), async () => {
    script = () => ({ text: 'never', hold: new Promise(() => undefined) });
    const answers = await Promise.all(DIRECTIONS.map(async (direction) => errorOf(callerOf(direction), await ask(direction, {}, hasty))));
    expect(answers).toEqual(
      DIRECTIONS.map((direction) => (callerOf(direction) === 'O' ? [504, 'server_error', 'timeout'] : [504, 'timeout_error'])),
    );
  });
});

const CHAT_TOOL = { type: 'function', function: { name: 'read' } };
const MESSAGES_TOOL = { name: 'read', input_schema: { type: 'object' } };

/** Each field that we read, with what it must not be. */
const BAD_FIELDS: readonly [side: Side, param: string, more: Fields][] = [
  ['O', 'messages', { messages: undefined }],
  ['O', 'messages', { messages: 'hi' }],
  ['O', 'messages', { messages: [] }],
  ['O', 'messages[0]', { messages: ['hi'] }],
  ['O', 'messages[0].role', { messages: [{ role: 'robot', content: 'hi' }] }],
  ['O', 'messages[0].content', { messages: [{ role: 'user', content: 7 }] }],
  ['O', 'messages[0].content[0].text', { messages: [{ role: 'user', content: [{ type: 'text', text: 7 }] }] }],
  [
    'O',
    'messages[1].tool_call_id',
    {
      messages: [
        { role: 'user', content: 'hi' },
        { role: 'tool', content: 'x' },
      ],
    },
  ],
  ['O', 'model', { model: 7 }],
  ['O', 'stream', { stream: 'yes' }],
  ['O', 'stream_options', { stream: true, stream_options: 'usage' }],
  ['O', 'temperature', { temperature: 'hot' }],
  ['O', 'max_tokens', { max_tokens: 'many' }],
  ['O', 'max_completion_tokens', { max_completion_tokens: {} }],
  ['O', 'stop', { stop: 7 }],
  ['O', 'tools', { tools: {} }],
  ['O', 'tools[0].type', { tools: [{ function: { name: 'a' } }] }],
  ['O', 'tools[0].function.name', { tools: [{ type: 'function', function: {} }] }],
  ['O', 'tools[1].function.parameters', { tools: [CHAT_TOOL, { type: 'function', function: { name: 'b', parameters: 'none' } }] }],
  ['O', 'tool_choice', { tools: [CHAT_TOOL], tool_choice: 'sometimes' }],
  ['O', 'parallel_tool_calls', { tools: [CHAT_TOOL], parallel_tool_calls: 'no' }],
  ['O', 'response_format', { response_format: 'json' }],
  ['A', 'messages', { messages: undefined }],
  ['A', 'messages', { messages: {} }],
  ['A', 'messages[0].role', { messages: [{ role: 'robot', content: 'hi' }] }],
  ['A', 'messages[0].content', { messages: [{ role: 'user', content: 7 }] }],
  ['A', 'model', { model: 7 }],
  ['A', 'max_tokens', { max_tokens: 'many' }],
  ['A', 'system', { system: 7 }],
  ['A', 'stream', { stream: 'yes' }],
  ['A', 'temperature', { temperature: 'hot' }],
  ['A', 'stop_sequences', { stop_sequences: 'END' }],
  ['A', 'tools', { tools: {} }],
  ['A', 'tools[0].name', { tools: [{ input_schema: {} }] }],
  ['A', 'tools[0].input_schema', { tools: [{ name: 'a', input_schema: 'none' }] }],
  ['A', 'tool_choice', { tools: [MESSAGES_TOOL], tool_choice: { type: 'sometimes' } }],
  ['A', 'thinking', { thinking: 'much' }],
];

describe('what we refuse', () => {
  test.each(BAD_FIELDS)(
    verifies('L3:bad-fields', '%s: %s that is %j is refused by its name, whoever the upstream is'),
    async (side, param, more) => {
      script = () => ({ text: 'never asked' });
      const before = provider.requests.length;
      for (const upstream of ['O', 'A'] as const) {
        const answer = await ask(`${side}→${upstream}`, more);
        const [status, type] = errorOf(side, answer);
        expect([status, type, answer.text]).toEqual([
          400,
          'invalid_request_error',
          expect.stringContaining(param.replace(/\[\d+\].*$/, '')),
        ]);
        if (side === 'O') expect(answer.json<ErrorBody>().error.param).toBe(param);
        else expect(answer.json<ErrorBody>().error.message).toContain(param);
      }
      expect(provider.requests.length).toBe(before);
    },
  );

  test.each<[Side]>([['O'], ['A']])('%s: an unknown model is 404, and says how names begin', async (side) => {
    const answer = await stage.proxy.ask(PATHS[side], bodyOf(side, 'nobody-knows'));
    const [status, type] = errorOf(side, answer);
    expect([status, type]).toEqual([404, side === 'O' ? 'invalid_request_error' : 'not_found_error']);
    expect(answer.text).toContain('nobody-knows');
  });
});
