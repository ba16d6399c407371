import { Cluster, Redis, type RedisOptions } from 'ioredis';
import { orderly } from './orderly-cluster.js';
import { reconnectDelay } from './reconnect-delay.js';
import { toRedisPlace } from './redis-url.js';

/** A connection to one server, or those to the nodes of a cluster. */
export type RedisLink = Redis | Cluster;

/** What a connection is for, and how it differs from the others. */
export interface LinkOptions extends Pick<RedisOptions, 'commandTimeout' | 'socketTimeout' | 'blockingTimeout' | 'blockingTimeoutGrace'> {
  /** Shows in `CLIENT LIST`. */
  readonly purpose: 'commands' | 'subscriber' | 'models' | 'wakes' | 'janitor';
  /** BullMQ demands that its commands wait; ours are refused while Redis is away. */
  readonly waits?: boolean;
}

/** How often a Redis that loads its data is asked whether it is done. By itself a connection waits for as long as Redis guesses, and a second at least. */
const LOADING_MS = 100;

/** How long a sentinel has for an answer. By itself a connection waits for good for one that takes connections and says nothing, and never asks the next. */
const SENTINEL_ANSWERS_MS = 2_000;

/** How often it is looked which node has which slots. */
const SLOTS_MS = 5_000;

/** A connection that comes back for ever. */
export function openRedis(url: string, { purpose, waits = false, ...timeouts }: LinkOptions): RedisLink {
  const place = toRedisPlace(url);
  const common = {
    ...timeouts,
    maxRetriesPerRequest: waits ? null : 0,
    autoResendUnfulfilledCommands: waits,
    autoResubscribe: false, // the subscriber does it itself, and says when
    disconnectTimeout: 100,
    maxLoadingRetryTime: LOADING_MS,
    connectionName: `codelab-${purpose}`,
    // A master that became a replica: connect again, the address may lead to the new one.
    reconnectOnError: (error: Error) => error.message.startsWith('READONLY'),
  };
  if (place.kind === 'server') {
    const retries = { retryStrategy: reconnectDelay, sentinelRetryStrategy: reconnectDelay, sentinelCommandTimeout: SENTINEL_ANSWERS_MS };
    return new Redis({ ...common, ...retries, ...place.options, enableOfflineQueue: waits });
  }
  const cluster = new Cluster(place.nodes, {
    enableOfflineQueue: waits,
    clusterRetryStrategy: reconnectDelay,
    // Each connection looks its own name up. By itself a cluster looks all of them up before it connects to any: one that nobody knows would keep it
    // from the others for good, and a connection that ends meanwhile has it stop. And a certificate is for a name, not for its address.
    dnsLookup: (host, callback) => callback(null, host),
    shardedSubscribers: purpose === 'subscriber',
    // After a failover ioredis asks one node where the slots are, which may not know yet, and by itself never again.
    slotsRefreshInterval: SLOTS_MS,
    redisOptions: { ...common, ...place.options },
  });
  return orderly(cluster);
}
