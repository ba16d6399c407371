import { beforeEach, expect, test } from 'vitest';
import {
  BusError,
  type AsideListener,
  type AuditLog,
  type ChildSessions,
  type LoggedFrame,
  type SessionRef,
  type SessionSignal,
  type RuleStore,
  type SessionStream,
  type SessionStreams,
  type SessionMeta,
  type SessionStore,
  sessionRef,
} from '@codelab/bus';
import type { FrameHead } from '@codelab/protocol';
import { FakeClock, LinkedTransport, verifies } from '@codelab/testkit';
import { Semaphore } from 'async-mutex';
import { pino } from 'pino';
import { ALL_SCOPES, createAuthenticate, type Identity } from '@codelab/auth';
import { Connection, type Upgrade } from './connection.js';
import type { GatewayPorts } from '../gateway-ports.js';
import { SessionFrames } from './session-frames.js';
import { StoreAbsence } from './store-absence.js';
import { OutboxBudget } from '../outbox/outbox-budget.js';
import { OutputMasks } from '../handlers/output-masks.js';
import { SessionHub } from '../session/session-hub.js';
import { SharedTools } from '../opening/shared-tools.js';
import { GatewayStats } from '../stats.js';

const IDENTITY: Identity = { owner: { tenant: 'acme', sub: 'alice' }, scopes: ALL_SCOPES };
const META = {
  ...{ ref: sessionRef(IDENTITY.owner, 's'), epoch: 'e', seq: 0, executor: 'c1', turnId: '', historyVersion: 0, cancelTurnId: '' },
  ...{ agent: 'coder', mode: 'medium' },
} as SessionMeta;
const HELLO = JSON.stringify({ type: 'hello', protocol_versions: ['1.0'], client_id: 'c1', tools: ['read_file'] });

/** The stream of a session in which nothing is said. */
const quietStream = (): SessionStream => {
  let wake: () => void = () => {};
  const stop = (): void => wake();
  return {
    ...{
      wasRemoved: false,
      hasMore: false,
      listener: undefined,
      wake: stop,
      close: stop,
      seek: () => {},
      offer: () => {},
      expectMore: () => {},
    },
    next: () => new Promise((resolve) => (wake = () => resolve({ kind: 'woken' }))),
    read: async () => ({ kind: 'logged', frames: [], fromLog: true }),
  };
};

/** A stream that says what a test has it say. */
const spokenStream = () => {
  const waiting: LoggedFrame[] = [];
  const stream = quietStream();
  const spoken = Object.defineProperty(stream, 'hasMore', { get: () => waiting.length > 0 });
  stream.next = async () => ({ kind: 'logged', frames: waiting.splice(0), fromLog: false });
  const say = (frame: object): void => {
    waiting.push({ seq: 1, head: frame as FrameHead, text: JSON.stringify({ seq: 1, ...frame }) });
    stream.listener?.onNews();
  };
  return { stream: spoken, say };
};

let clock: FakeClock;
let transport: LinkedTransport;
let joined: unknown[];
let store: { -readonly [K in keyof SessionStore]?: SessionStore[K] };
let ports: GatewayPorts;

beforeEach(() => {
  clock = new FakeClock();
  transport = new LinkedTransport();
  joined = [];
  store = {
    join: async (_, joining) => (joined.push(joining), META),
    read: async () => ({ meta: META, calls: [], history: [], historyFrom: 0, queue: [], steering: [], todos: '' }),
    signal: async () => {},
    deliverMessage: async (_, { messageId, turnId }) => ({ kind: 'accepted', messageId, turnId, state: 'started' }),
  };
  const streams: SessionStreams = { open: async () => quietStream(), listen: async () => {}, unlisten: () => {}, close: async () => {} };
  const stats = new GatewayStats();
  const children = {
    announce: async () => {},
    leave: async () => {},
    present: async (refs: readonly SessionRef[]) => refs.map(() => true),
    of: async (refs: readonly SessionRef[]) => refs.map(() => []),
    tasksOf: async () => [],
    findCalls: async () => new Map(),
  } as unknown as ChildSessions;
  const masks = new OutputMasks();
  ports = {
    ...{
      store: store as SessionStore,
      rules: {} as RuleStore,
      audit: {} as AuditLog,
      streams,
      hub: new SessionHub(store as SessionStore, streams, stats, children, masks, 5_000),
      children,
      clock,
      steady: clock,
      storeClock: clock,
      stats,
    },
    authenticate: createAuthenticate([], undefined),
    absence: new StoreAbsence(clock),
    ...{ logger: pino({ level: 'silent' }), budget: new OutboxBudget(1e9) },
    ...{ openings: new Semaphore(8), sharedTools: new SharedTools(), masks },
    limits: {
      outbox: { maxFrames: 64, maxBytes: 1e6, windowBytes: 1e5 },
      ...{ stalledMs: 60_000, authTimeoutMs: 10_000, seedAfterMs: 2_000, badFrames: 5, badFrameRefillMs: 1_000 },
    },
  };
});

const connect = (upgrade: Partial<Upgrade> = {}): Connection =>
  new Connection(ports, new SessionFrames(ports), transport, {
    connection: 'conn',
    sessionId: 's',
    identity: IDENTITY,
    ...upgrade,
  });
const types = (): unknown[] => transport.frames.map(({ type, code }) => code ?? type);
const say = async (connection: Connection, ...texts: (string | object)[]): Promise<void> => {
  for (const text of texts.map((one) => (typeof one === 'string' ? one : JSON.stringify(one)))) void connection.receive(text, text.length);
  await clock.advance(0);
};

test(verifies('G1:silence', 'a client that does not authenticate in time is sent away, and nothing is left of it'), async () => {
  let hasLeft = false;
  connect({ identity: undefined as never, onAuthenticated: () => (hasLeft = true) });
  await clock.advance(9_999);
  expect(transport.closedWith).toBeUndefined();
  await clock.advance(1);
  expect([types(), transport.closedWith?.code, hasLeft, clock.pending]).toEqual([['UNAUTHORIZED'], 4500, true, 0]);
});

test('before authentication the socket is not read until the first frame is judged', async () => {
  const connection = connect({ identity: undefined as never });
  const judged = connection.receive('{"type":"auth","token":"x"}', 27);
  expect(judged).toBeInstanceOf(Promise);
  await judged;
  expect(types()).toEqual(['TOKEN_INVALID']);
});

test('a client is sent nothing before its first frame; after 2 s of silence it is a seed client', async () => {
  connect();
  await clock.advance(1_999);
  expect([joined, transport.received]).toEqual([[], []]);
  await clock.advance(1);
  expect([joined, transport.received]).toEqual([[{ protocolVersion: '1.0' }], []]);
  expect(ports.stats.connections).toMatchObject({ awaiting: 0, seed: 1 });
});

test('hello is answered by welcome; then frames are answered in their order, however long the store takes', async () => {
  const connection = connect();
  await say(connection, HELLO);
  expect(types()).toEqual(['welcome']);
  let answer = () => {};
  store.deliverMessage = (_, { messageId, turnId }) =>
    new Promise((resolve) => (answer = () => resolve({ kind: 'accepted', messageId, turnId, state: 'started' })));
  await say(connection, { type: 'user_message', content: 'x' }, 'nonsense');
  expect(types()).toEqual(['welcome']);
  answer();
  await clock.advance(0);
  expect(types()).toEqual(['welcome', 'message_accepted', 'INVALID_FORMAT']);
  expect(ports.stats.connections).toMatchObject({ hello: 1 });
});

test('whoever sends faster than the store takes is not read', async () => {
  const connection = connect();
  await say(connection, HELLO);
  const answer: (() => void)[] = [];
  store.deliverMessage = () =>
    new Promise((resolve) => answer.push(() => resolve({ kind: 'accepted', messageId: 'm', turnId: 't', state: 'started' })));
  const text = JSON.stringify({ type: 'user_message', content: 'x' });
  let room: Promise<void> | undefined;
  let sent = 0;
  for (; room === undefined && sent < 1_000; sent += 1) room = connection.receive(text, text.length);
  expect(sent).toBeLessThan(50);
  while (ports.stats.framesSent.get('message_accepted') < sent) {
    await clock.advance(0);
    for (const one of answer.splice(0)) one();
  }
  await room;
});

test(verifies('G2:fault', 'a fault of ours is INTERNAL to the client, and the connection lives'), async () => {
  const connection = connect();
  await say(connection, HELLO);
  store.deliverMessage = async () => {
    throw new TypeError('a bug with a secret');
  };
  await say(connection, { type: 'user_message', content: 'x', message_id: 'm' });
  expect(transport.frames.at(-1)).toMatchObject({ code: 'INTERNAL', reply_to: 'm' });
  expect(transport.received.at(-1)).not.toContain('secret');
  store.deliverMessage = async () => {
    throw new BusError('away');
  };
  await say(connection, { type: 'user_message', content: 'x', message_id: 'm2' });
  expect(transport.frames.at(-1)).toMatchObject({ code: 'UNAVAILABLE', retryable: true, reply_to: 'm2' });
  expect(transport.closedWith).toBeUndefined();
});

test(
  verifies('R4:short-absence', 'a frame waits for a store that has just gone away, and is refused at once when it stays away'),
  async () => {
    const connection = connect();
    await say(connection, HELLO);
    const before = transport.frames.length;
    ports.absence.begin();
    await say(connection, { type: 'user_message', content: 'x', message_id: 'm1' });
    await clock.advance(1_000);
    expect(transport.frames).toHaveLength(before);
    ports.absence.end();
    await clock.advance(0);
    expect(transport.frames.slice(before)).toMatchObject([{ type: 'message_accepted', message_id: 'm1' }]);
    store.deliverMessage = async () => {
      throw new BusError('away');
    };
    ports.absence.begin();
    await say(connection, { type: 'user_message', content: 'x', message_id: 'm2' });
    await clock.advance(2_999);
    expect(transport.frames).toHaveLength(before + 1);
    await clock.advance(1);
    await say(connection, { type: 'user_message', content: 'x', message_id: 'm3' });
    expect(transport.frames.slice(before + 1)).toMatchObject(['m2', 'm3'].map((reply_to) => ({ code: 'UNAVAILABLE', reply_to })));
    ports.absence.end();
  },
);

test('a session that can not be opened because the store is away ends the connection with 4003: come back', async () => {
  store.join = async () => {
    throw new BusError('away');
  };
  await say(connect(), HELLO);
  expect([types(), transport.closedWith?.code]).toEqual([['UNAVAILABLE'], 4003]);
});

test('bad frames are allowed as often as they are regained; then it is abuse', async () => {
  const connection = connect();
  await say(connection, HELLO, ...Array.from({ length: 5 }, () => '{}'));
  await clock.advance(2_000);
  await say(connection, '{}', '{}');
  expect(transport.closedWith).toBeUndefined();
  await say(connection, '{}');
  expect(transport.closedWith?.code).toBe(4504);
});

test('a token that expires, and a socket that takes nothing, end the connection when somebody looks', async () => {
  const connection = connect({ identity: { ...IDENTITY, expiresAtMs: clock.now() + 5_000 } });
  await say(connection, HELLO);
  await clock.advance(4_999);
  connection.check(clock.now());
  expect(transport.closedWith).toBeUndefined();
  await clock.advance(1);
  connection.check(clock.now());
  expect([types(), transport.closedWith?.code]).toEqual([['welcome', 'TOKEN_EXPIRED'], 4401]);

  transport = new LinkedTransport();
  const stuck = connect();
  transport.pause();
  await say(stuck, HELLO);
  stuck.check(clock.now() + 60_000);
  expect(transport.closedWith).toBeUndefined();
  stuck.check(clock.now() + 60_001);
  expect(transport.closedWith).toMatchObject({ code: 4002 });
});

test('a drain is announced, then the connection ends; what comes until then is still answered', async () => {
  const connection = connect();
  await say(connection, HELLO);
  connection.drain(500);
  await say(connection, { type: 'user_message', content: 'x' });
  expect(types()).toEqual(['welcome', 'drain', 'message_accepted']);
  await clock.advance(500);
  expect(transport.closedWith?.code).toBe(4000);
});

test(
  verifies(
    'R2:told-before-shown',
    'a call that is another client’s to run is shown after its client has heard of that, whatever it is being given',
  ),
  async () => {
    const child = sessionRef(IDENTITY.owner, 'child');
    const [ofParent, ofChild] = [spokenStream(), spokenStream()];
    const listeners: AsideListener[] = [];
    const streams = {
      open: async ({ sid }: SessionRef) => (sid === child.sid ? ofChild : ofParent).stream,
      listen: async ({ sid }: SessionRef, listener: AsideListener) => void (sid === child.sid || listeners.push(listener)),
      unlisten: () => undefined,
    };
    let note: (noted: boolean) => void = () => undefined;
    store.readMeta = async () => ({ ...META, ref: child, turnId: 't' });
    store.giveCall = () => new Promise((resolve) => (note = resolve));
    const reading = await store.read!(META.ref, { historyItems: 0 });
    store.read = async ({ sid }) => (sid === child.sid ? { ...reading!, meta: { ...META, turnId: 't' } } : reading);
    ports = { ...ports, streams, hub: new SessionHub(store as SessionStore, streams, ports.stats, ports.children, ports.masks, 5_000) };
    await say(connect(), HELLO);
    const hear = (signal: SessionSignal): void => listeners[0]!.receive({ kind: 'signal', signal });
    hear({ type: 'child_opened', session_id: child.sessionId });
    await clock.advance(0);
    const call = { type: 'tool_call', tool_name: 'read_file', state: 'ready', idempotency: 'unsafe', fence: 1 };
    ofChild.say({ ...call, call_id: 'given' });
    await clock.advance(0);
    hear({ type: 'executor_changed', executor: 'c2' });
    ofParent.say({ ...call, call_id: 'shown' });
    await clock.advance(0);
    expect(types()).toEqual(['welcome']);
    note(true);
    await clock.advance(0);
    expect(transport.frames.map(({ type, call_id }) => call_id ?? type)).toEqual(['welcome', 'given', 'executor_changed', 'shown']);
  },
);

test('a connection that goes leaves no timer, no feed, no count', async () => {
  for (const texts of [[], [HELLO], ['{"type":"user_message","content":"x"}']]) {
    const connection = connect();
    await say(connection, ...texts);
    connection.closed();
    await clock.advance(0);
    expect([clock.pending, ports.stats.rooms]).toEqual([0, 0]);
    expect(Object.values(ports.stats.connections)).toEqual([0, 0, 0, 0]);
  }
});

test(
  verifies('G4:tool-texts', 'tools that clients name alike are kept once, and nothing of them outlives the last of these clients'),
  async () => {
    const [one, other] = [connect(), connect()];
    await say(one, HELLO);
    await say(other, HELLO);
    expect(ports.sharedTools.size).toBe(1);
    one.closed();
    one.closed();
    expect(ports.sharedTools.size).toBe(1);
    other.closed();
    expect(ports.sharedTools.size).toBe(0);

    store.read = async () => {
      throw new BusError('away');
    };
    await say(connect(), HELLO); // it could not be opened
    expect(ports.sharedTools.size).toBe(0);
  },
);

test('a client that goes while its session is being opened leaves nothing behind', async () => {
  let join = () => {};
  store.join = () => new Promise((resolve) => (join = () => resolve(META)));
  const connection = connect();
  await say(connection, HELLO);
  connection.closed();
  join();
  await clock.advance(0);
  expect([ports.stats.rooms, clock.pending]).toEqual([0, 0]);
});

test('a token without the scope approve may not say how much is asked', async () => {
  const connection = connect({ identity: { ...IDENTITY, scopes: ['session'] } });
  await say(connection, HELLO.replace('}', ',"mode":"permissive"}'));
  expect(types()).toEqual(['FORBIDDEN']);
  await say(connection, HELLO);
  expect(types()).toEqual(['FORBIDDEN', 'welcome']);
});
