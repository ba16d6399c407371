import { PatchError, listChunks, parsePatch } from '@codelab/tools';
import type { Chunk, ParsedPatch } from '@codelab/tools';
import type { Key } from '../input/key.js';

/** A patch of which the user picks chunks. They are numbered from 1 over all files, as `chunks_selected` counts them. */
export interface ReviewPrompt {
  readonly callId: string;
  readonly message: string;
  readonly chunks: readonly Chunk[];
  readonly picked: ReadonlySet<number>;
  /** The chunk that is looked at. */
  readonly current: number;
}

export type ReviewStep =
  | { readonly kind: 'prompt'; readonly prompt: ReviewPrompt }
  | { readonly kind: 'done'; readonly picked: readonly number[] }
  | { readonly kind: 'cancel' };

/** Begins a review with every chunk picked. */
export function askReview(callId: string, patch: ParsedPatch, message: string): ReviewPrompt {
  const chunks = listChunks(patch);
  return { callId, message, chunks, picked: new Set(chunks.map(({ number }) => number)), current: 1 };
}

/** Begins to pick chunks of a diff; undefined if it is no patch that could be applied. */
export function pickChunks(callId: string, diff: string): ReviewPrompt | undefined {
  try {
    return askReview(callId, parsePatch(diff), '');
  } catch (error) {
    if (error instanceof PatchError) return undefined;
    throw error;
  }
}

/** What a key does to a review: arrows move, space picks, `a` and `n` pick all and none, Enter is done, Escape cancels. */
export function stepReview(prompt: ReviewPrompt, key: Key): ReviewStep {
  const stay = (change: Partial<ReviewPrompt>): ReviewStep => ({ kind: 'prompt', prompt: { ...prompt, ...change } });
  const goTo = (current: number): ReviewStep => stay({ current: Math.max(1, Math.min(prompt.chunks.length, current)) });
  const all = prompt.chunks.map(({ number }) => number);
  if (key.kind === 'text') {
    if (key.text === ' ') return stay({ picked: toggle(prompt.picked, prompt.current) });
    if (key.text === 'a') return stay({ picked: new Set(all) });
    if (key.text === 'n') return stay({ picked: new Set() });
    return key.text === 'j' ? goTo(prompt.current + 1) : key.text === 'k' ? goTo(prompt.current - 1) : stay({});
  }
  if (key.kind !== 'named') return stay({});
  if (key.name === 'down' || key.name === 'right') return goTo(prompt.current + 1);
  if (key.name === 'up' || key.name === 'left') return goTo(prompt.current - 1);
  if (key.name === 'escape') return { kind: 'cancel' };
  return key.name === 'enter' ? { kind: 'done', picked: all.filter((number) => prompt.picked.has(number)) } : stay({});
}

function toggle(picked: ReadonlySet<number>, number: number): ReadonlySet<number> {
  const next = new Set(picked);
  if (!next.delete(number)) next.add(number);
  return next;
}
