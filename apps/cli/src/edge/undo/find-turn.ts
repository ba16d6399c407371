import type { Undo } from '@codelab/workspace';
import { undoableTurns } from '../../core/undo/render-undo.js';

/** Turns that are looked at; older ones are named. */
const MAX_TURNS = 20;

/** The turn that is undone if none is named: the last one that still has an effect on files, else the last one. */
export async function findTurn(undo: Pick<Undo, 'list' | 'plan'>): Promise<string | undefined> {
  const turns = undoableTurns(await undo.list()).slice(0, MAX_TURNS);
  for (const { turnId } of turns) {
    const { steps } = await undo.plan(turnId);
    if (steps.some(({ state }) => state !== 'done')) return turnId;
  }
  return turns[0]?.turnId;
}
