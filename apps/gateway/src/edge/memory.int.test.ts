import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { expect, test } from 'vitest';
import { eventually, startRedis, verifies } from '@codelab/testkit';
import type { GatewayPorts } from '../core/gateway-ports.js';
import { FrameClient, hello } from './__fixtures__/frame-client.js';
import { useGateways } from './__fixtures__/use-gateways.js';
import { GATEWAY_PORTS } from './tokens.js';

const edge = useGateways(startRedis);
const MEGABYTE = 1024 * 1024;
const CLIENTS = 64;

setFlagsFromString('--expose-gc');
const collect = runInNewContext('gc') as () => void;

/** Megabytes of JavaScript values that something still holds. */
async function heldMegabytes(): Promise<number> {
  for (let rounds = 0; rounds < 3; rounds += 1) {
    collect();
    await new Promise(setImmediate);
  }
  return process.memoryUsage().heapUsed / MEGABYTE;
}

const toolsOf = (characters: number, mark: string) => [
  'run_command',
  { name: 'mine', description: mark + 'x'.repeat(characters), input_schema: { type: 'object' } },
];

/** Connects, says hello and more, and leaves, each client in a session of its own. */
async function visit(clients: number, say: (client: FrameClient, mark: string) => Promise<void>): Promise<void> {
  for (let at = 0; at < clients; at += 1) {
    const { sessionId } = edge.newSession();
    const client = await FrameClient.connect(`${edge.gateway.ws}/${sessionId}`, 'alice-token');
    await say(client, sessionId);
    await client.close();
  }
}

/** What a gateway holds more after clients came and went. */
async function growth(say: (client: FrameClient, mark: string) => Promise<void>): Promise<number> {
  await visit(4, say); // what is made once
  const before = await heldMegabytes();
  await visit(CLIENTS, say);
  await eventually('the gateway to let go', async () => ports().stats.rooms === 0 && ports().sharedTools.size === 0);
  return (await heldMegabytes()) - before;
}

const ports = (): GatewayPorts => edge.gateway.app.get<GatewayPorts>(GATEWAY_PORTS);

test(verifies('G4:memory-returns', 'what a client sent is gone from the memory of a gateway when the client is: tools'), async () => {
  const grown = await growth(async (client, mark) => {
    client.send(hello('c1', { tools: toolsOf(250_000, mark) })); // 16 MB of all clients
    await client.next('welcome');
  });
  expect(grown).toBeLessThan(4);
});

test(verifies('G4:memory-returns', 'what a client sent is gone from the memory of a gateway when the client is: output'), async () => {
  const grown = await growth(async (client, mark) => {
    client.send(hello('c1', { tools: ['run_command'] }));
    await client.next('welcome');
    client.send({
      type: 'tool_output',
      call_id: `call-${mark}`,
      stream: 'stdout',
      offset: 0,
      data: `${'words '.repeat(80_000)}and-no-end`,
    });
    await client.settle(); // 30 MB of all clients
    expect(ports().masks.size).toBeGreaterThan(0);
  });
  expect([grown < 4, ports().masks.size]).toEqual([true, 0]);
});

test('the rest that is kept back of an output is not the whole of it', async () => {
  const before = await heldMegabytes();
  const client = await edge.join(edge.newSession(), 'c1', { tools: ['run_command'] });
  for (let call = 0; call < 32; call += 1) {
    client.send({
      type: 'tool_output',
      call_id: `c${String(call)}`,
      stream: 'stdout',
      offset: 0,
      data: `${'words '.repeat(160_000)}and-no-end`,
    });
    await client.settle(); // 30 MB of all calls
  }
  expect(ports().masks.size).toBe(32);
  expect((await heldMegabytes()) - before).toBeLessThan(4);
});

test(
  verifies('G4:tools-bytes', 'tools over the limit are refused with the limit, the connection lives, and welcome names the limit'),
  async () => {
    const session = edge.newSession();
    const client = await edge.connect(session);
    client.send(hello('c1', { tools: toolsOf(300_000, '') }));
    const limit = 256 * 1024;
    const message = expect.stringContaining(String(limit)) as unknown;
    expect(await client.next('error')).toMatchObject({ code: 'INVALID_FIELD', message });
    client.send(hello('c1', { tools: toolsOf(limit - 200, '') }));
    expect(await client.next('welcome')).toMatchObject({ limits: { max_tools_bytes: limit } });
  },
);
