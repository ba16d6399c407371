import { mentionAt, writeMention } from '@codelab/client/view';
import type { Key } from '../input/key.js';
import type { EditorState } from '../input/line-editor.js';

export { mentionAt, writeMention };

/** What a mention under the cursor can become: a path; or the argument of a prompt, whose candidates are words as they are typed. */
export interface Completion {
  readonly of: 'mention' | 'argument';
  /** What was typed after the `@`, or the whole line with an argument. */
  readonly path: string;
  readonly start: number;
  /** Where the mention ends in the text as it is now. */
  readonly end: number;
  readonly candidates: readonly string[];
  /** The candidate that stands in the text, counted from 0; none with -1. */
  readonly picked: number;
}

/** The completion after the text has changed: of the mention that is being typed, or none. What is known stays until the answer comes. */
export function followMention(completion: Completion | undefined, { text, cursor }: EditorState): Completion | undefined {
  const mention = mentionAt(text, cursor);
  if (!mention) return undefined;
  const before = completion?.of === 'mention' && completion.start === mention.start ? completion : undefined;
  if (before?.path === mention.path) return { ...before, end: cursor, picked: -1 };
  const known = before?.candidates.filter((path) => path.startsWith(mention.path)) ?? [];
  return { of: 'mention', ...mention, end: cursor, candidates: known, picked: -1 };
}

/** The candidates have come. Those of what was typed before, and those that can't be mentioned, don't count. */
export function takeCandidates(completion: Completion | undefined, path: string, candidates: readonly string[]): Completion | undefined {
  if (completion?.path !== path || completion.picked !== -1) return completion;
  return { ...completion, candidates: candidates.filter((candidate) => write(completion, candidate) !== undefined) };
}

const write = ({ of }: Completion, candidate: string): string | undefined => (of === 'mention' ? writeMention(candidate) : candidate);

/**
 * Tab puts the next candidate into the text, Shift-Tab the one before. Undefined for other keys, and where there is nothing to put. A
 * candidate that is the only one is final: what follows it may be completed anew.
 */
export function stepCompletion(
  completion: Completion,
  editor: EditorState,
  key: Key,
): { readonly completion: Completion; readonly editor: EditorState; readonly final: boolean } | undefined {
  if (key.kind !== 'named' || (key.name !== 'tab' && key.name !== 'backtab')) return undefined;
  const count = completion.candidates.length;
  if (count === 0) return undefined;
  const back = completion.picked === -1 ? count - 1 : (completion.picked + count - 1) % count;
  const picked = key.name === 'tab' ? (completion.picked + 1) % count : back;
  const written = write(completion, completion.candidates[picked]!)!;
  const text = editor.text.slice(0, completion.start) + written + editor.text.slice(completion.end);
  const end = completion.start + written.length;
  return { completion: { ...completion, picked, end }, editor: { ...editor, text, cursor: end }, final: count === 1 };
}
