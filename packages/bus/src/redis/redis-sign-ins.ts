import type { SignIns } from '../sign-ins.js';
import type { RedisCommands } from './connection/redis-commands.js';
import type { Keys } from './keys/keys.js';

/** Sign-ins in Redis, a string each. */
export function createRedisSignIns(commands: RedisCommands, keys: Keys): SignIns {
  const textOf = ([reply]: readonly unknown[]): string | undefined => (typeof reply === 'string' ? reply : undefined);
  return {
    keep: async (name, sealed, ttlMs) => void (await commands.run('keep-sign-in', [['set', keys.signIn(name), sealed, 'PX', ttlMs]])),
    read: async (name) => textOf(await commands.run('read-sign-in', [['get', keys.signIn(name)]])),
    take: async (name) => textOf(await commands.run('take-sign-in', [['getdel', keys.signIn(name)]])),
  };
}
