import type { RedisServer } from './redis-server.js';
import type { Link } from '../system/link.js';

export type StoreKind = 'single' | 'sentinel' | 'cluster';

/** The Redis of a run: one server, a master with a replica under a sentinel, or a cluster. */
export interface ChaosStore {
  readonly kind: StoreKind;
  /** All of them, sentinels too. */
  readonly servers: readonly RedisServer[];
  /** `REDIS_URL` of a service. */
  urlFor(service: string): string;
  /** The line of a service to Redis; only a single server has one. */
  linkOf(service: string): Link | undefined;
  /** Who takes writes now. */
  masters(): Promise<readonly RedisServer[]>;
  close(): Promise<void>;
}
