import { expect, test } from 'vitest';
import { FakeClock, verifies } from '@codelab/testkit';
import { welcome } from '../../test/support.js';
import { Connection, type ConnectionPhase } from './connection.js';
import type { Socket, SocketEvents } from './socket.js';

/** A socket that a test plays the other end of. */
interface Fake {
  readonly events: SocketEvents;
  readonly sent: string[];
  pings: number;
  ended: 'no' | 'closed' | 'terminated';
}

const flush = (): Promise<void> => new Promise(setImmediate);

const makeConnection = (token: () => string | Promise<string> = () => 'token-1', executes = true) => {
  const clock = new FakeClock();
  const sockets: Fake[] = [];
  const states: ConnectionPhase[] = [];
  const tokens: string[] = [];
  const connection = new Connection({
    openSocket: ({ token: used }, events): Socket => {
      const fake: Fake = { events, sent: [], pings: 0, ended: 'no' };
      sockets.push(fake);
      tokens.push(used);
      return {
        buffered: 0,
        send: (text) => fake.sent.push(text),
        ping: () => (fake.pings += 1),
        close: () => (fake.ended = 'closed'),
        terminate: () => (fake.ended = 'terminated'),
      };
    },
    clock,
    backoff: { firstMs: 100, maxMs: 1_000, factor: 2 },
    url: () => 'ws://gateway/ws/s1',
    token,
    hello: (position) => JSON.stringify({ type: 'hello', position }),
    executes: () => executes,
    onFrame: () => undefined,
    onState: (state) => states.push(state),
  });
  const goLive = async (at = sockets.length): Promise<Fake> => {
    await flush();
    const fake = sockets[at]!;
    fake.events.onOpen();
    fake.events.onMessage(JSON.stringify(welcome()));
    return fake;
  };
  return { clock, sockets, states, tokens, connection, goLive };
};

/** A second `welcome`, of a store that was set back. */
const anew = (fields: object = {}): object =>
  welcome({ epoch: 'e2', seq: 3, recovered: false, snapshot: { seq: 3, history: [], open_calls: [], todos: [], queue: [] }, ...fields });

const todos = (seq: number): string => JSON.stringify({ type: 'todos_updated', seq, todos: [] });

test('a silent gateway is asked for a sign of life, and given up when none comes', async () => {
  const { clock, connection, goLive, states } = makeConnection();
  connection.start();
  const fake = await goLive();
  clock.advanceSync(15_000);
  fake.events.onSign();
  clock.advanceSync(15_000);
  expect(fake.pings).toBe(0);
  clock.advanceSync(10_000);
  expect(fake.pings).toBe(1);
  fake.events.onSign();
  clock.advanceSync(20_000);
  expect(fake.ended).toBe('no');
  clock.advanceSync(30_000);
  expect(fake.ended).toBe('terminated');
  expect(states.at(-1)).toMatchObject({ kind: 'connecting' });
});

test('a gateway that sends no welcome is given up', async () => {
  const { clock, sockets, connection, states } = makeConnection();
  connection.start();
  await flush();
  sockets[0]!.events.onOpen();
  clock.advanceSync(20_000);
  expect(sockets[0]!.ended).toBe('terminated');
  expect(states.at(-1)).toMatchObject({ kind: 'reconnecting', why: expect.stringContaining('welcome') });
});

test('waits grow from failure to failure, and begin anew after a connection that lasted', async () => {
  const { clock, sockets, connection, states, goLive } = makeConnection();
  connection.start();
  const delays = (): number[] => states.flatMap((state) => (state.kind === 'reconnecting' ? [state.delayMs] : []));
  for (let at = 0; at < 3; at += 1) {
    await flush();
    sockets[at]!.events.onClose({ code: 1006, reason: '' });
    clock.advanceSync(1_000);
  }
  const [first = 0, second = 0, third = 0] = delays();
  expect([first >= 50 && first <= 100, second >= 100 && second <= 200, third >= 200 && third <= 400]).toEqual([true, true, true]);
  const fake = await goLive(3);
  clock.advanceSync(5_000);
  fake.events.onClose({ code: 1006, reason: '' });
  expect(delays().at(-1)).toBeLessThanOrEqual(100);
});

test('a replay ends with the frame that welcome named, or when nothing comes any more', async () => {
  const { clock, sockets, connection, states } = makeConnection();
  connection.start();
  await flush();
  sockets[0]!.events.onOpen();
  sockets[0]!.events.onMessage(JSON.stringify(welcome({ seq: 2 })));
  expect(states.at(-1)).toEqual({ kind: 'replaying', until: 2 });
  sockets[0]!.events.onMessage(todos(1));
  clock.advanceSync(200);
  expect(states.at(-1)?.kind).toBe('replaying');
  clock.advanceSync(200);
  expect(states.at(-1)?.kind).toBe('live');
});

test('frames are acknowledged by their number, by their bytes, and at the latest after a second', async () => {
  const { clock, connection, goLive } = makeConnection();
  connection.start();
  const fake = await goLive();
  const acks = (): unknown[] => fake.sent.slice(1).map((text) => (JSON.parse(text) as { seq: number }).seq);
  for (let seq = 1; seq <= 65; seq += 1) fake.events.onMessage(todos(seq));
  expect(acks()).toEqual([64]);
  clock.advanceSync(1_000);
  expect(acks()).toEqual([64, 65]);
  fake.events.onMessage(JSON.stringify({ type: 'todos_updated', seq: 66, todos: [{ content: 'x'.repeat(600_000) }] }));
  expect(acks()).toEqual([64, 65, 66]);
});

test('a new token is asked for at each connection; one that can not be had is tried again', async () => {
  const answers: (() => string)[] = [
    () => 'one',
    () => {
      throw new Error('no network');
    },
    () => 'two',
  ];
  const { clock, connection, goLive, tokens, states } = makeConnection(() => answers.shift()!());
  connection.start();
  const fake = await goLive();
  fake.events.onClose({ code: 4401, reason: 'the token expired' });
  clock.advanceSync(1_000);
  await flush();
  expect(states.at(-1)).toMatchObject({ kind: 'reconnecting', why: expect.stringContaining('no network') });
  clock.advanceSync(1_000);
  await flush();
  expect(tokens).toEqual(['one', 'two']);
});

test.each(['idle', 'connecting', 'authenticating', 'live', 'reconnecting', 'draining', 'begun anew'])(
  'closing while %s leaves no timer and no socket',
  async (when) => {
    const { clock, sockets, connection, states, goLive } = makeConnection();
    if (when !== 'idle') connection.start();
    if (when === 'authenticating') {
      await flush();
      sockets[0]!.events.onOpen();
    }
    if (when === 'live' || when === 'reconnecting' || when === 'draining' || when === 'begun anew') {
      const fake = await goLive();
      fake.events.onMessage(todos(1));
      if (when === 'draining') fake.events.onMessage('{"type":"drain","retry_after_ms":1000}');
      if (when === 'begun anew') fake.events.onMessage(JSON.stringify(anew()));
      if (when === 'reconnecting') fake.events.onClose({ code: 4000, reason: '' });
    }
    connection.close({ kind: 'closed', message: 'bye' });
    await flush();
    expect(clock.pending).toBe(0);
    expect(sockets.every(({ ended }, at) => ended !== 'no' || (when === 'reconnecting' && at === 0))).toBe(true);
    expect(states.at(-1)).toEqual({ kind: 'closed', reason: { kind: 'closed', message: 'bye' } });
    clock.advanceSync(60_000);
    expect(states.filter(({ kind }) => kind === 'closed')).toHaveLength(1);
  },
);

test('a gateway that is going away is left at once when it closes, before or after its time; the next failure waits', async () => {
  const { clock, connection, goLive, states } = makeConnection();
  connection.start();
  const fake = await goLive();
  fake.events.onMessage('{"type":"drain","retry_after_ms":1000}');
  clock.advanceSync(999);
  fake.events.onClose({ code: 4000, reason: 'going away' });
  expect(states.at(-1)).toMatchObject({ kind: 'reconnecting', delayMs: 0 });
  clock.advanceSync(0);
  const next = await goLive();
  next.events.onClose({ code: 1006, reason: '' });
  expect(states.at(-1)).toMatchObject({ kind: 'reconnecting', attempt: 1 });
  expect((states.at(-1) as { delayMs: number }).delayMs).toBeGreaterThan(0);
});

test(
  verifies(
    'G3:anew-introduced',
    'a log that begins anew gets a new hello of who executes, once and soon, from the new position; no failure is counted',
  ),
  async () => {
    const { clock, sockets, connection, goLive, states } = makeConnection();
    connection.start();
    const fake = await goLive();
    fake.events.onMessage(JSON.stringify(anew()));
    fake.events.onMessage(todos(4));
    clock.advanceSync(1_000);
    expect(states.at(-2)).toMatchObject({ kind: 'reconnecting', attempt: 0, delayMs: 0, why: expect.stringContaining('anew') });
    expect(fake.ended).not.toBe('no');
    await flush();
    const next = sockets[1]!;
    next.events.onOpen();
    expect(JSON.parse(next.sent[0]!)).toMatchObject({ position: { epoch: 'e2', seq: 4 } });
    next.events.onMessage(JSON.stringify(anew({ epoch: 'e3' }))); // its own answer asks for no other
    clock.advanceSync(10_000);
    await flush();
    expect(states.at(-1)).toEqual({ kind: 'live' });
    expect(sockets).toHaveLength(2);
  },
);

test.each([
  ['gets its hello too, though the replay ends before', false],
  ['is no longer told of a client that is closed', true],
])('a log that begins anew during a replay %s', async (_what, closes) => {
  const { clock, sockets, connection, states } = makeConnection();
  connection.start();
  await flush();
  sockets[0]!.events.onOpen();
  sockets[0]!.events.onMessage(JSON.stringify(welcome({ seq: 9 })));
  expect(states.at(-1)?.kind).toBe('replaying');
  sockets[0]!.events.onMessage(JSON.stringify(anew()));
  clock.advanceSync(400);
  expect(states.at(-1)?.kind).toBe('live');
  if (closes) connection.close({ kind: 'closed', message: 'bye' });
  expect(clock.pending === 0).toBe(closes);
  clock.advanceSync(600);
  await flush();
  expect(sockets).toHaveLength(closes ? 1 : 2);
});

test.each([
  ['a snapshot of the same log', true, { epoch: 'e1' }],
  ['a log that begins anew for who only watches', false, {}],
])('%s needs no new hello', async (_what, executes, fields) => {
  const { clock, sockets, connection, goLive, states } = makeConnection(undefined, executes);
  connection.start();
  const fake = await goLive();
  fake.events.onMessage(JSON.stringify(anew(fields)));
  clock.advanceSync(10_000);
  await flush();
  expect(sockets).toHaveLength(1);
  expect(states.at(-1)).toEqual({ kind: 'live' });
});

test('a connection that is lost before it tells a new log of its client tells it once', async () => {
  const { clock, sockets, connection, goLive, states } = makeConnection();
  connection.start();
  const fake = await goLive();
  fake.events.onMessage(JSON.stringify(anew()));
  fake.events.onClose({ code: 1006, reason: '' });
  clock.advanceSync(100);
  const next = await goLive(1);
  clock.advanceSync(10_000);
  await flush();
  expect(sockets).toHaveLength(2);
  expect(next.ended).toBe('no');
  expect(states.at(-1)).toEqual({ kind: 'live' });
});
