import { setTimeout as delay } from 'node:timers/promises';
import type { RedisServer } from '../redis/redis-server.js';
import { FREEZE, pick, thawing, type Done, type Fault, type FaultScene } from './fault.js';

const master = async ({ system }: FaultScene, target = 0): Promise<RedisServer | undefined> =>
  pick(await system.store.masters().catch(() => []), target);

/** A restart of a single server with an action between its end and its start. */
const restarted =
  (signal: 'SIGKILL' | 'SIGTERM', between?: (scene: FaultScene, server: RedisServer, amount: number) => void): Fault['begin'] =>
  async (scene, { amount }) => {
    const server = await master(scene);
    if (server === undefined) return undefined;
    await server.process.end(signal);
    between?.(scene, server, amount);
    return { target: server.options.name, heal: () => server.process.start() };
  };

const single = { stores: ['single'] } as const satisfies Partial<Fault>;

/** Longer than a service may take to notice that the store refuses writes, with time to be asked. */
const NOTICED_MS = 11_000;

/** Longer than services take to note how writes are brought to the disk: they look every 2 s, and a crash before that counts as a loss. */
const NOTED_MS = 2_500;

/** A server that is frozen or down takes what it is told as soon as it can, and then what takes it back. */
const ITS_TURN_COMES = (): void => undefined;

async function syncAlwaysAgain(server: RedisServer): Promise<void> {
  await insist(() => server.sync('always'));
  await delay(NOTED_MS);
}

/** Until it takes it: it may be frozen or down at that moment. */
async function insist(act: () => Promise<unknown>): Promise<void> {
  for (let tries = 0; tries < 20; tries += 1) {
    const isDone = await act().then(
      () => true,
      () => false,
    );
    if (isDone) return;
    await delay(100);
  }
}

/** A disk that has no room from now on; the server that ends of it is started again when there is some. */
async function fillDisk(server: RedisServer, room: number): Promise<Done> {
  await server.limitFiles(server.aofBytes() + room);
  return {
    target: server.options.name,
    heal: async () => {
      await server.limitFiles(undefined);
      await server.process.start();
    },
  };
}

/** What happens to Redis. */
export const STORE_FAULTS: readonly Fault[] = [
  { ...single, name: 'kill-redis', weight: 4, ms: [0, 1_500], begin: restarted('SIGKILL') },
  // So long that whoever waits for it must have said so.
  { ...single, name: 'outage', weight: 3, ms: [9_500, 10_500], begin: restarted('SIGKILL') },
  { ...single, name: 'stop-redis', weight: 1, ms: [0, 1_000], begin: restarted('SIGTERM') },
  {
    ...single,
    name: 'truncate-aof',
    weight: 2,
    ms: [0, 500],
    amount: [1, 4_000],
    begin: restarted('SIGKILL', (scene, server, bytes) => {
      server.truncateAof(bytes);
      scene.storeLost('the end of the append-only file is gone', 0);
    }),
  },
  {
    name: 'flush-store',
    weight: 2,
    ms: [0, 0],
    begin: async (scene) => {
      const servers = await scene.system.store.masters().catch(() => []);
      scene.storeLost('FLUSHALL', 0);
      await Promise.all(servers.map((server) => server.ask('FLUSHALL').catch(() => undefined)));
      return { target: servers.map(({ options }) => options.name).join(', ') };
    },
  },
  {
    ...single,
    name: 'relax-fsync',
    weight: 1,
    ms: [500, 3_000],
    amount: [0, 1],
    begin: async (scene, { amount }) => {
      const server = await master(scene);
      if (server === undefined) return undefined;
      const how = amount === 0 ? 'everysec' : 'no';
      await server.sync(how).catch(ITS_TURN_COMES);
      return { target: server.options.name, detail: `appendfsync ${how}`, heal: () => syncAlwaysAgain(server) };
    },
  },
  {
    name: 'fill-memory',
    weight: 2,
    ms: [100, 2_500],
    // One in six lasts so long that whoever asks must be told.
    amount: [1, 6],
    begin: async (scene, { target, amount, forMs }) => {
      const server = await master(scene, target);
      await server?.limitMemory(1).catch(ITS_TURN_COMES);
      const leftMs = amount === 6 ? NOTICED_MS - forMs : 0;
      const heal = async (): Promise<void> => {
        await delay(leftMs);
        await insist(async () => server?.limitMemory(undefined));
      };
      return server && { target: server.options.name, detail: `${String(forMs + leftMs)} ms`, heal };
    },
  },
  {
    ...single,
    name: 'fill-disk',
    weight: 2,
    ms: [200, 2_000],
    amount: [0, 3_000],
    begin: async (scene, { amount }) => {
      const server = await master(scene);
      return server && fillDisk(server, amount);
    },
  },
  {
    ...single,
    name: 'fill-disk-everysec',
    weight: 1,
    ms: [1_200, 3_000],
    amount: [0, 3_000],
    /** The server lives on and refuses writes until there is room. */
    begin: async (scene, { amount }) => {
      const server = await master(scene);
      if (server === undefined) return undefined;
      await server.sync('everysec');
      const { target, heal } = await fillDisk(server, amount);
      return {
        target,
        heal: async () => {
          await heal?.();
          await syncAlwaysAgain(server);
        },
      };
    },
  },
  {
    name: 'sleep-redis',
    weight: 2,
    ms: [0, 0],
    amount: [1, 25],
    begin: async (scene, { target, amount }) => {
      const server = await master(scene, target);
      if (server === undefined) return undefined;
      const seconds = amount / 10;
      void server.ask('DEBUG', 'SLEEP', String(seconds)).catch(() => undefined);
      return { target: server.options.name, detail: `${String(seconds)} s`, heal: () => delay(seconds * 1_000) };
    },
  },
  {
    name: 'freeze-redis',
    weight: 2,
    ms: [100, 2_500],
    amount: FREEZE,
    begin: async (scene, how) => {
      const server = await master(scene, how.target);
      server?.process.freeze();
      return server && thawing(server.options.name, how, () => server.process.thaw());
    },
  },
  {
    name: 'flush-scripts',
    weight: 1,
    ms: [0, 0],
    begin: async ({ system }) => {
      await Promise.all(system.store.servers.map((server) => server.ask('SCRIPT', 'FLUSH').catch(() => undefined)));
      return { target: 'redis' };
    },
  },
  {
    name: 'drop-subscribers',
    weight: 2,
    ms: [0, 0],
    begin: async (scene, { target }) => {
      const server = await master(scene, target);
      await server?.dropSubscribers();
      return server && { target: server.options.name };
    },
  },
];
