import type { ServerTool, ServerToolSource } from './server-tool.js';

type Tools = readonly ServerTool[];

export const NO_TOOLS: Tools = [];

/** What two lists come to, by the lists: as long as both live. */
const JOINED = new WeakMap<Tools, WeakMap<Tools, Tools>>();

/** Of two tools with one name the first counts. The same two lists are the same one joined. */
const join = (one: Tools, other: Tools): Tools => {
  if (other.length === 0) return one;
  if (one.length === 0) return other;
  const known = JOINED.get(one) ?? new WeakMap<Tools, Tools>();
  JOINED.set(one, known);
  const taken = new Set(one.map(({ definition }) => definition.name));
  const joined = known.get(other) ?? [...one, ...other.filter(({ definition }) => !taken.has(definition.name))];
  known.set(other, joined);
  return joined;
};

/**
 * Several sources as one; of two tools with one name that of the earlier source counts. A source that throws has none for now, and costs the
 * others nothing.
 * @param onFault told what a source threw
 */
export const joinSources = (sources: readonly ServerToolSource[], onFault: (error: unknown) => void): ServerToolSource => ({
  list: async (session) => {
    const lists = await Promise.all(
      sources.map(async (source) => {
        try {
          return await source.list(session);
        } catch (error) {
          onFault(error);
          return NO_TOOLS;
        }
      }),
    );
    return lists.reduce(join, NO_TOOLS);
  },
});
