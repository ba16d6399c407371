import { once } from 'node:events';
import { connect, createServer, type AddressInfo, type Socket } from 'node:net';
import { expect, onTestFinished, test } from 'vitest';
import { eventually, startRedis, verifies } from '@codelab/testkit';
import { useGateways } from './__fixtures__/use-gateways.js';

const edge = useGateways(startRedis);
const { newSession, join } = edge;

/** A line to Redis that ends, and stays away, when a command has been done and before it is answered. */
const openLine = async (url: string) => {
  const sockets = new Set<Socket>();
  let lost: string | undefined;
  let isAway = false;
  const cut = (): void => {
    isAway = true;
    for (const socket of sockets) socket.destroy();
  };
  const server = createServer((client) => {
    if (isAway) return void client.destroy();
    const redis = connect(url.replace(/^unix:/, ''));
    let isLosing = false;
    for (const socket of [client, redis]) sockets.add(socket.on('error', () => undefined));
    client.on('data', (data) => {
      isLosing ||= lost !== undefined && data.includes(lost);
      redis.write(data);
    });
    redis.on('data', (data) => (isLosing ? cut() : client.write(data)));
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    url: `redis://127.0.0.1:${String((server.address() as AddressInfo).port)}`,
    loseAnswerTo: (text: string) => (lost = text),
    comeBack: () => {
      lost = undefined;
      isAway = false;
    },
    close: () => {
      cut();
      server.close();
    },
  };
};

test(
  verifies('R2:give-in-doubt', 'a call that is noted as given and was never written ends when another client becomes the executor'),
  async () => {
    const line = await openLine(edge.redis.url);
    onTestFinished(line.close);
    const gateway = await edge.another({ redisUrl: line.url });
    const session = newSession();
    const old = await join(session, 'c1', {}, gateway);
    await join(session, 'c2');
    line.loseAnswerTo('call_1\r\n$1\r\n1\r\n$2\r\nc1\r\n');
    await edge.runtime.call(session, {
      callId: 'call_1',
      tool: 'write_file',
      args: '{"path":"a.txt","content":"x"}',
      idempotency: 'unsafe',
    });
    const record = async () => (await edge.bus.store.readCalls(session.sid)).find(({ callId }) => callId === 'call_1');
    await eventually('it is noted', async () => (await record())?.givenTo === 'c1');
    await edge.bus.store.moveExecutor(session, 'c2');
    line.comeBack();
    await eventually('it has an answer', async () => (await record())?.state === 'answered');
    expect((await record())?.result).toContain('CANCELLED');
    const types = old.received.map(({ type }) => type);
    expect(types.indexOf('executor_changed')).toBeGreaterThan(0);
    expect(types.slice(0, types.indexOf('executor_changed'))).not.toContain('tool_call');
  },
);
