import { LIMITS } from '@codelab/protocol';
import { filterPatch, formatPatch, listChunks, parsePatch, ReviewError, type ParsedPatch, type Review } from '@codelab/tools/patch';
import { abortable } from '../abortable.js';
import type { Executor } from './executor.js';
import { ToolFailure } from '../tool-failure.js';

const ascending = (numbers: Iterable<number>): number[] => [...new Set(numbers)].sort((one, other) => one - other);

/** Lets the human choose chunks of a patch; applies nothing (docs/specification/tools.md#apply_patch_review). Without a human nobody chooses. */
export const applyPatchReview: Executor<'apply_patch_review'> = {
  async run({ diff, message }, { ask, signal }) {
    const bytes = Buffer.byteLength(diff);
    const limit = LIMITS.MAX_DIFF_BYTES;
    if (bytes > limit)
      throw new ToolFailure('FILE_TOO_LARGE', `The diff has ${String(bytes)} bytes; at most ${String(limit)} are allowed.`);
    const patch = parsePatch(diff);
    if (ask === undefined) throw new ToolFailure('DENIED_BY_POLICY', 'There is no human at this client to review the patch.');
    const review = await abortable(ask.reviewPatch(patch, message, signal), signal);
    const total = listChunks(patch).length;
    if (review.action === 'cancel') return { filtered_diff: '', action: 'cancel', chunks_selected: [], chunks_total: total };
    const selected = ascending(review.chunks);
    const kept = new Set(selected);
    const dropped = listChunks(patch)
      .map(({ number }) => number)
      .filter((number) => !kept.has(number));
    const edited = ascending((review.editedChunks ?? []).map(({ chunk }) => chunk));
    return {
      filtered_diff: formatPatch(keep(patch, review)),
      action: 'apply',
      chunks_selected: selected,
      chunks_total: total,
      chunks_dropped: dropped.length === 0 ? undefined : dropped,
      chunks_edited: edited.length === 0 ? undefined : edited,
    };
  },
};

function keep(patch: ParsedPatch, review: Review): ParsedPatch {
  try {
    return filterPatch(patch, review);
  } catch (error) {
    if (error instanceof ReviewError) throw new ToolFailure('INVALID_ARGUMENTS', error.message);
    throw error;
  }
}
