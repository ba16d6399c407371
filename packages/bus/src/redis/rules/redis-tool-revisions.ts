import { TOOL_REVISIONS_TTL_MS, type ToolRevisions } from '../../tool-revisions.js';
import type { RedisCommands } from '../connection/redis-commands.js';
import type { Keys } from '../keys/keys.js';

/** Tools in one script: it holds up everybody while it runs. */
const TOGETHER = 500;

/** What servers say of their tools, a hash for each server. */
export function createRedisToolRevisions(commands: RedisCommands, keys: Keys): ToolRevisions {
  return {
    note: async (server, digests) => {
      const since = new Map<string, number>();
      const all = [...digests];
      for (let at = 0; at < all.length; at += TOGETHER) {
        const some = all.slice(at, at + TOGETHER);
        const [times] = await commands.run('note-tool-revisions', [
          ['noteToolRevisions', keys.toolsOfServer(server), TOOL_REVISIONS_TTL_MS, ...some.flat()],
        ]);
        for (const [place, time] of (times as string[]).entries()) since.set(some[place]![0], Number(time));
      }
      return since;
    },
  };
}
