import type { RedisCommands } from '../connection/redis-commands.js';

/** What a look needs of Redis: commands, one after another, and its clock. */
export type Looking = Pick<RedisCommands, 'run' | 'runEach' | 'score'>;
