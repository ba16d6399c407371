import type { Key } from '../input/key.js';
import type { EditorState } from '../input/line-editor.js';
import { followMention, stepCompletion } from '../mentions/completion.js';
import type { ChatState, ChatStep } from './chat-state.js';

/** What Tab and Escape do while a path is being mentioned; undefined for every other key, and where nothing can be completed. */
export function completeWithKey(state: ChatState, key: Key): ChatStep | undefined {
  const { completion, editor } = state;
  if (!completion) return undefined;
  if (key.kind === 'named' && key.name === 'escape') return { state: { ...state, completion: undefined }, effects: [] };
  const step = stepCompletion(completion, editor, key);
  if (!step) return undefined;
  if (step.final) return askForPaths(state, step.editor);
  return { state: { ...state, editor: step.editor, completion: step.completion }, effects: [] };
}

/** The chat with an edited line; paths are asked for when the mention in it is a new one. */
export function askForPaths(state: ChatState, editor: EditorState): ChatStep {
  const completion = followMention(state.completion, editor);
  const asks = completion !== undefined && completion.path !== state.completion?.path;
  return { state: { ...state, editor, completion }, effects: asks ? [{ kind: 'complete', path: completion.path }] : [] };
}
