import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { Registry } from 'prom-client';
import { BusError } from '@codelab/bus';
import { connectBus, type Bus } from '@codelab/bus/redis';
import { eventually, startRedis, verifies, type TestRedis } from '@codelab/testkit';
import { answerOf, Client, startModel } from './__fixtures__/peers.js';
import { PrometheusMeter } from './metrics.js';
import { startRuntime, type Runtime } from './start-runtime.js';

const LIMITS = { maxRounds: 50, turnTimeoutMs: 60_000, approvalTimeoutMs: 0, defaultModel: 'fake', defaultVocabulary: 'codelab' as const };
const faults: object[] = [];
const silent = { info: () => undefined, warn: () => undefined, error: (fields: object) => void faults.push(fields) };

let redis: TestRedis;
let peers: Bus;
const closing: (() => Promise<unknown>)[] = [];

beforeAll(async () => {
  redis = await startRedis({ aof: true });
  peers = await connectBus({ url: redis.url });
});
afterEach(async () => {
  for (const close of closing.splice(0).reverse()) await close();
  expect(faults.splice(0)).toEqual([]);
});
afterAll(async () => {
  await peers.close();
  await redis.close();
});

const open = async (name: string, joining = {}): Promise<Client> => {
  const client = await Client.open(peers, name, joining);
  closing.push(() => client.close());
  return client;
};

interface Started extends Runtime {
  readonly bus: Bus;
  readonly metrics: Registry;
  stop(): Promise<void>;
}

const start = async (options: { lingerMs?: number; wrap?: (bus: Bus) => Bus; maxHotSessions?: number } = {}): Promise<Started> => {
  const { lingerMs = 10_000, wrap = (bus) => bus, maxHotSessions = 100 } = options;
  const bus = await connectBus({ url: redis.url });
  const metrics = new Registry();
  const runtime = await startRuntime({
    bus: wrap(bus),
    log: silent,
    meter: new PrometheusMeter(metrics),
    limits: LIMITS,
    lingerMs,
    maxHotSessions,
  });
  let stopped: Promise<void> | undefined;
  const stop = (): Promise<void> =>
    (stopped ??= (async () => {
      await runtime.stopTaking();
      await runtime.handOver(AbortSignal.timeout(5_000));
      await bus.close();
    })());
  closing.push(stop);
  return Object.assign(runtime, { bus, metrics, stop });
};

const model = async (think: Parameters<typeof startModel>[1]): Promise<void> => {
  const consumer = await startModel(peers, think);
  closing.push(() => consumer.close());
};

const READ = { providerId: 'call_0', name: 'read_file', arguments: '{"path":"a"}' };
const WRITE = { providerId: 'call_0', name: 'write_file', arguments: '{"path":"a","content":"x"}' };
const ended = (client: Client, turns = 1): Promise<boolean> => eventually('turn_ended', () => client.of('turn_ended').length >= turns);

test(verifies('R3:whole-turn', 'text streams, a call runs, the result goes to the model, the turn ends once'), async () => {
  await model(async (history, step) => {
    if (history.some(({ role }) => role === 'tool')) return answerOf({ text: 'It says hi.' });
    step.publish({ offset: 0, text: 'let me ' });
    step.publish({ offset: 7, text: 'look' });
    return answerOf({ text: 'let me look', toolCalls: [READ, { ...READ, arguments: '{"path":"b"}' }], finish: 'tool_calls' });
  });
  await start();
  const client = await open('whole');
  client.execute(() => ({ content: 'x'.repeat(300_000) }));
  await client.say('hello');
  await ended(client);
  expect(client.of('turn_ended')).toMatchObject([{ status: 'completed', usage: { input_tokens: 2, output_tokens: 2 } }]);
  expect(client.text).toBe('let me lookIt says hi.');
  const history = await client.history();
  expect(history.map(({ role }) => role)).toEqual(['user', 'assistant', 'tool', 'tool', 'assistant']);
  expect(client.frames.map(({ seq }) => seq)).toEqual(client.frames.map((_, place) => place + 1));
});

test(verifies('H2:agent-of-turn', 'a call keeps the agent of its turn, which a message may have named'), async () => {
  await model(async () => answerOf({ toolCalls: [{ ...WRITE, arguments: '{"path":"a.md","content":"x"}' }] }));
  await start();
  const client = await open('agent-of-turn');
  await client.say('plan it', 'enqueue', { agent: 'architect' });
  await eventually('tool_call', () => client.of('tool_call').length === 1);
  const [record] = await peers.store.readCalls(client.ref.sid);
  expect([record?.agent, (await peers.store.readMeta(client.ref))?.agent]).toEqual(['architect', 'coder']);
});

test(verifies('H1:facts-compared', 'a call is judged by the mode that holds when it becomes true'), async () => {
  await model(async () => {
    await peers.store.patch(client.ref, { mode: 'strict' }); // the runtime knows of none but that of the turn's beginning
    return answerOf({ toolCalls: [WRITE] });
  });
  await start();
  const client = await open('mode', { mode: 'permissive' });
  await client.say('write');
  await eventually('tool_call', () => client.of('tool_call').length === 1);
  expect(await peers.store.readCalls(client.ref.sid)).toMatchObject([{ state: 'waiting_approval' }]);
});

test(verifies('L3:any-result', 'a model reads the JSON text of any result'), async () => {
  const values = ['a text', -1.5, false, null, ['x', {}]];
  await model(async (history) =>
    history.some(({ role }) => role === 'tool')
      ? answerOf({ text: 'done' })
      : answerOf({ toolCalls: values.map((_, at) => ({ ...READ, name: 'client__look', arguments: `{"at":${String(at)}}` })) }),
  );
  await start();
  const look = { name: 'look', description: 'looks', input_schema: { type: 'object' }, idempotency: 'safe' };
  const client = await open('any-result', { tools: JSON.stringify([look]) });
  client.execute(({ args }) => values[(args as unknown as { at: number }).at]);
  await client.say('look');
  await ended(client);
  const results = (await client.history()).flatMap((item) => (item.role === 'tool' ? [item.content] : []));
  expect(results).toEqual(['"a text"', '-1.5', 'false', 'null', '["x",{}]']);
});

test('a dangerous call waits parked, without a lease, and goes on when somebody decides', async () => {
  await model(async (history) =>
    history.some(({ role }) => role === 'tool') ? answerOf({ text: 'done' }) : answerOf({ toolCalls: [WRITE] }),
  );
  const runtime = await start({ lingerMs: 0 });
  const client = await open('parked');
  await client.say('write');
  await eventually('tool_call', () => client.of('tool_call').length === 1);
  await eventually('parked', () => runtime.size === 0);
  const [call] = client.of('tool_call');
  expect(call).toMatchObject({ state: 'waiting_approval', requires_approval: true });
  expect(await client.decide(call!.call_id, 'approved')).toBe('decided');
  expect(await client.settle(call!.call_id, { success: true, bytes_written: 1 })).toBe('accepted');
  await ended(client);
  expect(client.text).toBe('done');
  await eventually('parked', () => runtime.size === 0);
});

test(verifies('R1:two-round-trips', 'a tool result of a hot session costs two round trips in the whole system'), async () => {
  let release = (): void => undefined;
  const released = new Promise<void>((resolve) => (release = resolve));
  await model(async (history) => {
    if (!history.some(({ role }) => role === 'tool')) return answerOf({ toolCalls: [READ] });
    await released;
    return answerOf({ text: 'done' });
  });
  const { bus } = await start();
  const client = await open('trips');
  await client.say('hello');
  const call = await eventually('tool_call', () => client.of('tool_call')[0]);
  await eventually('rest', async () => (await peers.store.readMeta(client.ref))?.inboxDone === 2);
  const tripsOf = (one: Bus): Record<string, number> => Object.fromEntries(one.counters.roundTrips);
  const before = [tripsOf(peers), tripsOf(bus)] as const;
  await client.settle(call.call_id, { content: 'x' });
  const after = await eventually('the commit', () => {
    const now = [tripsOf(peers), tripsOf(bus)] as const;
    return now[1]['commit'] === (before[1]['commit'] ?? 0) + 1 ? now : undefined;
  });
  const spent = (place: 0 | 1): Record<string, number> =>
    Object.fromEntries(
      Object.entries(after[place])
        .map(([name, count]) => [name, count - (before[place][name] ?? 0)] as const)
        .filter(
          ([name, count]) => count > 0 && !/^(due|weigh|renew-|compare-|reclaim-|claim-step|read-step-history|forget-step)/.test(name),
        ),
    );
  expect([spent(0), spent(1)]).toEqual([{ settleCall: 1 }, { commit: 1 }]);
  release();
  await ended(client);
});

/** A runtime whose commits fail as `when` says, by number. */
const failing = (when: (commit: number) => 'before' | 'after' | undefined) => {
  let commits = 0;
  return (bus: Bus): Bus => ({
    ...bus,
    store: {
      ...bus.store,
      commit: async (...args) => {
        const how = when((commits += 1));
        if (how === 'before') throw new BusError('lost on the way there');
        const verdict = await bus.store.commit(...args);
        if (how === 'after') throw new BusError('lost on the way back');
        return verdict;
      },
    },
  });
};

test.each(['before', 'after'] as const)(
  verifies('R1:doubtful-commit', 'a commit whose fate is not known (%s it was done) happens once'),
  async (how) => {
    await model(async (history) =>
      history.some(({ role }) => role === 'tool') ? answerOf({ text: 'done' }) : answerOf({ text: 'look', toolCalls: [READ] }),
    );
    await start({ wrap: failing((commit) => (commit % 2 === 1 ? how : undefined)) });
    const client = await open(`doubtful-${how}`);
    client.execute(() => ({}));
    await client.say('hello');
    await ended(client);
    expect(client.frames.map(({ type }) => type)).toEqual([
      'turn_started',
      'assistant_message',
      'tool_call',
      'assistant_message',
      'turn_ended',
    ]);
    expect((await client.history()).map(({ role }) => role)).toEqual(['user', 'assistant', 'tool', 'assistant']);
  },
);

test(verifies('R1:fenced', 'a holder that was overtaken stops, and the turn goes on where it stood'), async () => {
  await model(async (history) =>
    history.some(({ role }) => role === 'tool') ? answerOf({ text: 'done' }) : answerOf({ toolCalls: [READ] }),
  );
  const renewsNothing = (bus: Bus): Bus => ({ ...bus, store: { ...bus.store, renewLeases: async () => [] } }); // it learns by its commit
  const slow = await start({ wrap: renewsNothing });
  const client = await open('fenced');
  await client.say('hello');
  const call = await eventually('tool_call', () => client.of('tool_call')[0]);
  await redis.client.hset(`cl:{${client.ref.sid}}:meta`, 'lease_until', '0'); // as if it had been stopped for a while
  const taken = await peers.store.takeLease(client.ref.sid, 'another');
  expect(taken).toBeDefined();
  await client.settle(call.call_id, {});
  await eventually('fenced', () => slow.size === 0);
  expect(await slow.metrics.metrics()).toMatch(/codelab_runtime_commit_failures_total\{why="fenced"\} 1/);
  await redis.client.hset(`cl:{${client.ref.sid}}:meta`, 'lease_until', '0');
  await ended(client);
  expect(client.text).toBe('done');
});

test(verifies('R4:hand-over', 'a runtime that is told to stop hands its sessions over, and another one goes on at once'), async () => {
  let begun = 0;
  let release = (): void => undefined;
  const released = new Promise<void>((resolve) => (release = resolve));
  await model(async (_, step) => {
    begun += 1;
    step.publish({ offset: 0, text: 'half ' });
    await released;
    return answerOf({ text: 'half and half' });
  });
  const first = await start();
  const client = await open('hand-over');
  await client.say('hello');
  await eventually('text', () => client.text === 'half ');
  const second = await start();
  const ownerOf = () => redis.client.hget(`cl:{${client.ref.sid}}:meta`, 'lease_owner');
  const before = await ownerOf();
  await first.stop();
  expect(await ownerOf()).not.toBe(before); // nobody waits for its lease to expire
  await eventually('taken over', () => second.size === 1);
  release();
  await ended(client);
  expect([client.text, begun]).toEqual(['half and half', 1]);
  expect(client.of('assistant_message').some(({ replaces }) => replaces !== undefined)).toBe(false);
});

test(verifies('R4:lost-request', 'a model request whose name was lost on its way is named again, and asked once'), async () => {
  const first = await start();
  const client = await open('lost-request');
  await client.say('hello');
  await eventually('asked', () => client.of('turn_started').length === 1);
  await first.stop();
  for (const key of await redis.client.keys('cl:{models:*}')) await redis.client.del(key);
  let asked = 0;
  await model(async () => {
    asked += 1;
    return answerOf({ text: 'here' });
  });
  await start();
  await ended(client);
  expect([client.text, asked]).toEqual(['here', 1]);
});

test(verifies('L2:cancel', 'a cancel ends a turn that waits for its model, aborts the request and keeps what was said'), async () => {
  const aborted: boolean[] = [];
  await model(async (_, step) => {
    step.publish({ offset: 0, text: 'so far' });
    await new Promise((resolve) => step.signal.addEventListener('abort', resolve));
    aborted.push(step.signal.aborted);
    return undefined;
  });
  await start();
  const client = await open('cancel');
  await client.say('hello');
  await eventually('text', () => client.text === 'so far');
  expect(await peers.store.requestCancel(client.ref, { queue: false })).toMatchObject({ kind: 'cancelling' });
  await ended(client);
  expect(client.of('turn_ended')).toMatchObject([{ status: 'cancelled' }]);
  await eventually('abort', () => aborted.length === 1);
  expect((await client.history()).at(-1)).toMatchObject({ role: 'assistant', content: 'so far' });
});

test('messages queue, steer and interrupt', async () => {
  let release = (): void => undefined;
  const heard: string[][] = [];
  await model(async (history) => {
    heard.push(history.flatMap((item) => (item.role === 'user' ? [item.content] : [])));
    if (heard.length === 1) await new Promise<void>((resolve) => (release = resolve));
    if (heard.length === 1) return answerOf({ toolCalls: [READ] });
    return answerOf({ text: `answer ${String(heard.length)}` });
  });
  await start();
  const client = await open('queue');
  client.execute(() => ({}));
  await client.say('one');
  await eventually('asked', () => heard.length === 1);
  await client.say('two');
  await client.say('three', 'steer');
  release();
  await ended(client, 2);
  expect(heard).toEqual([['one'], ['one', 'three'], ['one', 'three', 'two']]);
  expect(client.of('turn_ended').map(({ message_ids }) => message_ids.length)).toEqual([2, 1]);
});

test.each(['alone', 'before a queued one'])(
  verifies('R3:steered-too-late', 'a message that is steered into a turn while its end is committed is answered all the same: %s'),
  async (how) => {
    await model(async () => answerOf({ text: 'ok' }));
    const client = await open(`stray-${String(how.length)}`);
    let steered: Promise<unknown> | undefined;
    const steerAtTheEnd = (bus: Bus): Bus => ({
      ...bus,
      store: {
        ...bus.store,
        commit: async (ref, lease, step) => {
          if (step.endTurn !== undefined && steered === undefined) {
            steered = client.say('and another', 'steer');
            await steered;
            if (how !== 'alone') await client.say('queued');
          }
          return bus.store.commit(ref, lease, step);
        },
      },
    });
    await start({ wrap: steerAtTheEnd });
    await client.say('question');
    await ended(client, 2);
    const contents = async (): Promise<string[]> =>
      (await client.history()).flatMap((item) => (item.role === 'user' ? [item.content] : []));
    const expected = how === 'alone' ? ['and another', 'question'] : ['and another', 'question', 'queued'];
    await eventually('every message', async () => (await contents()).length === expected.length);
    expect((await contents()).sort()).toEqual(expected);
  },
);

test(verifies('R4:redis-restart', 'Redis goes away and comes back in the middle of turns: each of them ends once'), async () => {
  await model(async (history) =>
    history.some(({ role }) => role === 'tool') ? answerOf({ text: 'done' }) : answerOf({ text: 'look', toolCalls: [READ] }),
  );
  await start();
  const clients = await Promise.all(Array.from({ length: 10 }, (_, place) => open(`restart-${String(place)}`)));
  for (const client of clients) client.execute(() => ({}));
  await Promise.all(clients.map((client) => client.say('hello')));
  await redis.restart();
  await eventually('Redis', () => peers.status() === 'ready');
  for (const client of clients) {
    await eventually('turn_ended', () => client.of('turn_ended').length === 1);
    expect(client.of('turn_ended')).toMatchObject([{ status: 'completed' }]);
    expect((await client.history()).map(({ role }) => role)).toEqual(['user', 'assistant', 'tool', 'assistant']);
  }
});

test('a full table lets the longest idle session go, and serves more sessions than it holds', async () => {
  await model(async () => answerOf({ text: 'ok' }));
  const runtime = await start({ maxHotSessions: 2 });
  const clients = await Promise.all(Array.from({ length: 6 }, (_, place) => open(`full-${String(place)}`)));
  await Promise.all(clients.map((client) => client.say('hello')));
  for (const client of clients) await ended(client);
  expect(runtime.size).toBeLessThanOrEqual(2);
});

test('a session that a newer release has written is left to it', async () => {
  await model(async () => answerOf({ text: 'ok' }));
  const client = await open('newer');
  const meta = `cl:{${client.ref.sid}}:meta`;
  await redis.client.hset(meta, 'state', '{"schema":99}');
  const older = await start();
  await client.say('hello');
  await eventually('seen', async () => (await redis.client.hget(meta, 'lease_fence')) !== null);
  await older.stop();
  expect([client.frames, await redis.client.hget(meta, 'state')]).toEqual([[], '{"schema":99}']);
  await redis.client.hset(meta, 'state', '', 'lease_until', '0');
  await start(); // for which the schema is no news
  await ended(client);
});

test('a state that nobody can read ends its turn as failed, and the session goes on', async () => {
  const client = await open('broken');
  await client.say('hello');
  await redis.client.hset(`cl:{${client.ref.sid}}:meta`, 'state', '{"schema":1,', 'turn_id', 'turn_lost');
  await start();
  await ended(client);
  expect(client.of('turn_ended')).toMatchObject([{ turn_id: 'turn_lost', status: 'failed', error: { code: 'INTERNAL' } }]);
  expect(faults.splice(0)).toMatchObject([{ event: 'session.broken' }, { event: 'turn.fault' }]);
  await model(async () => answerOf({ text: 'ok' }));
  await client.say('again');
  await ended(client, 2);
});

test('a parked session whose cancel has calls to wait for ends all the same', async () => {
  await model(async () => answerOf({ toolCalls: [READ] }));
  const runtime = await start({ lingerMs: 0 });
  const client = await open('parked-cancel');
  await client.say('hello');
  await eventually('tool_call', () => client.of('tool_call').length === 1);
  await eventually('parked', () => runtime.size === 0);
  await peers.store.requestCancel(client.ref, { queue: false });
  await ended(client);
  expect(client.of('turn_ended')).toMatchObject([{ status: 'cancelled' }]);
});
