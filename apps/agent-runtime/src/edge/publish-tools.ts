import { PUBLISHED_TOOLS_PAUSE_MS, type PublishedTool, type PublishedTools } from '@codelab/bus';
import { type PublishedSource, withinBounds } from '../core/server-tools/published.js';
import type { EventLog } from '../core/session/runtime-ports.js';

/** How often it is looked whether something changed, and tried again where Redis was away. */
const LOOK_MS = 1_000;

/**
 * Tells the proxies which tools this process runs: now, within a second of a change, and every few seconds, because its word ends by itself.
 * Returns how to stop, which takes the word back.
 */
export function publishTools(port: PublishedTools, sources: readonly PublishedSource[], log: EventLog): () => Promise<void> {
  let timer: NodeJS.Timeout | undefined;
  let isOver = false;
  let said: { readonly lists: readonly (readonly PublishedTool[])[]; readonly atMs: number } | undefined;
  const look = async (): Promise<void> => {
    const lists = sources.map((source) => source.published());
    const isSame = said?.lists.every((list, place) => list === lists[place]) === true;
    if (said !== undefined && isSame && performance.now() - said.atMs < PUBLISHED_TOOLS_PAUSE_MS) return;
    const all = lists.flat();
    const tools = withinBounds(all);
    if (!isSame && tools.length < all.length) log.warn({ event: 'tools.not_published', tools: all.length - tools.length });
    await port.publish(tools);
    said = { lists, atMs: performance.now() };
  };
  const go = async (): Promise<void> => {
    await look().catch(() => (said = undefined)); // Redis is away: what is said ends by itself, and is said again
    if (!isOver) timer = setTimeout(() => void (running = go()), LOOK_MS).unref();
  };
  let running = go();
  return async () => {
    isOver = true;
    clearTimeout(timer);
    await running;
    await port.withdraw().catch(() => undefined); // it ends by itself
  };
}
