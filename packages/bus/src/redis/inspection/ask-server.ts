import { Redis, type RedisOptions } from 'ioredis';

/** How to reach a server, and for how long to try. */
export interface ServerAddress extends Pick<RedisOptions, 'path' | 'host' | 'port' | 'username' | 'password' | 'tls'> {
  readonly withinMs: number;
}

/** How a server is named to people. */
export const nameOf = ({ path, host = '127.0.0.1', port = 6379 }: Pick<RedisOptions, 'path' | 'host' | 'port'>): string =>
  path ?? (host.includes(':') ? `[${host}]:${port}` : `${host}:${port}`);

/**
 * Asks one server over a connection of its own, which is tried once: whatever happens to the others, each is heard. Rejects with what is wrong
 * with the connection.
 */
export async function askServer<T>({ withinMs, ...options }: ServerAddress, ask: (redis: Redis) => Promise<T>): Promise<T> {
  const redis = new Redis({
    ...options,
    ...{ connectTimeout: withinMs, commandTimeout: withinMs, disconnectTimeout: 100, connectionName: 'codelab-inspection' },
    lazyConnect: true,
    enableReadyCheck: false, // one that loads its data, or is a sentinel, answers these questions, too
    maxRetriesPerRequest: 0,
    retryStrategy: () => null,
  });
  let trouble: string | undefined;
  redis.on('error', ({ message }: Error) => (trouble = message));
  try {
    await redis.connect();
    return await ask(redis);
  } catch (cause) {
    throw new Error(trouble ?? (cause as Error).message, { cause });
  } finally {
    redis.disconnect();
  }
}
