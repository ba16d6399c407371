import type { CallBackup } from '../backups/backups.js';

/** A call as a turn lists it. */
interface UndoCall {
  readonly callId: string;
  readonly toolName: string;
  readonly atMs: number;
}

/** One turn whose effects on files are kept, or one undoing of a turn, which can be undone too. */
export interface UndoTurn {
  /** What `plan` and `restore` take. Calls without a turn stand for themselves, by their `call_id`. */
  readonly turnId: string;
  /** When its first call began, Unix time. */
  readonly atMs: number;
  readonly calls: readonly UndoCall[];
  /** The turn that this undoes. */
  readonly undoes?: string;
  /** It was undone, and that was not undone in turn. */
  readonly isUndone: boolean;
  /** What it did and can't be undone: sentences for people. */
  readonly uncovered: readonly string[];
}

/** The kept calls of one turn, oldest first. */
export interface TurnCalls {
  readonly turn: UndoTurn;
  readonly calls: readonly CallBackup[];
}

/** How the manifests of an undoing name it. */
export const UNDO_TOOL = 'undo';

/** What the `call_id` of an undoing says of the turn. */
export const toUndoCallId = (turnId: string): string => `undo:${turnId}`;

const undoneBy = ({ tool_name: toolName, call_id: callId }: CallBackup): string | undefined =>
  toolName === UNDO_TOOL ? callId.slice(toUndoCallId('').length) : undefined;

/**
 * The calls whose effect a turn has now: its own, or those of the redoing that brought it back, whose old content is the one that is kept.
 *
 * @param turns newest first
 */
export function findEffective(turn: TurnCalls, turns: readonly TurnCalls[]): TurnCalls {
  const undoing = turns.find((other) => other.turn.undoes === turn.turn.turnId);
  const redoing = undoing && turns.find((other) => other.turn.undoes === undoing.turn.turnId);
  return redoing === undefined ? turn : findEffective(redoing, turns);
}

/** Groups calls, oldest first, into turns, newest first. */
export function groupTurns(calls: readonly CallBackup[]): readonly TurnCalls[] {
  const groups = new Map<string, CallBackup[]>();
  for (const call of calls) {
    const turnId = call.turn_id ?? call.call_id;
    groups.set(turnId, [...(groups.get(turnId) ?? []), call]);
  }
  const newestFirst = [...groups].sort(([, one], [, other]) => other.at(-1)!.at_ms - one.at(-1)!.at_ms); // no group is empty
  const undone = new Set<string>();
  return newestFirst.map(([turnId, calls]) => {
    const undoes = undoneBy(calls[0]!);
    const isUndone = undone.has(turnId);
    if (undoes !== undefined && !isUndone) undone.add(undoes);
    const turn: UndoTurn = {
      turnId,
      atMs: calls[0]!.at_ms,
      calls: calls.map(({ call_id: callId, tool_name: toolName, at_ms: atMs }) => ({ callId, toolName, atMs })),
      undoes,
      isUndone,
      uncovered: [...new Set(calls.flatMap(({ uncovered = [] }) => uncovered))],
    };
    return { turn, calls };
  });
}
