import type { ChatState } from '../chat/chat-state.js';
import { isShellRunning } from '../chat/is-shell-running.js';

/** Why a conversation can't be left for another one just now; undefined where it can. */
export function whyStay(state: ChatState): string | undefined {
  if (state.view.turn) return 'A turn is running: wait for its end, or stop it with Esc.';
  if (isShellRunning(state)) return 'Your last command still runs: Ctrl-C ends it.';
  return state.view.link === 'lost' ? 'The connection is lost: try again when it is back.' : undefined;
}
