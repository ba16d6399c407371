import { LIMITS, type UndoneFiles } from '@codelab/protocol';
import type { CallBackup } from '../backups/backups.js';
import { UNDO_TOOL } from './undo-turn.js';

/** Bytes of the paths of one undoing: all of them are a small part of what facts may have. */
const MAX_PATHS_BYTES = 2048;

/**
 * What was undone, as far as facts tell of it, the latest last.
 *
 * @param calls oldest first
 */
export function recentUndoings(calls: readonly CallBackup[]): readonly UndoneFiles[] {
  const undoings = new Map<string, Set<string>>();
  for (const call of calls) {
    if (call.tool_name !== UNDO_TOOL || call.turn_id === null) continue;
    const paths = undoings.get(call.turn_id) ?? new Set();
    for (const path of pathsOf(call)) paths.add(path);
    undoings.set(call.turn_id, paths);
  }
  return [...undoings].slice(-LIMITS.MAX_UNDOINGS).map(([undoId, paths]) => toFacts(undoId, [...paths]));
}

const pathsOf = ({ files, moves = [], trashed = [], restored = [] }: CallBackup): readonly string[] => [
  ...[...files, ...trashed, ...restored].map(({ path }) => path),
  ...moves.flatMap(({ from, to }) => [from, to]),
];

const toFacts = (undo_id: string, all: readonly string[]): UndoneFiles => {
  const paths: string[] = [];
  let bytes = 0;
  for (const path of all) {
    bytes += Buffer.byteLength(path);
    if (bytes > MAX_PATHS_BYTES || paths.length === LIMITS.MAX_UNDONE_PATHS) break;
    paths.push(path);
  }
  const more = all.length - paths.length;
  return { undo_id, paths, more: more > 0 ? more : undefined };
};
