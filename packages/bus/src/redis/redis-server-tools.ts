import type { ServerTool, ServerTools } from '../server-tools.js';
import type { Owner, SessionRef } from '../session-ref.js';
import type { Keys } from './keys/keys.js';
import { SESSION_TTL_MS } from './limits.js';
import type { Command, RedisCommands } from './connection/redis-commands.js';

const KEPT = { 1: 'new', 2: 'replaced', [-2]: 'full' } as const;

/** The tools that people registered, in Redis. Those of a session live as long as it is used. */
export function createRedisServerTools(commands: RedisCommands, keys: Keys): ServerTools {
  const keyOf = (owner: Owner, session: SessionRef | undefined): string =>
    session === undefined ? keys.toolsOf(owner) : keys.session(session.sid).tools;
  const lastFor = (session: SessionRef | undefined): Command[] =>
    session === undefined ? [] : [['pexpire', keys.session(session.sid).tools, SESSION_TTL_MS]];
  const listOf = async (owner: Owner, session?: SessionRef): Promise<readonly ServerTool[]> => {
    const [texts] = await commands.run('list-server-tools', [['hvals', keyOf(owner, session)], ...lastFor(session)]);
    return (texts as string[]).map((text) => JSON.parse(text) as ServerTool);
  };
  return {
    keep: async (owner, tool, session) => {
      const keep: Command = ['keepServerTool', keyOf(owner, session), tool.name, JSON.stringify(tool)];
      const [code] = await commands.run('keep-server-tool', [keep, ...lastFor(session)]);
      return KEPT[code as keyof typeof KEPT];
    },
    drop: async (owner, name, session) => (await commands.run('drop-server-tool', [['hdel', keyOf(owner, session), name]]))[0] === 1,
    list: async (owner, session) => {
      const [all, own] = await Promise.all([listOf(owner), session === undefined ? [] : listOf(owner, session)]);
      const tools = new Map([...all, ...own].map((tool) => [tool.name, tool]));
      return [...tools.values()].sort((one, other) => (one.name < other.name ? -1 : 1));
    },
  };
}
