import type { UndoTurn } from '@codelab/workspace';

/** The turn that is undone if none is named: the last one that still has its effect. Undoings are not undone by themselves. */
export const chooseTurn = (turns: readonly UndoTurn[]): UndoTurn | undefined =>
  turns.find(({ undoes, isUndone }) => undoes === undefined && !isUndone);
