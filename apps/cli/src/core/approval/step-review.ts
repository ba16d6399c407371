import { splitHunk, dropChanges, formatPatch, parsePatch, type PatchLine, type Chunk } from '@codelab/tools';
import { filterPatch, type Review } from '@codelab/workspace';
import type { Key } from '../input/key.js';
import { linesOfPart, type ReviewPart, type ReviewPrompt } from './review-prompt.js';

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

export type ReviewStep =
  | { readonly kind: 'prompt'; readonly prompt: ReviewPrompt }
  /** The current part is to be edited. */
  | { readonly kind: 'edit' }
  | { readonly kind: 'done'; readonly review: Review }
  | { readonly kind: 'cancel' };

/** Lines that a page key moves by. */
const PAGE_LINES = 10;

/** What a key does to a review. Letters decide about parts; the review itself ends with Enter, or Escape, and only a typed key counts. */
export function stepReview(prompt: ReviewPrompt, key: Key): ReviewStep {
  const calm: ReviewPrompt = { ...prompt, confirm: undefined, fault: undefined };
  if (key.kind === 'text') return takeLetter(calm, key.text);
  if (key.kind !== 'named') return stay(prompt);
  switch (key.name) {
    case 'enter':
      return finish(calm, prompt.confirm);
    case 'escape':
      return cancel(calm, prompt.confirm);
    case 'down':
    case 'right':
      return stay(goTo(calm, calm.current + 1));
    case 'up':
    case 'left':
      return stay(goTo(calm, calm.current - 1));
    case 'home':
      return stay(goTo(calm, 0));
    case 'end':
      return stay(goTo(calm, calm.parts.length - 1));
    case 'page-down':
      return stay(scroll(calm, PAGE_LINES));
    case 'page-up':
      return stay(scroll(calm, -PAGE_LINES));
    default:
      return stay(prompt);
  }
}

/** What the user's editor made of the current part. Lines without a change drop it. */
export function takeEditedPart(
  prompt: ReviewPrompt,
  edited: { readonly lines?: readonly PatchLine[] | undefined; readonly fault?: string | undefined },
): ReviewPrompt {
  const { lines, fault } = edited;
  if (lines === undefined) return { ...prompt, confirm: undefined, fault };
  const changes = lines.some(({ sign }) => sign !== ' ');
  const change = (part: ReviewPart): ReviewPart =>
    changes ? { ...part, edited: isSame(lines, part.hunk?.lines) ? undefined : lines, verdict: 'keep' } : { ...part, verdict: 'drop' };
  return advance({
    ...prompt,
    fault: undefined,
    parts: prompt.parts.map((part, index) => (index === prompt.current ? change(part) : part)),
  });
}

function takeLetter(prompt: ReviewPrompt, letter: string): ReviewStep {
  const { current, parts } = prompt;
  const part = parts[current]!;
  const isHere = (_: ReviewPart, index: number): boolean => index === current;
  const isRestOfFile = (other: ReviewPart, index: number): boolean => index >= current && other.chunk.file === part.chunk.file;
  switch (letter) {
    case 'y':
      return stay(decide(prompt, 'keep', isHere));
    case 'n':
      return stay(decide(prompt, 'drop', isHere));
    case 'a':
      return stay(decide(prompt, 'keep', isRestOfFile));
    case 'd':
      return stay(decide(prompt, 'drop', isRestOfFile));
    case 'A':
      return stay(decide(prompt, 'keep', ({ verdict }) => verdict === 'open'));
    case 's':
      return stay(split(prompt));
    case 'e':
      return part.hunk ? { kind: 'edit' } : stay({ ...prompt, fault: 'There are no lines to edit: keep it or drop it.' });
    case 'j':
      return stay(goTo(prompt, current + 1));
    case 'k':
      return stay(goTo(prompt, current - 1));
    case ' ':
      return stay(scroll(prompt, PAGE_LINES));
    default:
      return stay(prompt);
  }
}

function decide(prompt: ReviewPrompt, verdict: 'keep' | 'drop', isMeant: (part: ReviewPart, index: number) => boolean): ReviewPrompt {
  return advance({ ...prompt, parts: prompt.parts.map((part, index) => (isMeant(part, index) ? { ...part, verdict } : part)) });
}

/** Goes on to the next part that is undecided, after the current one if there is one. */
function advance(prompt: ReviewPrompt): ReviewPrompt {
  const { parts, current } = prompt;
  const next = parts.findIndex(({ verdict }, index) => index > current && verdict === 'open');
  const first = next === -1 ? parts.findIndex(({ verdict }) => verdict === 'open') : next;
  return first === -1 ? { ...prompt, confirm: undefined } : goTo({ ...prompt, confirm: undefined }, first);
}

function split(prompt: ReviewPrompt): ReviewPrompt {
  const { parts, current } = prompt;
  const part = parts[current]!;
  if (part.edited) return { ...prompt, fault: 'It was edited: what you wrote is one piece.' };
  const hunks = part.hunk ? splitHunk(part.hunk) : [];
  if (hunks.length < 2) return { ...prompt, fault: 'It is a single change: nothing to split.' };
  const pieces = hunks.map((hunk): ReviewPart => ({ chunk: part.chunk, hunk, verdict: 'open' }));
  return { ...prompt, scroll: 0, parts: [...parts.slice(0, current), ...pieces, ...parts.slice(current + 1)] };
}

function goTo(prompt: ReviewPrompt, index: number): ReviewPrompt {
  const current = Math.max(0, Math.min(prompt.parts.length - 1, index));
  return current === prompt.current ? prompt : { ...prompt, current, scroll: 0 };
}

function scroll(prompt: ReviewPrompt, by: number): ReviewPrompt {
  const last = linesOfPart(prompt.parts[prompt.current]!).length - 1;
  return { ...prompt, scroll: Math.max(0, Math.min(last, prompt.scroll + by)) };
}

function finish(prompt: ReviewPrompt, confirm: ReviewPrompt['confirm']): ReviewStep {
  const isOpen = prompt.parts.some(({ verdict }) => verdict === 'open');
  return isOpen && confirm !== 'finish' ? stay({ ...prompt, confirm: 'finish' }) : { kind: 'done', review: concludeReview(prompt.parts) };
}

function cancel(prompt: ReviewPrompt, confirm: ReviewPrompt['confirm']): ReviewStep {
  const isBegun = prompt.parts.some(({ verdict }) => verdict !== 'open');
  return isBegun && confirm !== 'cancel' ? stay({ ...prompt, confirm: 'cancel' }) : { kind: 'cancel' };
}

const isSame = (lines: readonly PatchLine[], others: readonly PatchLine[] | undefined): boolean =>
  JSON.stringify(lines) === JSON.stringify(others);
const stay = (prompt: ReviewPrompt): ReviewStep => ({ kind: 'prompt', prompt });
