import type { SessionEvent } from '@codelab/client/view';
import { letsRun } from '@codelab/protocol';
import { modeNamed, type PermissionMode } from '../session/permission-mode.js';
import type { ChatState, ChatStep } from './chat-state.js';

/** Takes another permission mode, for the next call on. Shown at once; `ChatEffects` tells what the servers make of it. */
export function chooseMode(state: ChatState, name: PermissionMode): ChatStep {
  const mode = modeNamed(name);
  const chosen = { ...state, modesOnTheirWay: [...state.modesOnTheirWay, mode], view: { ...state.view, mode } };
  return { state: chosen, effects: [{ kind: 'set_mode', mode, before: state.view.mode }] };
}

/** Edits files unasked once the plan that was accepted so is accepted for the servers, too: another window may have been faster. */
export function freeAccepted(state: ChatState, event: SessionEvent): ChatStep {
  const resolved = event.kind === 'frame' && event.frame.type === 'approval_resolved' ? event.frame : undefined;
  if (resolved === undefined || resolved.call_id !== state.freeing) return { state, effects: [] };
  const settled = { ...state, freeing: undefined };
  return letsRun(resolved.outcome) ? chooseMode(settled, 'accept-edits') : { state: settled, effects: [] };
}

/**
 * Follows what the servers say of the mode: `next` has it in its view already. What was chosen here and is still on its way comes after all that
 * they tell now, so that stays shown; a refusal or a new beginning ends the wait.
 */
export function followMode(next: ChatState, event: SessionEvent): ChatState {
  if (next.modesOnTheirWay.length === 0) return next;
  if (event.kind === 'frame' && event.frame.type === 'mode_switched') {
    const [first, ...later] = next.modesOnTheirWay;
    const modesOnTheirWay = event.frame.mode === first ? later : next.modesOnTheirWay;
    return { ...next, modesOnTheirWay, view: { ...next.view, mode: modesOnTheirWay.at(-1) ?? event.frame.mode } };
  }
  const endsWait =
    event.kind === 'frame' ? event.frame.type === 'welcome' && !event.frame.recovered : event.kind === 'chose' && event.mode !== undefined;
  return endsWait ? { ...next, modesOnTheirWay: [] } : next;
}
