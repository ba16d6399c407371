import { hash, randomBytes } from 'node:crypto';
import { PUBLISHED_TOOLS_TTL_MS, type PublishedTool, type PublishedTools } from '../published-tools.js';
import type { Command, RedisCommands } from './connection/redis-commands.js';
import type { Keys } from './keys/keys.js';

/** Runtimes whose word is read, and different lists among theirs: more than one only while a release or a change goes round. */
const MAX_PUBLISHERS = 1_000;
const MAX_LISTS = 16;

/**
 * Lists by the hash of their text, so that replicas with the same tools share one, and who says which: one entry for each process, with the
 * time until which its word counts, by Redis' clock. A reader fetches only lists that it doesn't have yet.
 */
export function createRedisPublishedTools(commands: RedisCommands, keys: Keys): PublishedTools {
  const publisher = randomBytes(8).toString('hex');
  let said: string | undefined;
  let known: ReadonlyMap<string, readonly PublishedTool[]> = new Map();
  const sayOf = (entry: string): Command[] => [
    ['zadd', keys.publishedTools, Math.ceil(commands.score()) + PUBLISHED_TOOLS_TTL_MS, entry],
    ['pexpire', keys.publishedTools, PUBLISHED_TOOLS_TTL_MS],
  ];
  const digestsNow = async (): Promise<readonly string[]> => {
    const now = Math.floor(commands.score());
    const [, entries] = await commands.run('read-published-tools', [
      ['zremrangebyscore', keys.publishedTools, '-inf', now],
      ['zrangebyscore', keys.publishedTools, `(${String(now)}`, '+inf', 'LIMIT', 0, MAX_PUBLISHERS],
    ]);
    const digests = new Set((entries as string[]).map((entry) => entry.slice(0, entry.indexOf(' '))));
    return [...digests].sort().slice(0, MAX_LISTS);
  };
  const fetch = async (digests: readonly string[]): Promise<readonly (readonly [string, readonly PublishedTool[]])[]> => {
    if (digests.length === 0) return [];
    const texts = await commands.run(
      'fetch-published-tools',
      digests.map((digest) => ['get', keys.publishedList(digest)]),
    );
    return digests.flatMap((digest, place) => {
      const text = texts[place];
      return typeof text === 'string' ? [[digest, JSON.parse(text) as PublishedTool[]] as const] : [];
    });
  };
  return {
    publish: async (tools) => {
      const text = JSON.stringify(tools);
      const digest = hash('sha256', text).slice(0, 32);
      const list = keys.publishedList(digest);
      const entry = `${digest} ${publisher}`;
      const before = said;
      said = entry;
      if (before === entry) {
        const [isThere] = await commands.run('repeat-published-tools', [['pexpire', list, PUBLISHED_TOOLS_TTL_MS], ...sayOf(entry)]);
        if (isThere === 1) return;
      }
      const drop: Command[] = before === undefined || before === entry ? [] : [['zrem', keys.publishedTools, before]];
      await commands.run('publish-tools', [['set', list, text, 'PX', PUBLISHED_TOOLS_TTL_MS], ...sayOf(entry), ...drop]);
    },
    withdraw: async () => {
      if (said !== undefined) await commands.run('withdraw-published-tools', [['zrem', keys.publishedTools, said]]);
      said = undefined;
    },
    read: async () => {
      const digests = await digestsNow();
      const before = known;
      const fetched = new Map(await fetch(digests.filter((digest) => !before.has(digest))));
      known = new Map(
        digests.flatMap((digest) => {
          const tools = before.get(digest) ?? fetched.get(digest);
          return tools === undefined ? [] : [[digest, tools] as const];
        }),
      );
      if (known.size === 1) return [...known.values()][0]!;
      return [...new Map([...known.values()].flat().map((tool) => [JSON.stringify(tool), tool])).values()];
    },
  };
}
