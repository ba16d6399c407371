import type { CallChange } from '@codelab/protocol';
import type { QueuedMessage, SessionStore, StepEffects } from '../../session-store.js';
import { auditFields } from '../rules/audit-rows.js';
import { fieldItems, namedArguments, type Item } from './named-arguments.js';
import type { SessionScripts } from './session-scripts.js';

const changeItem = (change: CallChange): Item => {
  switch (change.kind) {
    case 'open': {
      const { call } = change;
      const head = { call_id: call.callId, tool_name: call.toolName, idempotency: call.idempotency, deadline_ms: call.deadlineMs };
      const question = {
        args_sha256: call.argsSha256,
        expires_at: call.expiresAtMs,
        fence: call.fence,
        state: call.state,
        frame: call.frame,
      };
      return ['open', { ...head, ...question, given_to: call.givenTo, target: call.target, agent: call.agent }];
    }
    case 'ask_again': {
      const { callId, argsSha256, expiresAtMs, frame } = change;
      return ['ask_again', { call_id: callId, args_sha256: argsSha256, expires_at: expiresAtMs, frame }];
    }
    case 'reassign':
      return ['reassign', { call_id: change.callId, fence: change.fence }];
    case 'close':
      return ['close', { call_id: change.callId, synthetic: change.synthetic ? '1' : undefined }];
  }
};

/** A message as the queue keeps it: with what `queue_updated` shows of it. */
const queueItem = ({ messageId, turnId, frame }: QueuedMessage): Item => {
  const { content } = JSON.parse(frame) as { content?: unknown };
  return [JSON.stringify(messageId), { turn_id: turnId, summary: JSON.stringify({ message_id: messageId, content }), frame }];
};

const commitArguments = (leaseFence: number, cancelSeen: string, step: StepEffects): (string | number)[] => {
  const { modelRequest: asked, endTurn } = step;
  const fields = {
    ...{ lease_fence: leaseFence, cancel_seen: cancelSeen, inbox_up_to: step.inboxUpTo, state: step.state },
    ...{ step_id: asked?.stepId, request: asked?.request, ends: endTurn?.turnId },
  };
  return namedArguments(fields, {
    frames: step.frames.map((frame) => [frame]),
    history: step.history.map((item) => [item]),
    calls: step.calls.map(changeItem),
    requeue: endTurn?.requeue.map(queueItem) ?? [],
    meta: fieldItems(step.meta ?? {}),
    audit: step.audit?.map((row) => [row.outcome, auditFields(row)]) ?? [],
  });
};

/**
 * One step of a turn in one script. A model request is announced in the same round trip, after the commit: where the commit is refused, the
 * announcement names a step that is not there, and nobody claims it; where it is lost, the runtime announces it again.
 */
export function sessionCommit(scripts: SessionScripts): Pick<SessionStore, 'commit'> {
  const { commands, keys } = scripts;
  return {
    commit: async (ref, { leaseFence, cancelSeen }, step) => {
      const stepId = step.modelRequest?.stepId;
      const record = keys.session(ref.sid).step(stepId ?? 'none');
      const [reply] = await commands.run('commit', [
        scripts.command('commitStep', ref.sid, commitArguments(leaseFence, cancelSeen, step), record),
        ...(stepId === undefined ? [] : [['xadd', keys.models(ref.sid), '*', 'sid', ref.sid, 'step', stepId] as const]),
      ]);
      const [code, seq, turnId] = reply as [number, number, string];
      if (code === -1) return 'fenced';
      if (code === -2) return 'cancelled';
      return { seq, ...(step.endTurn === undefined ? {} : { turnId }) };
    },
  };
}
