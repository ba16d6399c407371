import { reduceSession } from '@codelab/client/view';
import type { ChatState, ChatStep } from './chat-state.js';

/** Stops the turn. The messages that wait go back to where they were written: nothing that was meant for later starts because of it. */
export function stopTurn(state: ChatState, atMs: number): ChatStep {
  const waiting = state.writes ? [...state.view.steering, ...state.view.queue].map(({ content }) => content) : [];
  const text = [...waiting, state.editor.text].filter((part) => part !== '').join('\n');
  const editor = waiting.length === 0 ? state.editor : { ...state.editor, text, cursor: text.length, recalled: 0 };
  const view = reduceSession({ ...state.view, queue: [], steering: [] }, { kind: 'cancel_sent', atMs });
  return { state: { ...state, view, editor }, effects: [{ kind: 'cancel' }] };
}
