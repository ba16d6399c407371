import { modeNamed, type PermissionMode } from '../session/permission-mode.js';
import type { ChatState, ChatStep } from './chat-state.js';

/** Takes another permission mode, for the next call on. Shown at once; `ChatRun` tells what the servers make of it. */
export function chooseMode(state: ChatState, name: PermissionMode): ChatStep {
  const mode = modeNamed(name);
  return { state: { ...state, view: { ...state.view, mode } }, effects: [{ kind: 'set_mode', mode, before: state.view.mode }] };
}
