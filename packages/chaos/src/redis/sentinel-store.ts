import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import type { Recorder } from '../recording/recorder.js';
import { freePort } from './free-port.js';
import { RedisServer } from './redis-server.js';
import type { ChaosStore } from './store.js';

const NAME = 'codelab';
/** How long the first synchronisation may take. */
const SYNC_MS = 10_000;
/**
 * A machine that is late by less than the first is no reason for a failover, and one that is late by less than the second doesn't have one
 * called off that has happened. A master that a fault takes away stays away for longer than the first.
 */
const [DOWN_AFTER_MS, FAILOVER_MS] = [1_500, 6_000];

/** A master with a replica, watched by one sentinel whose word is enough. */
export async function startSentinelStore(folder: string, recorder: () => Pick<Recorder, 'record'>): Promise<ChaosStore> {
  const [portA, portB, portS] = [await freePort(), await freePort(), await freePort()];
  const settings = ['--appendonly', 'yes', '--appendfsync', 'always', '--repl-diskless-sync', 'yes', '--repl-diskless-sync-delay', '0'];
  // Whom a server follows is in its file, where the sentinel changes it: one that was made a master comes back as one.
  const inFile = (name: string, ...lines: readonly string[]): { readonly folder: string; readonly configFile: string } => {
    const own = join(folder, name);
    const configFile = join(own, 'redis.conf');
    mkdirSync(own, { recursive: true });
    writeFileSync(configFile, lines.map((line) => `${line}\n`).join(''));
    return { folder: own, configFile };
  };
  const a = new RedisServer({ name: 'redis-a', ...inFile('a'), port: portA, settings }, recorder);
  const b = new RedisServer({ name: 'redis-b', ...inFile('b', `replicaof 127.0.0.1 ${String(portA)}`), port: portB, settings }, recorder);
  const watching = inFile(
    's',
    `sentinel monitor ${NAME} 127.0.0.1 ${String(portA)} 1`,
    `sentinel down-after-milliseconds ${NAME} ${String(DOWN_AFTER_MS)}`,
    `sentinel failover-timeout ${NAME} ${String(FAILOVER_MS)}`,
  );
  await a.process.start();
  await b.process.start();
  await untilSynced(b);
  const sentinel = new RedisServer({ name: 'sentinel', kind: 'sentinel', ...watching, port: portS }, recorder);
  await sentinel.process.start();
  await untilSentinelKnows(sentinel);
  return {
    kind: 'sentinel',
    servers: [a, b, sentinel],
    urlFor: () => `redis+sentinel://127.0.0.1:${String(portS)}/${NAME}`,
    linkOf: () => undefined,
    masters: async () => {
      const [, port] = (await sentinel.ask('SENTINEL', 'GET-MASTER-ADDR-BY-NAME', NAME)) as [string, string];
      return [Number(port) === portA ? a : b];
    },
    close: async () => {
      for (const server of [sentinel, a, b]) await server.close();
    },
  };
}

async function untilSynced(replica: RedisServer): Promise<void> {
  for (const deadline = performance.now() + SYNC_MS; performance.now() < deadline; await delay(20)) {
    if (String(await replica.ask('INFO', 'replication')).includes('master_link_status:up')) return;
  }
  throw new Error('The replica did not follow its master.');
}

async function untilSentinelKnows(sentinel: RedisServer): Promise<void> {
  for (const deadline = performance.now() + SYNC_MS; performance.now() < deadline; await delay(50)) {
    if (String(await sentinel.ask('INFO', 'sentinel')).includes('slaves=1')) return;
  }
  throw new Error('The sentinel did not find the replica.');
}
