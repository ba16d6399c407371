import {
  concludeReview,
  decideParts,
  editPart,
  isRestOfFile,
  linesOfPart,
  nextOpen,
  splitPart,
  type PatchLine,
  type Review,
  type ReviewPart,
} from '@codelab/tools/patch';
import type { Key } from '../input/key.js';
import type { ReviewPrompt } from './review-prompt.js';

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
  return advance({ ...prompt, fault: undefined, parts: editPart(prompt.parts, prompt.current, lines) });
}

function takeLetter(prompt: ReviewPrompt, letter: string): ReviewStep {
  const { current, parts } = prompt;
  const part = parts[current]!;
  const isHere = (_: ReviewPart, index: number): boolean => index === current;
  switch (letter) {
    case 'y':
      return stay(decide(prompt, 'keep', isHere));
    case 'n':
      return stay(decide(prompt, 'drop', isHere));
    case 'a':
      return stay(decide(prompt, 'keep', isRestOfFile(parts, current)));
    case 'd':
      return stay(decide(prompt, 'drop', isRestOfFile(parts, current)));
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
  return advance({ ...prompt, parts: decideParts(prompt.parts, verdict, isMeant) });
}

/** Goes on to the next part that is undecided, after the current one if there is one. */
function advance(prompt: ReviewPrompt): ReviewPrompt {
  const first = nextOpen(prompt.parts, prompt.current);
  return first === undefined ? { ...prompt, confirm: undefined } : goTo({ ...prompt, confirm: undefined }, first);
}

function split(prompt: ReviewPrompt): ReviewPrompt {
  const split = splitPart(prompt.parts, prompt.current);
  return 'fault' in split ? { ...prompt, fault: split.fault } : { ...prompt, scroll: 0, parts: split.parts };
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

const stay = (prompt: ReviewPrompt): ReviewStep => ({ kind: 'prompt', prompt });
