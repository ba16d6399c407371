import type { RedisServer } from './redis-server.js';
import type { ChaosStore } from './store.js';

type Role = readonly [role: 'master'] | readonly [role: 'slave', host: string, port: number, link: string];

/** What the servers of a store say about who writes. */
export interface Agreement {
  /** All are up, who is named writes, and the others follow. */
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
  return {
    isWhole: masters.length > 0 && roles.every((role, place) => (isNamed(place) ? role?.[0] === 'master' : role?.[3] === 'connected')),
    hasStray: roles.some((role, place) => role?.[0] === 'master' && !isNamed(place)),
  };
}
