import { expect, test } from 'vitest';
import { connect as connectTcp } from 'node:net';
import { text } from 'node:stream/consumers';
import { eventually, startRedis, verifies, watchLeaks } from '@codelab/testkit';
import { FrameClient, hello, type Frame } from './__fixtures__/frame-client.js';
import { startGateway } from './__fixtures__/start-gateway.js';
import { useGateways } from './__fixtures__/use-gateways.js';

const OUTBOX_BYTES = 1024 * 1024;
const edge = useGateways(startRedis, { gateway: { outboxBytes: OUTBOX_BYTES }, other: { pingIntervalMs: 200 } });
const { newSession, connect, join } = edge;

const token = (text: string): object => ({ type: 'assistant_message', message_id: 'm1', token: text, is_final: false });
const metric = async (name: string, of = edge.gateway): Promise<number> => {
  const text = await (await fetch(`${of.url}/metrics`)).text();
  return Number(new RegExp(`^codelab_gateway_${name}\\S* (\\d+)$`, 'm').exec(text)?.[1]);
};
const textOf = (frames: readonly Frame[]): string => frames.map((frame) => String(frame['token'])).join('');

test(
  verifies('G4:slow-reader', 'a slow reader is told, costs bounded memory and nobody else anything, and begins again with a snapshot'),
  async () => {
    const session = newSession();
    const [slow, quick] = [await join(session), await join(session, 'c2')];
    await edge.runtime.say(session, { type: 'turn_started', turn_id: 't', message_ids: [], model: 'm' });
    slow.socket.pause();
    let most = 0;
    for (let commits = 0; commits < 50; commits += 1) {
      await edge.runtime.say(session, ...Array.from({ length: 5 }, () => token('x'.repeat(50_000))));
      most = Math.max(most, await metric('outbox_bytes'));
    }
    await eventually('the quick reader', () => textOf(quick.ofType('assistant_message')).length === 250 * 50_000);
    expect(quick.ofType('error')).toEqual([]);
    expect(most).toBeLessThan(OUTBOX_BYTES + 1024 * 1024);
    slow.socket.resume();
    expect(await slow.next('error')).toMatchObject({ code: 'SLOW_READER', retryable: true });
    const welcome = await slow.next('welcome');
    expect(welcome).toMatchObject({ recovered: false, seq: expect.any(Number) });
    await edge.runtime.say(session, token('the end'));
    await eventually('the last frame', () => slow.received.at(-1)?.['token'] === 'the end');
    expect(slow.received.at(-1)).toMatchObject({ seq: 252 });
    expect(await metric('resyncs_total')).toBeGreaterThan(0);
  },
);

test(verifies('G3:coalesced', 'text that waits for a slow socket is coalesced, and nothing of it is lost or out of order'), async () => {
  const session = newSession();
  const [slow, quick] = [await join(session), await join(session, 'c2')];
  slow.socket.pause();
  await edge.runtime.say(session, token('x'.repeat(9_900_000))); // more than the buffers of the system take
  const pieces = Array.from({ length: 300 }, (_, index) => `${String(index)},`);
  for (let at = 0; at < pieces.length; at += 30) await edge.runtime.say(session, ...pieces.slice(at, at + 30).map(token));
  // On a busy machine the quick one waits too, and what waits is coalesced.
  await eventually('the quick reader', () => textOf(quick.ofType('assistant_message')).endsWith('299,'));
  slow.socket.resume();
  await eventually('the slow reader', () => textOf(slow.ofType('assistant_message')).endsWith('299,'));
  const frames = slow.ofType('assistant_message');
  expect(textOf(frames.slice(1))).toBe(pieces.join(''));
  expect(frames.length).toBeLessThan(50);
  let seen = 0;
  for (const { seq, prev_seq: prevSeq } of frames) {
    expect(prevSeq ?? Number(seq) - 1).toBe(seen);
    seen = Number(seq);
  }
});

test(verifies('G3:seed-resumes', 'a seed client that was too slow gets the frames that were dropped, numbered without gap'), async () => {
  const session = newSession();
  const seed = await connect(session);
  await seed.settle();
  seed.socket.pause();
  const status = { type: 'turn_started', message_ids: [], model: 'm' }; // none of a seed client's frames
  for (let commits = 0; commits < 40; commits += 1) {
    const pieces = Array.from({ length: 3 }, (_, index) => ({
      ...token('x'.repeat(60_000)),
      message_id: `m${String(commits)}-${String(index)}`,
    }));
    await edge.runtime.say(session, { ...status, turn_id: `t${String(commits)}` }, ...pieces);
  }
  await eventually('the overflow', async () => (await metric('outbox_bytes')) > 0);
  seed.socket.resume();
  await eventually('the last frame', () => seed.ofType('assistant_message').length === 120);
  expect(seed.ofType('error').map(({ code }) => code)).toContain('SLOW_READER');
  let seen = 0;
  for (const { seq, prev_seq: before } of seed.ofType('assistant_message')) {
    expect(before ?? Number(seq) - 1).toBe(seen);
    seen = Number(seq);
  }
});

test(verifies('G4:stalled', 'a socket that takes nothing at all is closed with 4002'), async () => {
  const impatient = await edge.another({ stalledMs: 1_000 });
  const session = newSession();
  const client = await join(session, 'c1', {}, impatient);
  client.socket.pause();
  await edge.runtime.say(session, token('x'.repeat(9_900_000)), token('y'.repeat(9_900_000)));
  await eventually('its end', async () => (await metric('closings_total{reason="SLOW",', impatient)) === 1);
});

test('a client that does not answer pings is closed with 4001', async () => {
  const client = edge.keep(await FrameClient.connect(`${edge.other.ws}/${newSession().sessionId}`, 'alice-token', { autoPong: false }));
  client.send(hello('c1'));
  await client.next('welcome');
  expect((await client.ended).code).toBe(4001);
});

test('a client that answers pings stays', async () => {
  const client = await connect(newSession(), edge.other);
  client.send(hello('c1'));
  let pings = 0;
  client.socket.on('ping', () => (pings += 1));
  await eventually('four pings', () => pings >= 4);
  await client.settle();
});

test(verifies('R4:drain', 'a gateway that stops tells its clients, lets them go one by one with 4000, and takes no new ones'), async () => {
  const own = await edge.another({ drainSpreadMs: 300 });
  const session = newSession();
  const [silent, greeted] = [await connect(session, own), await join(session, 'c1', {}, own)];
  const stopping = own.stop();
  const drain = await greeted.next('drain');
  expect(drain['retry_after_ms']).toBeGreaterThanOrEqual(0);
  expect(drain['retry_after_ms']).toBeLessThanOrEqual(300);
  await expect(connect(session, own)).rejects.toMatchObject({ code: 'ECONNREFUSED' });
  expect((await silent.ended).code).toBe(4000);
  expect((await greeted.ended).code).toBe(4000);
  await stopping;
});

test(verifies('R4:drain', 'an upgrade in the last moment is refused for now, and not for good'), async () => {
  const own = await edge.another({ drainSpreadMs: 20 });
  const { port } = new URL(own.url);
  const late = connectTcp(Number(port), '127.0.0.1');
  const head = `GET /ws/late HTTP/1.1\r\nHost: 127.0.0.1:${port}\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n`;
  late.write(head);
  await eventually('the head is under way', async () => (await fetch(`${own.url}/health`)).ok);
  const stopping = own.stop();
  await eventually('nobody else is listened to', () =>
    fetch(`${own.url}/health`).then(
      () => false,
      () => true,
    ),
  );
  late.end('Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==\r\n\r\n');
  expect(await text(late)).toMatch(/^HTTP\/1\.1 503 [\s\S]*UNAVAILABLE/);
  await stopping;
});

test('a gateway that has stopped leaves nothing open', async () => {
  const leaks = watchLeaks();
  const own = await edge.another({ drainSpreadMs: 20 });
  await join(newSession(), 'c1', {}, own);
  await FrameClient.connect(`${own.ws}/${newSession().sessionId}`);
  await own.stop();
  await eventually('nothing is left', () => leaks().length === 0);
});

test('a long absence of Redis sends the clients elsewhere with 4003', async () => {
  const ownRedis = await edge.anotherRedis();
  const own = await edge.another({ redisUrl: ownRedis.url, storeAwayMs: 200 });
  const client = await join(newSession(), 'c1', {}, own);
  await ownRedis.kill();
  expect(await client.next('error')).toMatchObject({ code: 'UNAVAILABLE' });
  expect((await client.ended).code).toBe(4003);
});

test('a gateway whose Redis is away at the start runs, says what it waits for, and serves when it comes', async () => {
  const ownRedis = await edge.anotherRedis();
  await ownRedis.kill();
  const own = await startGateway(ownRedis.url);
  try {
    const ready = await fetch(`${own.url}/ready`);
    expect([ready.status, await ready.json()]).toEqual([503, { ready: false, waiting_for: ['redis'] }]);
    expect((await fetch(`${own.url}/health`)).status).toBe(200);
    await ownRedis.start();
    await eventually('ready', async () => (await fetch(`${own.url}/ready`)).status === 200);
  } finally {
    await own.stop();
  }
});

test(
  verifies('G4:ready-disputed', 'a gateway whose store is claimed by another life again and again is not ready, and says why'),
  async () => {
    const ownRedis = await edge.anotherRedis();
    const own = await edge.another({ redisUrl: ownRedis.url });
    const refused = await eventually('not ready', async () => {
      await ownRedis.client.hset('cl:{store}', 'run', 'another-server');
      const ready = await fetch(`${own.url}/ready`);
      return ready.status === 503 ? ready.json() : undefined;
    });
    const reason = expect.stringMatching(/disagree on the life of the store/) as unknown;
    expect(refused).toEqual({ ready: false, waiting_for: ['redis'], reasons: { redis: reason } });
  },
);
