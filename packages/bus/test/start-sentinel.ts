import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Redis } from 'ioredis';
import { eventually } from '@codelab/testkit';
import { freePort } from './free-port.js';

/** A master, its replica, and a sentinel that makes the replica master when the master is gone. */
export interface SentinelSystem {
  readonly url: string;
  /** Waits until the replica has everything, and the master and the sentinel know it. */
  settled(): Promise<void>;
  killMaster(): Promise<void>;
  killReplica(): Promise<void>;
  /** Says a word to the sentinel itself. */
  tell(...words: string[]): Promise<unknown>;
  close(): Promise<void>;
}

const NEVER_MS = 3_600_000;

const offsetOf = async (server: Redis, name: string): Promise<number> =>
  Number(new RegExp(`^${name}:(\\d+)`, 'm').exec(await server.info('replication'))?.[1]);

/** Sentinels name servers by address and port, so these three listen on loopback, on ports that were free a moment ago. */
export async function startSentinel(): Promise<SentinelSystem> {
  const directory = await mkdtemp(join(tmpdir(), 'codelab-sentinel-'));
  const [master, replica, sentinel] = [await freePort(), await freePort(), await freePort()];
  const children: ChildProcess[] = [];
  const clients: Redis[] = [];
  const start = async (port: number, args: readonly string[]): Promise<Redis> => {
    children.push(spawn('redis-server', [...args, '--port', String(port), '--dir', directory], { stdio: 'ignore' }));
    const client = new Redis({
      port,
      retryStrategy: () => 50,
      maxRetriesPerRequest: null,
      disconnectTimeout: 100,
      enableReadyCheck: false,
    });
    client.on('error', () => undefined);
    clients.push(client);
    await client.ping();
    return client;
  };
  const kept = (name: string): string[] => ['--appendonly', 'yes', '--appendfsync', 'always', '--appenddirname', name, '--save', ''];
  const first = await start(master, kept('first'));
  const second = await start(replica, [...kept('second'), '--replicaof', `127.0.0.1 ${String(master)}`]);
  // No failover before a test asks for it: a master that is only slow is not down.
  const settings = [`sentinel monitor main 127.0.0.1 ${String(master)} 1`, `sentinel down-after-milliseconds main ${String(NEVER_MS)}`];
  await writeFile(join(directory, 'sentinel.conf'), [...settings, 'sentinel failover-timeout main 2000', ''].join('\n'));
  const watcher = await start(sentinel, [join(directory, 'sentinel.conf'), '--sentinel']);
  const kill = async (place: number): Promise<void> => {
    await watcher.call('SENTINEL', 'SET', 'main', 'down-after-milliseconds', '300');
    const child = children[place]!;
    child.kill('SIGKILL');
    if (child.exitCode === null && child.signalCode === null) await once(child, 'exit');
  };
  return {
    url: `redis+sentinel://127.0.0.1:${String(sentinel)}/main`,
    settled: async () => {
      await eventually('the replica follows', async () => (await second.info('replication')).includes('master_link_status:up'));
      await eventually('the master counts it', async () => (await first.info('replication')).includes('state=online'));
      await eventually('the sentinel knows it', async () =>
        String(await watcher.call('SENTINEL', 'REPLICAS', 'main')).includes(String(replica)),
      );
      const written = await offsetOf(first, 'master_repl_offset');
      await eventually('the replica has everything', async () => (await offsetOf(second, 'slave_repl_offset')) >= written);
    },
    killMaster: () => kill(0),
    killReplica: () => kill(1),
    tell: (...words) => watcher.call('SENTINEL', ...words),
    close: async () => {
      for (const client of clients) client.disconnect();
      for (const child of children) {
        child.kill('SIGKILL');
        if (child.exitCode === null && child.signalCode === null) await once(child, 'exit');
      }
      await rm(directory, { recursive: true, force: true });
    },
  };
}
