import { setTimeout as delay } from 'node:timers/promises';
import type { ApprovalAnswer, ApprovalRequest, Approve } from '@codelab/client';
import { decisionOf, editArguments, marksIn } from '../script/marks.js';
import type { ObserverRecord } from './record-runs.js';

/** How long the human thinks, at most. */
const MAX_THOUGHT_MS = 80;

/** The human at an executor: decides by the mark in the arguments, so the same again after a restart. */
export const scriptedHuman =
  ({ observer, session, record }: ObserverRecord): Approve =>
  async (request, signal) => {
    const answer = answerOf(request);
    await delay(thoughtOf(marksIn(request.args)[0] ?? request.callId), undefined, { signal });
    const about = { kind: 'decision', observer, session, callId: request.callId } as const;
    if (answer === undefined) record({ ...about, decision: 'leave' });
    else record({ ...about, decision: answer.decision, args: answer.decision === 'edit' ? answer.modifiedArgs : request.args });
    return answer;
  };

/** `undefined` leaves the question to somebody else. What the client itself asks about was decided by others already. */
function answerOf({ args, origin, refusal }: ApprovalRequest): ApprovalAnswer | undefined {
  if (origin === 'client') return { decision: 'approve' };
  if (refusal !== undefined) return { decision: 'reject', feedback: `refused: ${refusal.code}` };
  const [mark] = marksIn(args);
  switch (decisionOf(mark)) {
    case 'none':
    case 'approve':
      return { decision: 'approve' };
    case 'remember':
      return { decision: 'approve', remember: { scope: 'session', rule: { tool: 'write_file', path: 'kept/**' } } };
    case 'edit':
      return { decision: 'edit', modifiedArgs: editArguments(args, mark!) };
    case 'reject':
      return { decision: 'reject', feedback: 'Not this one.' };
    case 'watcher':
    case 'rest':
      return undefined;
  }
}

/** By the mark, which is the same in every run of a seed. */
const thoughtOf = (mark: string): number => [...mark].reduce((sum, letter) => sum + letter.charCodeAt(0), 0) % MAX_THOUGHT_MS;
