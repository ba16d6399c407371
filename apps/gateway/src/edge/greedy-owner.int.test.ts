import { afterEach, expect, test } from 'vitest';
import { eventually, startRedis, verifies } from '@codelab/testkit';
import { outcomeOf } from './__fixtures__/ask-rest.js';
import { FrameClient, hello } from './__fixtures__/frame-client.js';
import { useGateways } from './__fixtures__/use-gateways.js';

/** Alice is allowed little, and wants more of everything. Bob works beside her. */
const MOST = 3;
const edge = useGateways(() => startRedis(), { gateway: { maxConnectionsPerOwner: MOST, quotaOwnerBytes: 400_000 } });

/** What Bob does all the time: begin a session, say something, be answered. */
const bobWorks = async (): Promise<void> => {
  const bob = edge.keep(await FrameClient.connect(`${edge.gateway.ws}/new`, 'bob-token'));
  bob.send(hello('bob'));
  await bob.next('welcome');
  bob.send({ type: 'user_message', content: 'hello', message_id: 'm1' });
  expect(await bob.next('message_accepted')).toMatchObject({ state: 'started' });
  await bob.close();
};
afterEach(async () => {
  await bobWorks();
  const page = async (): Promise<readonly { readonly session_id: string }[]> =>
    (await edge.ask('GET', '/sessions?limit=100')).body['sessions'] as { session_id: string }[];
  for (let sessions = await page(); sessions.length > 0; sessions = await page()) {
    for (const { session_id: name } of sessions) await edge.ask('DELETE', `/sessions/${name}`);
  }
});

test(
  verifies(
    'G4:attack-connections',
    'who opens connections without end is refused more of them, by token and by auth frame, until one is closed',
  ),
  async () => {
    const held = await Promise.all(Array.from({ length: MOST }, () => edge.join()));
    const { sessionId } = edge.newSession();
    const refusal: unknown = expect.stringContaining('"OVERLOADED"');
    await expect(FrameClient.connect(`${edge.gateway.ws}/${sessionId}`, 'alice-token')).rejects.toMatchObject({
      status: 429,
      body: refusal,
    });
    const late = edge.keep(await FrameClient.connect(`${edge.gateway.ws}/${sessionId}`));
    late.send({ type: 'auth', token: 'alice-token' });
    expect(await late.next('error')).toMatchObject({ code: 'OVERLOADED', retryable: true });
    expect((await late.ended).code).toBe(4000);
    await bobWorks();
    await held[0]!.close();
    await eventually('room again', () =>
      edge.join().then(
        () => true,
        () => false,
      ),
    );
  },
);

test(verifies('G4:attack-sessions', 'who begins sessions without end is refused more of them'), async () => {
  let outcome: unknown[] = [201];
  for (let n = 0; n < 400 && outcome[0] === 201; n += 1)
    outcome = outcomeOf(await edge.ask('POST', '/sessions', { body: { session_id: `many-${String(n)}` } }));
  expect(outcome).toEqual([429, 'QUOTA']);
});

test(
  verifies('G4:attack-messages', 'who sends messages without end, or without bound, is refused each of them by its own error'),
  async () => {
    const alice = await edge.join();
    alice.send({ type: 'user_message', content: 'x'.repeat(10_001), message_id: 'long' });
    expect(await alice.next('error')).toMatchObject({ code: 'INVALID_FIELD', reply_to: 'long' });
    for (let n = 0; n <= 33; n += 1) alice.send({ type: 'user_message', content: 'x'.repeat(2_000), message_id: `m${String(n)}` });
    expect(await alice.next('error')).toMatchObject({ code: 'QUEUE_FULL', reply_to: 'm33' });
    alice.send(`{"type":"user_message","content":"${'x'.repeat(10 * 1024 * 1024)}"}`);
    expect((await alice.ended).code).toBe(1009);
  },
);

test(
  verifies('G4:attack-tools', 'who declares tools without end leaves no more than the last of them, and too many at once are refused'),
  async () => {
    const toolsOf = (n: number, size: number) => [{ name: `t${String(n)}`, description: 'x'.repeat(size), input_schema: {} }];
    const alice = await edge.join(edge.newSession(), 'c1', { tools: toolsOf(0, 20_000), protocol_versions: ['2.0'] });
    for (let n = 1; n <= 8; n += 1) alice.send({ type: 'tools_changed', tools: toolsOf(n, 20_000) });
    alice.send({ type: 'tools_changed', tools: toolsOf(99, 300_000) });
    expect(await alice.next('error')).toMatchObject({ code: 'INVALID_FIELD' });
    await alice.settle();
    const texts = await edge.redis.client.keys('cl:{blob:*}:text');
    expect(texts).toHaveLength(1);
  },
);

test(
  verifies('G4:attack-results', 'who answers a call with more than there is room for is refused, and the answer leaves nothing'),
  async () => {
    const session = edge.newSession();
    const alice = await edge.join(session);
    const call = 'call_greedy';
    await edge.runtime.call(session, { callId: call });
    await alice.next('tool_call');
    const before = await edge.redis.client.dbsize();
    alice.send({ type: 'tool_result', call_id: call, result: { content: 'x'.repeat(400_000) } });
    expect(await alice.next('error')).toMatchObject({ code: 'QUOTA', reply_to: call, retryable: false });
    expect(await edge.redis.client.dbsize()).toBeLessThanOrEqual(before + 2); // what the runtime is told, and its wake
  },
);

test(
  verifies('G4:attack-storm', 'who does all of it at once is held to each limit, and who works beside is answered as before'),
  async () => {
    const session = edge.newSession();
    const alice = await edge.join(session);
    const [first, second] = ['call_first', 'call_second'];
    await edge.runtime.call(session, { callId: first });
    await alice.next('tool_call');
    let storms = true;
    const works = (async (): Promise<number[]> => {
      const tookMs: number[] = [];
      while (storms || tookMs.length < 3) {
        const startedMs = performance.now();
        await bobWorks();
        tookMs.push(performance.now() - startedMs);
      }
      return tookMs;
    })();
    const knocks = Array.from({ length: 60 }, (_, n) =>
      FrameClient.connect(`${edge.gateway.ws}/storm-${String(n)}`, 'alice-token').then(
        (client) => edge.keep(client) && 'open',
        (refused: { status: number }) => refused.status,
      ),
    );
    const begun = Array.from({ length: 60 }, async (_, n) =>
      outcomeOf(await edge.ask('POST', '/sessions', { body: { session_id: `flood-${String(n)}` } })),
    );
    for (let n = 0; n < 100; n += 1) {
      alice.send(hello('c1'));
      alice.send({ type: 'tool_result', call_id: n % 2 === 0 ? first : second, result: { content: `${String(n)} ${'x'.repeat(20_000)}` } });
    }
    await alice.settle();
    const opened = (await Promise.all(knocks)).filter((outcome) => outcome === 'open').length;
    expect(opened).toBeLessThan(MOST); // alice has one already
    expect((await Promise.all(knocks)).filter((outcome) => outcome === 429)).toHaveLength(60 - opened);
    for (const [status] of await Promise.all(begun)) expect([201, 429]).toContain(status);
    const outcomes = alice.ofType('tool_result_ack').map(({ outcome }) => outcome);
    expect(outcomes.filter((outcome) => outcome === 'accepted')).toHaveLength(1);
    const errors = alice.ofType('error').map(({ code, reply_to: to, reply_to_type: about }) => `${String(code)} ${String(to ?? about)}`);
    expect(errors.filter((error) => error === 'ALREADY_RESOLVED hello')).toHaveLength(100);
    const refused = errors.filter((error) => /^(QUOTA call_|UNKNOWN_CALL call_second)/.test(error));
    expect(outcomes.length + refused.length).toBe(100);
    storms = false;
    expect(Math.max(...(await works))).toBeLessThan(5_000);
  },
);
