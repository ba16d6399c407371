import { formatPatch, parsePatch } from '@codelab/tools';
import { filterPatch } from '@codelab/workspace';
import type { Review } from '@codelab/workspace';

/** The patch with what was kept of it, in git's format; line numbers account for what was left out. The text itself if all of it is kept. */
export function keepReviewed(diff: string, review: Review): string {
  const patch = parsePatch(diff);
  const whole = patch.reduce((sum, { hunks }) => sum + Math.max(1, hunks.length), 0);
  const isWhole = review.chunks.length === whole && (review.editedChunks ?? []).length === 0;
  return isWhole ? diff : formatPatch(filterPatch(patch, review));
}
