import { PatchError, listChunks, parsePatch } from '@codelab/tools';
import type { Chunk, Hunk, ParsedPatch, PatchLine } from '@codelab/tools';

/** What is decided by itself: a chunk, or a part of one that was split. */
export interface ReviewPart {
  readonly chunk: Chunk;
  /** The lines of the chunk that it stands for; none where the patch of the file has no hunks. */
  readonly hunk?: Hunk | undefined;
  /** What the user made of these lines; their old side is the same. */
  readonly edited?: readonly PatchLine[] | undefined;
  readonly verdict: 'open' | 'keep' | 'drop';
}

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
  const parts = listChunks(patch).map((chunk): ReviewPart => ({ chunk, hunk: chunk.hunk, verdict: 'open' }));
  return { callId, message, parts, current: 0, scroll: 0 };
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

/** The file of a part, after the change or before it where the file is deleted. */
export const pathOfPart = ({ chunk }: ReviewPart): string => chunk.file.newPath ?? chunk.file.oldPath ?? '';

/** The lines of a part, as the user left them. */
export const linesOfPart = (part: ReviewPart): readonly PatchLine[] => part.edited ?? part.hunk?.lines ?? [];
