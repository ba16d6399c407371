import { lstat, readFile } from 'node:fs/promises';
import { unlessMissing } from '../backups/blob-store.js';
import { sha256Of } from '../files/paths/read-regular-file.js';
import type { BackedUpState } from '../backups/backups.js';
import { MAX_REPLACED_BYTES } from '../limits.js';
import { ToolFailure } from '../tool-failure.js';
import { planNames, type NameParts } from './name-steps.js';
import { PathHistory } from './path-history.js';
import { lookAtDisk, planStep, type Found, type Look, type UndoStep } from './undo-plan.js';
import type { UndoSegment } from './undo-segment.js';

const lookIntoTrash = async (place: string): Promise<BackedUpState> => {
  const stats = await unlessMissing(lstat(place));
  if (stats?.isFile() !== true || stats.size > MAX_REPLACED_BYTES) return null;
  return { sha256: sha256Of(await readFile(place)), mode: stats.mode & 0o7777 };
};

/** Looks at paths as undoing the later parts of the turn would leave them. */
const lookBehind = ({ files, backups }: NameParts, later: PathHistory, planned: ReadonlyMap<string, BackedUpState>): Look => {
  const atDisk = lookAtDisk(files);
  return async (path): Promise<Found> => {
    const place = later.find(path);
    if (place.kind === 'nowhere') return { state: null, now: undefined };
    if (place.kind === 'stuck') throw new ToolFailure('CONFLICT', 'it was moved or deleted later in the turn, which can not be undone');
    const where = place.kind === 'trash' ? backups.trash.placeOf(place.trash) + place.rest : place.path;
    const state = planned.get(where);
    if (state !== undefined) return { state, now: undefined };
    return place.kind === 'trash' ? { state: await lookIntoTrash(where), now: undefined } : atDisk(where);
  };
};

/** What undoing the parts of a turn one after the other would do. Changes nothing. */
export async function simulateUndo(segments: readonly UndoSegment[], parts: NameParts): Promise<readonly UndoStep[]> {
  const later = new PathHistory();
  const planned = new Map<string, BackedUpState>();
  const steps: UndoStep[] = [];
  for (const segment of segments) {
    const look = lookBehind(parts, later, planned);
    if (segment.kind === 'names') {
      const names = await planNames(segment.effects, parts, { later, look });
      later.before(
        segment.effects,
        names.some(({ state }) => state === 'conflict'),
      );
      steps.push(...names);
      continue;
    }
    for (const effect of segment.effects) {
      const { now: _now, effect: _effect, ...step } = await planStep(effect, parts.backups, look);
      steps.push(step);
      const place = later.find(effect.path);
      if (step.state !== 'ready') continue;
      if (place.kind === 'workspace') planned.set(place.path, effect.before);
      if (place.kind === 'trash') planned.set(parts.backups.trash.placeOf(place.trash) + place.rest, effect.before);
    }
  }
  return steps;
}
