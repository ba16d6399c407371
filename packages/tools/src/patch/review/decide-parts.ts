import type { PatchLine } from '../patch.js';
import { splitHunk } from '../split-hunk.js';
import type { ReviewPart } from './review.js';

type Parts = readonly ReviewPart[];

/** Decides about the parts that are meant. */
export const decideParts = (parts: Parts, verdict: ReviewPart['verdict'], isMeant: (part: ReviewPart, index: number) => boolean): Parts =>
  parts.map((part, index) => (isMeant(part, index) ? { ...part, verdict } : part));

/** Tells whether a part is the one at `index`, or comes after it in the same file. */
export const isRestOfFile =
  (parts: Parts, index: number) =>
  (part: ReviewPart, at: number): boolean =>
    at >= index && part.chunk.file === parts[index]!.chunk.file;

/** Puts what a person made of a part in its place, which keeps it; lines without a change drop it. */
export function editPart(parts: Parts, index: number, lines: readonly PatchLine[]): Parts {
  const changes = lines.some(({ sign }) => sign !== ' ');
  const change = (part: ReviewPart): ReviewPart =>
    changes ? { ...part, edited: isSame(lines, part.hunk?.lines) ? undefined : lines, verdict: 'keep' } : { ...part, verdict: 'drop' };
  return parts.map((part, at) => (at === index ? change(part) : part));
}

/** A part in smaller ones, none of them decided, or why that can't be: `fault` is a sentence. */
export function splitPart(parts: Parts, index: number): { readonly parts: Parts } | { readonly fault: string } {
  const part = parts[index]!;
  if (part.edited) return { fault: 'It was edited: what you wrote is one piece.' };
  const hunks = part.hunk ? splitHunk(part.hunk) : [];
  if (hunks.length < 2) return { fault: 'It is a single change: nothing to split.' };
  const pieces = hunks.map((hunk): ReviewPart => ({ chunk: part.chunk, hunk, verdict: 'open' }));
  return { parts: [...parts.slice(0, index), ...pieces, ...parts.slice(index + 1)] };
}

/** Whether a part can be taken apart. */
export const canSplit = (part: ReviewPart): boolean => !part.edited && part.hunk !== undefined && splitHunk(part.hunk).length > 1;

/** The next part that is undecided, after `index` if there is one; `undefined` where all are decided. */
export function nextOpen(parts: Parts, index: number): number | undefined {
  const next = parts.findIndex(({ verdict }, at) => at > index && verdict === 'open');
  const first = next === -1 ? parts.findIndex(({ verdict }) => verdict === 'open') : next;
  return first === -1 ? undefined : first;
}

/** How many parts are kept as they are, kept with edits, dropped, and not decided. */
export function tallyParts(parts: Parts): {
  readonly kept: number;
  readonly edited: number;
  readonly dropped: number;
  readonly open: number;
} {
  const count = (is: (part: ReviewPart) => boolean): number => parts.filter(is).length;
  return {
    kept: count(({ verdict, edited }) => verdict === 'keep' && !edited),
    edited: count(({ verdict, edited }) => verdict === 'keep' && edited !== undefined),
    dropped: count(({ verdict }) => verdict === 'drop'),
    open: count(({ verdict }) => verdict === 'open'),
  };
}

const isSame = (lines: readonly PatchLine[], others: readonly PatchLine[] | undefined): boolean =>
  JSON.stringify(lines) === JSON.stringify(others);
