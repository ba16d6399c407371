import { findRow, type Row } from '@codelab/vocabularies';
import { type Turn, type Use, usesOf } from '../turn/turn-state.js';

/** Of the vocabulary: tools from outside wait for nothing here; whoever runs them keeps their order. */
const rowOf = (turn: Turn, { row }: Use): Row | undefined =>
  row === undefined || row.own !== undefined ? undefined : findRow(turn.vocabulary, row.name);

/** What a use is about: files, and directories with what is below them. */
export const filesOf = ({ row }: Use): readonly string[] => row?.files ?? (row?.file === undefined ? [] : [row.file]);

const covers = (outer: string, inner: string): boolean => outer === '.' || outer === inner || inner.startsWith(`${outer}/`);

const meet = (use: Use, other: Use): boolean =>
  filesOf(use).some((one) => filesOf(other).some((another) => covers(one, another) || covers(another, one)));

/**
 * Whether a use waits for one before it in the same answer: both are about one file and one of them changes it, or both take effect. Only
 * edits of different files go on side by side, so that a human sees their questions together, and uses of a row that says so. So edits of
 * one file see one another, a read or a diff sees what stands before it, and so does a command, as whoever wrote the answer expects.
 */
export function isHeld(use: Use, turn: Turn): boolean {
  const row = rowOf(turn, use);
  if (row === undefined) return false;
  const uses = usesOf(turn);
  return uses.slice(0, uses.indexOf(use)).some((earlier) => {
    const other = rowOf(turn, earlier);
    if (other === undefined || earlier.row?.end !== undefined) return false;
    if (meet(use, earlier)) return !(row.readonly && other.readonly);
    if (row.idempotency === 'safe' || other.idempotency === 'safe') return false;
    const sideBySide = (row.composite === true && other.composite === true) || (row === other && row.sideBySide === true);
    return !sideBySide;
  });
}
