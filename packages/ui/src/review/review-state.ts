import {
  decideParts,
  editPart,
  isRestOfFile,
  nextOpen,
  splitPart,
  tallyParts,
  type PatchLine,
  type ReviewPart,
} from '@codelab/tools/patch';
import type { CommentedPart } from './reviewable.js';

/** A review as it stands. `current` is the part that keys are about. */
export interface ReviewState {
  readonly parts: readonly ReviewPart[];
  /** By the place of the part. */
  readonly comments: readonly string[];
  readonly current: number;
  /** The part that is being edited. */
  readonly editing?: number | undefined;
  readonly fault?: string | undefined;
}

export type ReviewAction =
  | { readonly kind: 'begin'; readonly parts: readonly ReviewPart[] }
  | { readonly kind: 'go'; readonly to: number }
  | { readonly kind: 'decide'; readonly verdict: 'keep' | 'drop' | 'open'; readonly at: number; readonly reach: 'part' | 'file' | 'all' }
  | { readonly kind: 'edit'; readonly at: number }
  | { readonly kind: 'take'; readonly at: number; readonly lines: readonly PatchLine[] }
  | { readonly kind: 'leave' }
  | { readonly kind: 'split'; readonly at: number }
  | { readonly kind: 'comment'; readonly at: number; readonly text: string };

/** A review that nobody has begun. */
export const beginReview = (parts: readonly ReviewPart[]): ReviewState => ({ parts, comments: parts.map(() => ''), current: 0 });

/** What an action makes of a review. Nothing is kept that the person hasn't said to keep. */
export function reduceReview(state: ReviewState, action: ReviewAction): ReviewState {
  const { parts } = state;
  const calm: ReviewState = { ...state, fault: undefined };
  switch (action.kind) {
    case 'begin':
      return beginReview(action.parts);
    case 'go':
      return { ...calm, current: Math.max(0, Math.min(parts.length - 1, action.to)) };
    case 'decide': {
      const { at, reach, verdict } = action;
      const rest = isRestOfFile(parts, at);
      const isMeant = (part: ReviewPart, index: number): boolean =>
        reach === 'all' ? part.verdict === 'open' || index === at : reach === 'file' ? rest(part, index) : index === at;
      const decided = decideParts(parts, verdict, isMeant);
      return { ...calm, parts: decided, current: verdict === 'open' ? at : (nextOpen(decided, at) ?? at), editing: undefined };
    }
    case 'edit':
      return parts[action.at]?.hunk === undefined
        ? { ...calm, fault: 'There are no lines to edit: keep it or drop it.' }
        : { ...calm, current: action.at, editing: action.at };
    case 'take': {
      const edited = editPart(parts, action.at, action.lines);
      return { ...calm, parts: edited, editing: undefined, current: nextOpen(edited, action.at) ?? action.at };
    }
    case 'leave':
      return { ...calm, editing: undefined };
    case 'split': {
      const split = splitPart(parts, action.at);
      if ('fault' in split) return { ...calm, fault: split.fault };
      const added = split.parts.length - parts.length;
      const comments = state.comments.toSpliced(action.at + 1, 0, ...Array<string>(added).fill(''));
      return { ...calm, parts: split.parts, comments, current: action.at };
    }
    case 'comment':
      return { ...state, comments: state.comments.with(action.at, action.text) };
  }
}

/** Whether there is anything of the person's in it. */
export const isBegun = ({ parts, comments }: ReviewState): boolean =>
  parts.some(({ verdict, edited }) => verdict !== 'open' || edited) || comments.some((comment) => comment.trim() !== '');

/** The parts with what was said of them. */
export const commentedParts = ({ parts, comments }: ReviewState): readonly CommentedPart[] =>
  parts.map((part, index) => ({ part, comment: comments[index] ?? '' }));

/** `2 kept, 1 edited, 3 to go`. */
export function describeTally(parts: readonly ReviewPart[]): string {
  const { kept, edited, dropped, open } = tallyParts(parts);
  const facts = [
    [kept, 'kept'],
    [edited, 'edited'],
    [dropped, 'dropped'],
    [open, 'to go'],
  ] as const;
  return facts.flatMap(([count, word]) => (count > 0 ? [`${count} ${word}`] : [])).join(', ');
}
