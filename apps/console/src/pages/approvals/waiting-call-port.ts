import { EMPTY_VIEW, type CallItem, type SessionView } from '@codelab/client/view';
import type { SessionPort } from '@codelab/ui';
import { decideCall, type WaitingCall } from '../../rest/approvals.js';

/** What a card of `@codelab/ui` draws. */
export const toCallItem = (call: WaitingCall): CallItem => ({
  kind: 'call',
  callId: call.call_id,
  toolName: call.tool_name,
  args: JSON.stringify(call.args),
  argsSha256: call.args_sha256,
  progress: 'waiting',
  approval: call.approval,
  preview: call.preview,
  operands: call.operands,
  program: call.origin === 'proxy' ? true : undefined,
  taskCallId: call.task_call_id,
});

const NOT_HERE = (): Promise<never> => Promise.reject(new Error('Open the session for that.'));

/** A session of which only one waiting call is known: it can be decided, and nothing else. The inbox then leaves it out by itself. */
export function waitingCallPort(call: WaitingCall): SessionPort {
  const view: SessionView = { ...EMPTY_VIEW, sessionId: call.session_id, link: 'open', executor: 'other', items: [toCallItem(call)] };
  return {
    view: () => view,
    subscribe: () => () => undefined,
    decide: async (_callId, answer) => {
      const decided = await decideCall(call, answer.argsSha256 ?? call.args_sha256, answer);
      if (!decided.ok) throw Object.assign(new Error(decided.trouble.message), { code: decided.trouble.code });
    },
    ...{ send: NOT_HERE, cancel: NOT_HERE, removeQueued: NOT_HERE, choose: NOT_HERE, loadOlder: NOT_HERE },
  };
}
