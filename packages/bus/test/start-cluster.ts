import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Redis } from 'ioredis';
import { eventually } from '@codelab/testkit';
import { freePort } from './free-port.js';

/** Masters that share the slots. */
export interface TestCluster {
  readonly url: string;
  /** A client of each node. */
  readonly nodes: readonly Redis[];
  /** Stops a node in order and starts it again, with what it held. */
  restart(node: number): Promise<void>;
  /** SIGKILL: nobody serves its slots from then on. */
  kill(node: number): Promise<void>;
  /** SIGSTOP: connections to it are taken, and nothing is answered. */
  freeze(node: number): void;
  /** SIGCONT: it answers what it was asked meanwhile. */
  thaw(node: number): void;
  close(): Promise<void>;
}

const NODES = 3;
const SLOTS = 16_384;

/** Three real masters on loopback, without replicas. They keep what they hold when they stop in order. */
export async function startCluster(): Promise<TestCluster> {
  const directory = await mkdtemp(join(tmpdir(), 'codelab-cluster-'));
  const children: ChildProcess[] = [];
  const ports: number[] = [];
  const start = async (node: number): Promise<void> => {
    const [port = 0, bus = 0] = ports.slice(2 * node);
    const settings = [
      '--port',
      String(port),
      '--cluster-port',
      String(bus),
      '--dir',
      directory,
      '--save',
      '3600 1',
      '--dbfilename',
      `${String(node)}.rdb`,
    ];
    const cluster = ['--cluster-enabled', 'yes', '--cluster-config-file', `${String(node)}.conf`, '--cluster-node-timeout', '1000'];
    children[node] = spawn('redis-server', [...settings, ...cluster], { stdio: 'ignore' });
  };
  const nodes: Redis[] = [];
  for (let node = 0; node < NODES; node += 1) {
    ports.push(await freePort(), await freePort());
    await start(node);
    const client = new Redis({ port: ports[2 * node] ?? 0, retryStrategy: () => 50, maxRetriesPerRequest: null, disconnectTimeout: 100 });
    client.on('error', () => undefined);
    nodes.push(client);
    const first = Math.floor((node * SLOTS) / NODES);
    await client.call('CLUSTER', 'ADDSLOTSRANGE', String(first), String(Math.floor(((node + 1) * SLOTS) / NODES) - 1));
    if (node > 0) await client.call('CLUSTER', 'MEET', '127.0.0.1', String(ports[0]), String(ports[1]));
  }
  const agreed = async (): Promise<boolean> => {
    const infos = await Promise.all(nodes.map(async (client) => String(await client.call('CLUSTER', 'INFO'))));
    return infos.every((info) => info.includes('cluster_state:ok') && info.includes(`cluster_known_nodes:${String(NODES)}`));
  };
  await eventually('the nodes agree', agreed);
  const stop = async (child: ChildProcess | undefined, signal: NodeJS.Signals): Promise<void> => {
    child?.kill(signal);
    if (child !== undefined && child.exitCode === null && child.signalCode === null) await once(child, 'exit');
  };
  return {
    url: `redis+cluster://${[0, 1].map((node) => `127.0.0.1:${String(ports[2 * node])}`).join(',')}`,
    nodes,
    restart: async (node) => {
      await stop(children[node], 'SIGTERM');
      await start(node);
      await eventually('the nodes agree', agreed);
    },
    kill: (node) => stop(children[node], 'SIGKILL'),
    freeze: (node) => void children[node]?.kill('SIGSTOP'),
    thaw: (node) => void children[node]?.kill('SIGCONT'),
    close: async () => {
      for (const client of nodes) client.disconnect();
      await Promise.all(children.map((child) => stop(child, 'SIGKILL')));
      await rm(directory, { recursive: true, force: true });
    },
  };
}
