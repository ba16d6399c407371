import type { JournalledCall } from '@codelab/protocol';
import type { StepBuilder } from '../turn/step-builder.js';

/** What the states of a client's journal mean to a model and a human. */
const MEANINGS: Readonly<Record<string, string>> = {
  received: 'received, not begun',
  started: 'begun, its end is not recorded',
  done: 'done',
  unknown: 'begun, its outcome is unknown',
};

/**
 * Puts before the model and the human what the journal of a client knows and this session doesn't: calls may have had effects that the
 * conversation knows nothing of (R2). Calls of the turn that runs are left out; their results will say.
 */
export function applyJournal(builder: StepBuilder, calls: string): void {
  const unknown = (JSON.parse(calls) as readonly JournalledCall[]).filter(({ call_id }) => builder.findCall(call_id) === undefined);
  if (unknown.length === 0) return;
  const list = unknown.map(({ call_id, state }) => `${call_id} (${MEANINGS[state] ?? state})`).join(', ');
  const content = `The journal of the client names tool calls that this session has no result of: ${list}. Look before you repeat what they may have done.`;
  builder.remember({ role: 'note', content, at_ms: builder.nowMs });
}
