import { readdir, readFile, readlink } from 'node:fs/promises';
import { setTimeout as delay } from 'node:timers/promises';
import type { RedisServer } from '../redis/redis-server.js';
import type { ChaosSystem } from '../system/chaos-system.js';

const PAGE_BYTES = 4096;
const QUEUES = [
  'cl:{due:*}',
  'cl:{models:*}',
  'cl:{held}',
  'cl:{wake*}:session-wake:wait',
  'cl:{wake*}:session-wake:active',
  'cl:{wake*}:session-wake:delayed',
];

const SESSION_KEYS = `cl:{${'?'.repeat(26)}}:*`;

/** Sockets that a service may have more than before: connections that callers keep open for a while. */
const KEPT_SOCKETS = 10;

/** Entries that a queue may have more than before. */
const KEPT_ENTRIES = 2;

/**
 * How long they may be kept, in milliseconds: sockets five seconds, as Node's servers do; a wake whose marker a failover lost is found when a
 * worker looks by itself, or by the next sweep.
 */
const KEPT_MS = 15_000;

/** What is held for a while after its use. */
export interface Held {
  /** By service. */
  readonly sockets: ReadonlyMap<string, number>;
  /** By key. */
  readonly queues: Readonly<Record<string, number>>;
  /** Keys of sessions. */
  readonly sessionKeys: number;
}

/** Counts it. */
export async function countHeld(system: ChaosSystem): Promise<Held> {
  const sockets = await Promise.all(system.services.map(async ({ name, process }) => [name, await socketsOf(process.pid)] as const));
  const masters = await system.store.masters();
  const queues = await Promise.all(masters.map(countQueues));
  const sessionKeys = sum((await Promise.all(masters.map(sessionKeysOf))).map(({ length }) => length));
  return { sockets: new Map(sockets), queues: Object.assign({}, ...queues) as Record<string, number>, sessionKeys };
}

/** Waits until it is let go; no longer than it may be held. */
export async function untilLetGo(system: ChaosSystem, before: Held): Promise<void> {
  for (const since = performance.now(); performance.now() - since < KEPT_MS; await delay(200)) {
    const now = await countHeld(system).catch(() => undefined);
    if (now === undefined) continue; // a server is away
    const areClosed = [...now.sockets].every(([name, count]) => count <= (before.sockets.get(name) ?? count) + KEPT_SOCKETS);
    const areEmpty = Object.entries(now.queues).every(([key, count]) => count <= (before.queues[key] ?? 0) + KEPT_ENTRIES);
    if (areClosed && areEmpty && now.sessionKeys <= before.sessionKeys) return;
  }
}

/** Records what there is: keys and bytes of Redis, memory and sockets of each process, what waits in queues. Memory and sockets only on Linux. */
export async function takeCensus(system: ChaosSystem): Promise<void> {
  const masters = await system.store.masters();
  const stores = await Promise.all(masters.map(countStore));
  const processes = system.services.map(({ name, process }) => ({ name, pid: process.pid }));
  const counted = await Promise.all(
    processes.map(async ({ name, pid }) => ({ name, rss: await memoryOf(pid), sockets: await socketsOf(pid) })),
  );
  system.record({
    kind: 'census',
    keys: sum(stores.map(({ keys }) => keys)),
    sessionKeys: stores.flatMap(({ sessionKeys }) => sessionKeys),
    bytes: sum(stores.map(({ bytes }) => bytes)),
    rss: Object.fromEntries(counted.map(({ name, rss }) => [name, rss])),
    sockets: Object.fromEntries(counted.map(({ name, sockets }) => [name, sockets])),
    queues: Object.assign({}, ...stores.map(({ queues }) => queues)) as Record<string, number>,
  });
}

const sum = (numbers: readonly number[]): number => numbers.reduce((all, each) => all + each, 0);

async function countStore(server: RedisServer) {
  const keys = Number(await server.ask('DBSIZE'));
  const bytes = Number(/^used_memory_dataset:(\d+)/m.exec(String(await server.ask('INFO', 'memory')))?.[1] ?? 0);
  return { keys, bytes, sessionKeys: await sessionKeysOf(server), queues: await countQueues(server) };
}

/** Keys that belong to one session: its name is their hash tag. */
const sessionKeysOf = async (server: RedisServer): Promise<readonly string[]> => (await server.ask('KEYS', SESSION_KEYS)) as string[];

async function countQueues(server: RedisServer): Promise<Readonly<Record<string, number>>> {
  const queues: Record<string, number> = {};
  for (const key of await namesOf(server)) {
    const type = String(await server.ask('TYPE', key));
    if (type === 'zset') queues[key] = Number(await server.ask('ZCARD', key));
    if (type === 'list') queues[key] = Number(await server.ask('LLEN', key));
    if (type === 'stream') queues[key] = Number(await server.ask('XLEN', key));
  }
  return queues;
}

/** What waits for somebody, whatever session it belongs to. */
async function namesOf(server: RedisServer): Promise<readonly string[]> {
  const found = await Promise.all(QUEUES.map((pattern) => server.ask('KEYS', pattern)));
  return [...new Set((found as string[][]).flat())];
}

async function memoryOf(pid: number): Promise<number> {
  const text = await readFile(`/proc/${String(pid)}/statm`, 'utf8').catch(() => '');
  return Number(text.split(' ')[1] ?? 0) * PAGE_BYTES;
}

async function socketsOf(pid: number): Promise<number> {
  const folder = `/proc/${String(pid)}/fd`;
  const names = await readdir(folder).catch(() => []);
  const links = await Promise.all(names.map((name) => readlink(`${folder}/${name}`).catch(() => '')));
  return links.filter((link) => link.startsWith('socket:')).length;
}
