import { HANDOVER_TTL_MS, MAX_HANDOVER_BYTES, type Handovers } from '../handovers.js';
import type { Owner } from '../session-ref.js';
import type { Keys } from './keys/keys.js';
import type { Command, RedisCommands } from './connection/redis-commands.js';

/** Stands before the name of the call under which the rounds are; no JSON text begins with it. */
const SEE = '>';

/** What was handed over, in Redis: the rounds once, under the first call; the other calls name that one. */
export function createRedisHandovers(commands: RedisCommands, keys: Keys): Handovers {
  const read = async (owner: Owner, names: readonly string[]): Promise<ReadonlyMap<string, string>> => {
    if (names.length === 0) return new Map();
    const gets = names.map((name): Command => ['getex', keys.handover(owner, name), 'PX', HANDOVER_TTL_MS]);
    const texts = await commands.run('find-handovers', gets);
    return new Map(names.flatMap((name, place) => (typeof texts[place] === 'string' ? [[name, texts[place]]] : [])));
  };
  return {
    keep: async (owner, callIds, rounds) => {
      const [first, ...others] = callIds;
      if (first === undefined || Buffer.byteLength(rounds) > MAX_HANDOVER_BYTES) return false;
      const set = (name: string, text: string): Command => ['set', keys.handover(owner, name), text, 'PX', HANDOVER_TTL_MS];
      await commands.run('keep-handover', [set(first, rounds), ...others.map((name) => set(name, SEE + first))]);
      return true;
    },
    find: async (owner, callIds) => {
      const texts = await read(owner, [...new Set(callIds)]);
      const elsewhere = [...texts.values()].filter((text) => text.startsWith(SEE)).map((text) => text.slice(SEE.length));
      const rounds = await read(owner, [...new Set(elsewhere)]);
      const found = [...texts].map(([name, text]) => [name, text.startsWith(SEE) ? rounds.get(text.slice(SEE.length)) : text] as const);
      return new Map(found.flatMap(([name, text]) => (text === undefined ? [] : [[name, text]])));
    },
  };
}
