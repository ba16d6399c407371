import { findRow, type Row } from '@codelab/vocabularies';
import { findTool } from '@codelab/tools';
import { callsOf, type Turn, type Use, usesOf } from '../turn/turn-state.js';

const rowOf = (turn: Turn, { row }: Use): Row | undefined => row && findRow(turn.vocabulary, row.name);

/**
 * Whether a use waits for one before it in the same answer: both are about one file and one of them changes it, or it takes effect and the
 * other is an edit that has only read so far. So edits of one file see one another, and a command sees the edits that stand before it.
 */
export function isHeld(use: Use, turn: Turn): boolean {
  const row = rowOf(turn, use);
  if (row === undefined) return false;
  const uses = usesOf(turn);
  return uses.slice(0, uses.indexOf(use)).some((earlier) => {
    const other = rowOf(turn, earlier);
    if (other === undefined || earlier.row?.end !== undefined) return false;
    const sameFile = use.row?.file !== undefined && earlier.row?.file === use.row.file;
    if (sameFile && !(row.readonly && other.readonly)) return true;
    return row.idempotency === 'unsafe' && other.composite === true && !hasTakenEffect(earlier, turn);
  });
}

/** Its last call is the one that changes something, so it is out. */
const hasTakenEffect = ({ callIds }: Use, turn: Turn): boolean => {
  const last = callsOf(turn).find(({ callId }) => callId === callIds.at(-1));
  return last !== undefined && findTool(last.toolName)?.idempotency !== 'safe';
};
