import { setTimeout as delay } from 'node:timers/promises';
import { isOk } from './cluster-store.js';
import type { RedisServer } from './redis-server.js';
import type { ChaosStore } from './store.js';

/**
 * How long the servers of a store may take to agree on who writes, and how often that is looked at. Sentinel lets a master that came back
 * be one for 8 s, on a late machine more, before it makes a replica of it.
 */
const [WHOLE_MS, LOOK_MS] = [30_000, 100];

type Role = readonly [role: 'master'] | readonly [role: 'slave', host: string, port: number, link: string];

/** What the servers of a store say about who writes. */
export interface Agreement {
  /** All are up, who is named writes, the others follow, and a cluster calls itself ok. */
  readonly isWhole: boolean;
  /** One calls itself a master and is not named as one: who is still connected to it writes into nothing. */
  readonly hasStray: boolean;
}

/** Asks them. A master that was dead comes back as one, and a sentinel takes some 10 s to make a replica of it. */
export async function findAgreement(store: ChaosStore): Promise<Agreement> {
  if (store.kind === 'single') return { isWhole: true, hasStray: false };
  const masters: readonly RedisServer[] = await store.masters().catch(() => []);
  const servers = store.servers.filter(({ options }) => options.kind !== 'sentinel');
  const roles = await Promise.all(servers.map(async (server) => (await server.ask('ROLE').catch(() => undefined)) as Role | undefined));
  const isNamed = (place: number): boolean => masters.includes(servers[place]!);
  const areAsNamed = roles.every((role, place) => (isNamed(place) ? role?.[0] === 'master' : role?.[3] === 'connected'));
  return {
    isWhole: masters.length > 0 && areAsNamed && (store.kind !== 'cluster' || (await isOk(servers).catch(() => false))),
    hasStray: roles.some((role, place) => role?.[0] === 'master' && !isNamed(place)),
  };
}

/** Waits until the servers of a store have found together again by themselves, as they do; false where they did not in time. */
export async function untilWhole(store: ChaosStore, signal?: AbortSignal): Promise<boolean> {
  for (const deadline = performance.now() + WHOLE_MS; signal?.aborted !== true && performance.now() < deadline; await delay(LOOK_MS)) {
    if ((await findAgreement(store)).isWhole) return true;
  }
  return false;
}
