import { formatPatch, type Chunk } from '../format-patch.js';
import { parsePatch } from '../parse-patch.js';
import type { PatchLine } from '../patch.js';
import { dropChanges } from '../split-hunk.js';
import { filterPatch } from './filter-patch.js';
import { linesOfPart, type Review, type ReviewPart } from './review.js';

/** The patch with what was kept of it, in git's format; line numbers account for what was left out. The text itself if all of it is kept. */
export function keepReviewed(diff: string, review: Review): string {
  const patch = parsePatch(diff);
  const whole = patch.reduce((sum, { hunks }) => sum + Math.max(1, hunks.length), 0);
  const isWhole = review.chunks.length === whole && (review.editedChunks ?? []).length === 0;
  return isWhole ? diff : formatPatch(filterPatch(patch, review));
}

/**
 * What a review comes to, in chunks of the patch: a chunk of which something is left is kept, and counts as edited unless all of it is left
 * as it was. A part that is undecided is dropped.
 */
export function concludeReview(parts: readonly ReviewPart[]): Review {
  const byChunk = new Map<Chunk, ReviewPart[]>();
  for (const part of parts) byChunk.set(part.chunk, [...(byChunk.get(part.chunk) ?? []), part]);
  const concluded = [...byChunk].map(([chunk, own]) => concludeChunk(chunk, own));
  return {
    action: 'apply',
    chunks: concluded.flatMap((one) => (one.kept ? [one.chunk.number] : [])),
    editedChunks: concluded.flatMap(({ kept, chunk, lines }) => (kept && lines ? [{ chunk: chunk.number, lines }] : [])),
  };
}

interface Concluded {
  readonly chunk: Chunk;
  readonly kept: boolean;
  /** Where they are not those of the chunk. */
  readonly lines?: readonly PatchLine[];
}

function concludeChunk(chunk: Chunk, parts: readonly ReviewPart[]): Concluded {
  if (parts.every(({ verdict, edited }) => verdict === 'keep' && !edited)) return { chunk, kept: true };
  if (!chunk.hunk) return { chunk, kept: false };
  const lines = parts.flatMap((part) => (part.verdict === 'keep' ? linesOfPart(part) : dropChanges(linesOfPart(part))));
  return { chunk, kept: lines.some(({ sign }) => sign !== ' '), lines };
}
