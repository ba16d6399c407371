import type { Owner, PublishedTool, PublishedTools } from '@codelab/bus';
import { isFor } from '@codelab/config-file';
import { type ToolInfo, toolOfRuntime } from './tool-info.js';

/** How old what is shown may be, in milliseconds. */
const MAX_AGE_MS = 1_000;

/** The tools that the runtimes publish, for each owner those that they may see (S1). */
export interface RuntimeTools {
  /** Each name once, in the order of the names. Throws `BusError` when Redis is away. */
  list(owner: Owner): Promise<readonly ToolInfo[]>;
}

interface Read {
  readonly tools: Promise<readonly PublishedTool[]>;
  readonly atMs: number;
}

/**
 * Reads what the runtimes publish, at most once a second whoever asks.
 * @param now milliseconds of a clock that never goes back
 */
export function createRuntimeTools(port: Pick<PublishedTools, 'read'>, now: () => number): RuntimeTools {
  let last: Read | undefined;
  const read = (): Promise<readonly PublishedTool[]> => {
    if (last !== undefined && now() - last.atMs < MAX_AGE_MS) return last.tools;
    const mine: Read = { tools: port.read(), atMs: now() };
    last = mine;
    mine.tools.catch(() => (last === mine ? (last = undefined) : undefined)); // what failed is not remembered
    return mine.tools;
  };
  return {
    list: async (owner) => {
      const tools = new Map<string, PublishedTool>();
      for (const tool of await read()) if (isFor(tool, owner) && !tools.has(tool.name)) tools.set(tool.name, tool);
      return [...tools.values()].sort((one, other) => (one.name < other.name ? -1 : 1)).map(toolOfRuntime);
    },
  };
}
