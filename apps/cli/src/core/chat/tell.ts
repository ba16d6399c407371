import { addNotice } from '../session/update-items.js';
import type { NoticeItem } from '../session/session-view.js';
import type { ChatState } from './chat-state.js';

/** Tells the user something, in the transcript. */
export const tell = (state: ChatState, text: string, tone: NoticeItem['tone'] = 'info'): ChatState => ({
  ...state,
  view: addNotice(state.view, tone, text),
});
