import { reduceSession, type NoticeItem } from '@codelab/client/view';
import type { ChatState } from './chat-state.js';

/** Tells the user something, in the transcript. */
export const tell = (state: ChatState, text: string, tone: NoticeItem['tone'] = 'info'): ChatState => ({
  ...state,
  view: reduceSession(state.view, { kind: 'notice', tone, text, atMs: 0 }),
});
