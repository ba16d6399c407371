/** What a shell gets from `codelab exec`. */
export const EXEC_EXIT = { completed: 0, failed: 1, usage: 2, cancelled: 3, refused: 4 } as const;

/** The exit code of a turn. That somebody should have approved and nobody was there counts more than how the turn then ended. */
export function exitCodeOf(status: 'completed' | 'failed' | 'cancelled', lackedHuman: boolean): number {
  if (status === 'cancelled') return EXEC_EXIT.cancelled;
  return lackedHuman ? EXEC_EXIT.refused : EXEC_EXIT[status];
}
