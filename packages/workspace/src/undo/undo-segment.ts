import type { NameEffects } from '../backups/name-effects.js';
import type { CallBackup } from '../backups/backups.js';
import { netEffects, type NetEffect } from './net-effects.js';

/** A part of a turn that is undone at once: what calls did to files, or what one call did to names. */
export type UndoSegment =
  | { readonly kind: 'files'; readonly effects: readonly NetEffect[] }
  | { readonly kind: 'names'; readonly effects: NameEffects };

const changesNames = ({ moves, trashed, restored, created_directories: made, removed_directories: gone }: CallBackup): boolean =>
  [moves, trashed, restored, made, gone].some((names) => names !== undefined && names.length > 0);

/** The parts of a turn in the order in which they are undone: the last one first. */
export function toSegments(calls: readonly CallBackup[]): readonly UndoSegment[] {
  const segments: UndoSegment[] = [];
  let together: CallBackup[] = [];
  const close = (): void => {
    const effects = netEffects(together);
    if (effects.length > 0) segments.unshift({ kind: 'files', effects });
    together = [];
  };
  for (const call of calls) {
    together.push(call);
    if (!changesNames(call)) continue;
    close();
    segments.unshift({ kind: 'names', effects: call });
  }
  close();
  return segments;
}
