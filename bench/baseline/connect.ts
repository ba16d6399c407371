import { Redis } from 'ioredis';
import { SCRIPTS } from './scripts.js';

type Script = keyof typeof SCRIPTS;

/** A connection with the baseline's scripts on it. */
export type BaselineRedis = Redis & Record<Script, (keys: number, ...args: string[]) => Promise<number>>;

/** Connects to the Redis of the run. */
export function connect(): BaselineRedis {
  const redis = new Redis(process.env['REDIS_URL'] ?? '', { maxRetriesPerRequest: null });
  for (const [name, lua] of Object.entries(SCRIPTS)) redis.defineCommand(name, { lua });
  return redis as BaselineRedis;
}

/** A key of a session. */
export const key = (sid: string, name: string): string => `f:{${sid}}:${name}`;

/** Tells the parent that this process is ready, and where. */
export const ready = (port?: number): void => {
  process.send?.({ type: 'ready', port });
  process.on('disconnect', () => process.exit(0));
};
