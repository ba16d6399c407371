import { parsePatch, PatchError, partsOfPatch, type ParsedPatch, type ReviewPart } from '@codelab/tools/patch';

/** A patch that the user reviews, part by part. Nothing is kept that the user hasn't said to keep. */
export interface ReviewPrompt {
  readonly callId: string;
  readonly message: string;
  /** In the order of the patch; the parts of one chunk, put together, are its lines. */
  readonly parts: readonly ReviewPart[];
  /** The part that is looked at, counted from 0. */
  readonly current: number;
  /** Lines of it above the first one shown. */
  readonly scroll: number;
  /** The key that ends the review was pressed, and something would be lost: the same key again ends it. */
  readonly confirm?: 'finish' | 'cancel' | undefined;
  /** Why the last try came to nothing. */
  readonly fault?: string | undefined;
}

/** Begins a review: nothing is decided. */
export function askReview(callId: string, patch: ParsedPatch, message: string): ReviewPrompt {
  return { callId, message, parts: partsOfPatch(patch), current: 0, scroll: 0 };
}

/** Begins to pick hunks of a diff; undefined if it is no patch that could be applied. */
export function pickHunks(callId: string, diff: string): ReviewPrompt | undefined {
  try {
    return askReview(callId, parsePatch(diff), '');
  } catch (error) {
    if (error instanceof PatchError) return undefined;
    throw error;
  }
}
