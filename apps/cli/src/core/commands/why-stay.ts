import type { ChatState } from '../chat/chat-state.js';

/** Why a conversation can't be left for another one just now; undefined where it can. */
export function whyStay({ view: { turn, link } }: ChatState): string | undefined {
  if (turn) return 'A turn is running: wait for its end, or stop it with Esc.';
  return link === 'lost' ? 'The connection is lost: try again when it is back.' : undefined;
}
