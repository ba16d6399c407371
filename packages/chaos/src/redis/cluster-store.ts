import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import type { Recorder } from '../recording/recorder.js';
import { freePort } from './free-port.js';
import { RedisServer } from './redis-server.js';
import type { ChaosStore } from './store.js';

const FORM_MS = 15_000;

/** Two masters with half of the slots each, and a replica of the first. */
export async function startClusterStore(folder: string, recorder: () => Pick<Recorder, 'record'>): Promise<ChaosStore> {
  const make = async (name: string): Promise<RedisServer> => {
    const settings = [
      '--appendonly',
      'yes',
      '--appendfsync',
      'always',
      '--cluster-enabled',
      'yes',
      '--cluster-config-file',
      'nodes.conf',
      '--cluster-node-timeout',
      '1500',
    ];
    const busPort = ['--cluster-port', String(await freePort())];
    const diskless = ['--repl-diskless-sync', 'yes', '--repl-diskless-sync-delay', '0', '--cluster-replica-validity-factor', '0'];
    return new RedisServer(
      { name, folder: join(folder, name), port: await freePort(), settings: [...settings, ...busPort, ...diskless] },
      recorder,
    );
  };
  const [first, second, replica] = [await make('redis-1'), await make('redis-2'), await make('redis-3')];
  const servers = [first, second, replica];
  for (const server of servers) await server.process.start();
  await first.ask('CLUSTER', 'ADDSLOTSRANGE', 0, 8191);
  await second.ask('CLUSTER', 'ADDSLOTSRANGE', 8192, 16383);
  await first.ask('CLUSTER', 'SET-CONFIG-EPOCH', 1);
  await second.ask('CLUSTER', 'SET-CONFIG-EPOCH', 2);
  await replica.ask('CLUSTER', 'SET-CONFIG-EPOCH', 3);
  for (const other of [second, replica]) {
    const busPort = other.options.settings?.[other.options.settings.indexOf('--cluster-port') + 1] ?? '';
    await first.ask('CLUSTER', 'MEET', '127.0.0.1', other.options.port ?? 0, busPort);
  }
  const id = String(await first.ask('CLUSTER', 'MYID'));
  await until('the cluster', async () => (await knows(servers, 3)) && (await isOk(servers)));
  await until('the replica', () =>
    replica.ask('CLUSTER', 'REPLICATE', id).then(
      () => true,
      () => false,
    ),
  );
  await until('the replica has followed', async () => String(await replica.ask('INFO', 'replication')).includes('master_link_status:up'));
  const seeds = servers.map(({ options: { port } }) => `127.0.0.1:${String(port)}`).join(',');
  return {
    kind: 'cluster',
    servers,
    urlFor: () => `redis+cluster://${seeds}`,
    linkOf: () => undefined,
    masters: async () => {
      const roles = await Promise.all(
        servers.map(async (server) => ((await server.ask('ROLE').catch(() => [''])) as [string])[0] === 'master'),
      );
      return servers.filter((_, index) => roles[index]);
    },
    close: async () => {
      for (const server of servers) await server.close();
    },
  };
}

const knows = async (servers: readonly RedisServer[], count: number): Promise<boolean> =>
  (
    await Promise.all(
      servers.map(async (server) => String(await server.ask('CLUSTER', 'INFO')).includes(`cluster_known_nodes:${String(count)}`)),
    )
  ).every(Boolean);

export const isOk = async (servers: readonly RedisServer[]): Promise<boolean> =>
  (await Promise.all(servers.map(async (server) => String(await server.ask('CLUSTER', 'INFO')).includes('cluster_state:ok')))).every(
    Boolean,
  );

async function until(what: string, check: () => Promise<boolean>): Promise<void> {
  for (const deadline = performance.now() + FORM_MS; performance.now() < deadline; await delay(50)) if (await check()) return;
  throw new Error(`${what} did not come together within ${String(FORM_MS)} ms.`);
}
