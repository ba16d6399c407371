import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync } from 'node:fs';
import { createServer, type AddressInfo } from 'node:net';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { connectRedis } from '@codelab/testkit';
import type { Redis } from 'ioredis';

export type StoreKind = 'single' | 'cluster';

/** The Redis of a run: one server, or a Cluster of three masters. Every write is on disk before it is answered. */
export interface Store {
  readonly kind: StoreKind;
  /** `REDIS_URL` of the services. */
  readonly url: string;
  /** A client of each server. */
  readonly nodes: readonly Redis[];
  close(): Promise<void>;
}

const MASTERS = 3;
const SLOTS = 16_384;
const START_MS = 15_000;

const freePort = async (): Promise<number> => {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  await new Promise((resolve) => server.close(resolve));
  return port;
};

const until = async (what: string, holds: () => Promise<boolean>): Promise<void> => {
  for (const deadline = performance.now() + START_MS; !(await holds().catch(() => false)); await pause(20)) {
    if (performance.now() > deadline) throw new Error(`${what}: not within ${String(START_MS / 1_000)} s`);
  }
};

/** Starts it in a folder, which is made. `redis-server` must be in the `PATH`. */
export async function startStore(kind: StoreKind, folder: string): Promise<Store> {
  const children: ChildProcess[] = [];
  const nodes: Redis[] = [];
  const start = async (name: string, more: readonly string[]): Promise<Redis> => {
    const directory = join(folder, name);
    mkdirSync(directory, { recursive: true });
    const socket = join(directory, 'redis.sock');
    const kept = ['--appendonly', 'yes', '--appendfsync', 'always', '--save', '', '--maxmemory-policy', 'noeviction'];
    const place = ['--bind', '127.0.0.1', '--unixsocket', socket, '--dir', directory, '--loglevel', 'warning', '--maxclients', '10000'];
    children.push(spawn('redis-server', [...place, ...kept, ...more], { stdio: 'ignore' }));
    const client = connectRedis(`unix:${socket}`);
    nodes.push(client);
    await until(`redis-server ${name}`, async () => client.status === 'ready' && (await client.ping()) === 'PONG');
    return client;
  };
  const close = async (): Promise<void> => {
    for (const client of nodes) client.disconnect();
    for (const child of children) {
      const exited = child.exitCode === null && child.signalCode === null ? once(child, 'exit') : undefined;
      child.kill('SIGKILL');
      await exited;
    }
  };
  try {
    if (kind === 'single') {
      await start('redis', ['--port', '0']);
      return { kind, url: `unix:${join(folder, 'redis', 'redis.sock')}`, nodes, close };
    }
    const ports = [];
    for (let node = 0; node < MASTERS; node += 1) {
      const [port, bus] = [await freePort(), await freePort()];
      ports.push({ port, bus });
      const cluster = ['--cluster-enabled', 'yes', '--cluster-config-file', 'nodes.conf', '--cluster-port', String(bus)];
      const client = await start(`redis-${String(node + 1)}`, ['--port', String(port), ...cluster]);
      const [first, next] = [node, node + 1].map((place) => Math.floor((place * SLOTS) / MASTERS));
      await client.call('CLUSTER', 'ADDSLOTSRANGE', String(first), String(next! - 1));
      await client.call('CLUSTER', 'SET-CONFIG-EPOCH', String(node + 1));
      if (node > 0) await client.call('CLUSTER', 'MEET', '127.0.0.1', String(ports[0]!.port), String(ports[0]!.bus));
    }
    await until('the nodes of the cluster agree', async () => {
      const infos = await Promise.all(nodes.map(async (node) => String(await node.call('CLUSTER', 'INFO'))));
      return infos.every((info) => info.includes('cluster_state:ok') && info.includes(`cluster_known_nodes:${String(MASTERS)}`));
    });
    return { kind, url: `redis+cluster://${ports.map(({ port }) => `127.0.0.1:${String(port)}`).join(',')}`, nodes, close };
  } catch (error) {
    await close();
    throw error;
  }
}
