import type { JsonObject } from '@codelab/tools';
import { type SessionState, usesOf } from '../turn/turn-state.js';
import { rowOfUse } from './row-of-use.js';

/**
 * Loads what the rows of open uses need in memory, before a step lets them compute. A use that the step itself opens makes its first call
 * only, for which nothing is needed.
 */
export async function prepareUses({ turn }: SessionState): Promise<void> {
  if (turn === undefined) return;
  for (const { row } of usesOf(turn)) {
    if (row === undefined || row.end !== undefined) continue;
    await rowOfUse(turn, row)?.prepare?.(JSON.parse(row.args) as JsonObject);
  }
}
