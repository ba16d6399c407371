import type { CallBackup, BackedUpState } from '../backups/backups.js';

/** What several calls made of one file together. */
export interface NetEffect {
  readonly path: string;
  readonly before: BackedUpState;
  readonly after: BackedUpState;
  /** Somebody else changed the file between two of the calls: going back would lose that. */
  readonly interrupted: boolean;
}

/** Whether two states are the same file for its user: content, and whether it is a program. */
export const isSameState = (one: BackedUpState, other: BackedUpState): boolean =>
  one === null || other === null ? one === other : one.sha256 === other.sha256 && ((one.mode ^ other.mode) & 0o100) === 0;

/** What calls did to each file from the first to the last. Files that are as they were before are left out. */
export function netEffects(calls: readonly CallBackup[]): readonly NetEffect[] {
  const effects = new Map<string, NetEffect>();
  for (const { path, before, after } of calls.flatMap(({ files }) => files)) {
    const known = effects.get(path);
    if (known === undefined) effects.set(path, { path, before, after, interrupted: false });
    else effects.set(path, { ...known, after, interrupted: known.interrupted || !isSameState(known.after, before) });
  }
  return [...effects.values()].filter(({ before, after }) => !isSameState(before, after));
}
