import type { CallChange } from '@codelab/protocol';
import type { QueuedMessage, SessionStore, StepEffects } from '../../session-store.js';
import { auditArguments } from '../rules/audit-rows.js';
import type { SessionScripts } from './session-scripts.js';

const changeArguments = (change: CallChange): (string | number)[] => {
  switch (change.kind) {
    case 'open': {
      const { callId, frame, state, argsSha256, fence, expiresAtMs, toolName, idempotency, deadlineMs } = change.call;
      const { givenTo = '', target = '', agent = '' } = change.call;
      return ['open', callId, state, argsSha256, fence, expiresAtMs, idempotency, deadlineMs, frame, toolName, givenTo, target, agent];
    }
    case 'ask_again':
      return [change.kind, change.callId, change.argsSha256, change.expiresAtMs, change.frame];
    case 'reassign':
      return [change.kind, change.callId, change.fence];
    case 'close':
      return [change.kind, change.callId, change.synthetic ? '1' : ''];
  }
};

/** A message as the queue keeps it: with what `queue_updated` shows of it. */
const queueArguments = ({ messageId, turnId, frame }: QueuedMessage): string[] => {
  const { content } = JSON.parse(frame) as { content?: unknown };
  return [JSON.stringify(messageId), turnId, JSON.stringify({ message_id: messageId, content }), frame];
};

const list = <Item>(items: readonly Item[], toArguments: (item: Item) => readonly (string | number)[]): (string | number)[] => [
  items.length,
  ...items.flatMap(toArguments),
];

const commitArguments = (leaseFence: number, cancelSeen: string, step: StepEffects): (string | number)[] => [
  ...[leaseFence, cancelSeen, step.inboxUpTo, step.state, step.modelRequest?.stepId ?? '', step.modelRequest?.request ?? ''],
  step.endTurn?.turnId ?? '',
  ...list(step.frames, (frame) => [frame]),
  ...list(step.history, (item) => [item]),
  ...list(step.calls, changeArguments),
  ...list(step.endTurn?.requeue ?? [], queueArguments),
  ...list(
    Object.entries(step.meta ?? {}).filter(([, value]) => value !== undefined),
    ([name, value]) => [name, value],
  ),
  ...list(step.audit ?? [], auditArguments),
];

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
