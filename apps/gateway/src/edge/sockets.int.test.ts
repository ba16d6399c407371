import { connect, type Socket } from 'node:net';
import { once } from 'node:events';
import { expect, test, vi } from 'vitest';
import { eventually, startRedis, verifies } from '@codelab/testkit';
import { FrameClient, hello } from './__fixtures__/frame-client.js';
import type { TestGateway } from './__fixtures__/start-gateway.js';
import { useGateways } from './__fixtures__/use-gateways.js';

const edge = useGateways(startRedis, { gateway: { maxUnauthenticatedPerAddress: 2 } });

const connectTo = async (gateway: TestGateway, token?: string, headers: Record<string, string> = {}): Promise<FrameClient> =>
  edge.keep(await FrameClient.connect(`${gateway.ws}/s1`, token, { headers }));
const statusOf = (attempt: Promise<unknown>): Promise<number> =>
  attempt.then(
    () => 101,
    (error: { status: number }) => error.status,
  );

async function openHalf({ port }: TestGateway): Promise<Socket> {
  const socket = connect(port, '127.0.0.1').on('error', () => undefined);
  await once(socket, 'connect');
  socket.resume().write('GET /ws/s1 HTTP/1.1\r\nHost: localhost\r\nUpgrade: websocket\r\n');
  return socket;
}

test(
  verifies('G1:half-sent', 'half-sent upgrades are bounded together with sockets before auth, and starve nobody who has a token'),
  async () => {
    const { gateway } = edge;
    await connectTo(gateway);
    const halves = await Promise.all(Array.from({ length: 10 }, () => openHalf(gateway)));
    await eventually('one to be left', () => halves.filter(({ closed }) => !closed).length === 1);
    expect(await statusOf(connectTo(gateway))).toBe(429);
    const clients = await Promise.all(Array.from({ length: 30 }, () => connectTo(gateway, 'alice-token')));
    clients[0]!.send(hello('c1'));
    await clients[0]!.next('welcome');
    expect((await edge.ask('GET', '/sessions')).status).toBe(200);
    await eventually('only the waiting to be counted', () => gateway.context.sockets.size === 2);
    for (const half of halves) half.destroy();
    await eventually('a place', () => connectTo(gateway).catch(() => undefined));
  },
);

test('a client that authenticates by a frame gives its place back', async () => {
  const gateway = await edge.another({ maxUnauthenticatedPerAddress: 1 });
  for (let times = 0; times < 3; times += 1) {
    const client = await connectTo(gateway);
    client.send({ type: 'auth', token: 'alice-token' });
    client.send(hello(`c${String(times)}`));
    await client.next('welcome');
  }
  expect(gateway.context.sockets.size).toBe(0);
});

test(
  verifies('G1:peers', 'behind a trusted proxy each client has places of its own; without trust the header counts for nothing'),
  async () => {
    const trusting = await edge.another({ maxUnauthenticatedPerAddress: 1, trustedProxies: ['127.0.0.1'] });
    const from = (address: string, gateway = trusting) => statusOf(connectTo(gateway, undefined, { 'x-forwarded-for': address }));
    expect([await from('203.0.113.7'), await from('203.0.113.7'), await from('203.0.113.8')]).toEqual([101, 429, 101]);
    expect([await from('2001:db8::1'), await from('2001:db8::2')]).toEqual([101, 429]);
    const strict = await edge.another({ maxUnauthenticatedPerAddress: 1 });
    expect([await from('203.0.113.7', strict), await from('203.0.113.8', strict)]).toEqual([101, 429]);
  },
);

test(
  verifies(
    'R4:time-set',
    'a machine whose time was an hour ahead for a moment pings its clients on, and counts no mistake of theirs as more',
  ),
  async () => {
    const gateway = await edge.another({ pingIntervalMs: 1000 }); // a busy machine hears a pong late
    const client = await edge.join(undefined, 'c1', {}, gateway);
    const next = (): Promise<string> =>
      Promise.race([once(client.socket, 'ping').then(() => 'ping'), client.ended.then(({ reason }) => reason)]);
    const mistake = async (): Promise<void> => {
      client.send('{}');
      await client.next('error');
    };
    const real = Date.now;
    const time = vi.spyOn(Date, 'now').mockImplementation(() => real() + 3_600_000);
    try {
      await mistake();
      expect(await next()).toBe('ping');
    } finally {
      time.mockRestore();
    }
    await mistake();
    expect(await next()).toBe('ping');
  },
);
