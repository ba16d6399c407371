import type { Executor } from '../executor.js';
import { ToolFailure } from '../../tool-failure.js';

const DEFAULT_LIMIT = 15;

/** Finds places of the code by what they are about (docs/specification/tools.md#capabilities). */
export const indexSearch: Executor<'index.search'> = {
  async run({ query, limit = DEFAULT_LIMIT }, { index, signal }) {
    if (index === undefined) throw new ToolFailure('TOOL_NOT_FOUND', 'This workspace has no index of its code.');
    const { hits, note } = await index.search(query, limit, signal);
    return { hits: [...hits], note };
  },
};
