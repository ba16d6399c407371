import type { FileState } from '../files/paths/file-state.js';
import { toWorkspacePath } from '../files/paths/parse-path.js';
import type { WorkspaceFiles } from '../files/workspace-files.js';
import type { Backups, BackedUpState } from '../backups/backups.js';
import { toToolError } from '../to-tool-error.js';
import { isSameState, type NetEffect } from './net-effects.js';

/** What undoing would do to one entry. */
export interface UndoStep {
  /** A directory has a slash at its end, unless it comes or goes with all that is in it. */
  readonly path: string;
  /** `restore`: the old content comes back. `create`: what was deleted comes back. `remove`: what was made goes. `move`: it goes back. */
  readonly action: 'restore' | 'create' | 'remove' | 'move';
  /** Where it is now, with `move`. */
  readonly from?: string;
  /** Files that come back or go with it. */
  readonly files?: number;
  /** `ready`: the file is as the turn left it. `done`: it is as before the turn already. `conflict`: neither, so it is not touched. */
  readonly state: 'ready' | 'done' | 'conflict';
  /** Of a conflict: what is in the way. */
  readonly why?: string;
  /** Of a conflict: `force` can go over it. */
  readonly canForce?: boolean;
}

/** A step with what carrying it out takes. */
export interface PlannedStep extends UndoStep {
  readonly now: FileState | undefined;
  readonly effect: NetEffect;
}

/** What is at a path; `now` only if it was read from the workspace. */
export interface Found {
  readonly state: BackedUpState;
  readonly now: FileState | undefined;
}

/** Looks at a path: at the disk, or at what undoing the rest of the turn would make of it. */
export type Look = (path: string) => Promise<Found>;

/** Looks at the disk. */
export const lookAtDisk =
  (files: WorkspaceFiles): Look =>
  async (path) => {
    const now = await files.readForChange(toWorkspacePath(path), 'follow');
    return { now, state: now === undefined ? null : { sha256: now.sha256, mode: now.mode } };
  };

const actionOf = ({ before, after }: NetEffect): UndoStep['action'] => (before === null ? 'remove' : after === null ? 'create' : 'restore');

const findConflict = (now: BackedUpState, { after, interrupted }: NetEffect): string | undefined => {
  if (!isSameState(now, after))
    return now === null ? 'it is not there any more' : after === null ? 'it is there again' : 'it was changed since';
  return interrupted ? 'somebody else changed it during the turn' : undefined;
};

/**
 * What undoing the effect on one file means now. Only what the effect left is touched; a file that is as it was before needs nothing.
 */
export async function planStep(effect: NetEffect, backups: Backups, look: Look): Promise<PlannedStep> {
  const base = { path: effect.path, action: actionOf(effect), effect } as const;
  let found: Found;
  try {
    found = await look(effect.path);
  } catch (error) {
    return { ...base, now: undefined, state: 'conflict', why: toToolError(error).message };
  }
  const { now, state } = found;
  if (isSameState(state, effect.before)) return { ...base, now, state: 'done' };
  if (effect.before !== null && (await backups.content(effect.before.sha256)) === undefined)
    return { ...base, now, state: 'conflict', why: 'its old content is kept no longer' };
  const why = findConflict(state, effect);
  return why === undefined ? { ...base, now, state: 'ready' } : { ...base, now, state: 'conflict', why, canForce: true };
}
