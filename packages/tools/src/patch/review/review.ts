import { listChunks, type Chunk } from '../format-patch.js';
import type { Hunk, ParsedPatch, PatchLine } from '../patch.js';

/** What a human made of a patch. */
export interface Review {
  readonly action: 'apply' | 'cancel';
  /** The chunks to keep, by the numbers of `listChunks`. */
  readonly chunks: readonly number[];
  /** Chunks whose lines the human changed. Their old side, context and removed lines, stays what it was; they must be among `chunks`. */
  readonly editedChunks?: readonly { readonly chunk: number; readonly lines: readonly PatchLine[] }[];
}

/** What is decided by itself: a chunk, or a part of one that was split. */
export interface ReviewPart {
  readonly chunk: Chunk;
  /** The lines of the chunk that it stands for; none where the patch of the file has no hunks. */
  readonly hunk?: Hunk | undefined;
  /** What the user made of these lines; their old side is the same. */
  readonly edited?: readonly PatchLine[] | undefined;
  readonly verdict: 'open' | 'keep' | 'drop';
}

/** The parts of a patch, in its order: nothing is decided. The parts of one chunk, put together, are its lines. */
export const partsOfPatch = (patch: ParsedPatch): readonly ReviewPart[] =>
  listChunks(patch).map((chunk): ReviewPart => ({ chunk, hunk: chunk.hunk, verdict: 'open' }));

/** The file of a part, after the change or before it where the file is deleted. */
export const pathOfPart = ({ chunk }: ReviewPart): string => chunk.file.newPath ?? chunk.file.oldPath ?? '';

/** The lines of a part, as the user left them. */
export const linesOfPart = (part: ReviewPart): readonly PatchLine[] => part.edited ?? part.hunk?.lines ?? [];
