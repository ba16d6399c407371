import type { ServerTool, ServerTools } from '../server-tools.js';
import type { Keys } from './keys.js';
import type { RedisCommands } from './connection/redis-commands.js';

const KEPT = { 1: 'new', 2: 'replaced', [-2]: 'full' } as const;

/** The tools by URL, in Redis. */
export function createRedisServerTools(commands: RedisCommands, keys: Keys): ServerTools {
  return {
    keep: async (owner, tool) => {
      const [code] = await commands.run('keep-server-tool', [['keepServerTool', keys.toolsOf(owner), tool.name, JSON.stringify(tool)]]);
      return KEPT[code as keyof typeof KEPT];
    },
    drop: async (owner, name) => (await commands.run('drop-server-tool', [['hdel', keys.toolsOf(owner), name]]))[0] === 1,
    list: async (owner) => {
      const [texts] = await commands.run('list-server-tools', [['hvals', keys.toolsOf(owner)]]);
      const tools = (texts as string[]).map((text) => JSON.parse(text) as ServerTool);
      return tools.sort((one, other) => (one.name < other.name ? -1 : 1));
    },
  };
}
