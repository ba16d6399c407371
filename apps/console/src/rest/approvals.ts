import type { ApprovalAnswer } from '@codelab/client/view';
import type { Approval, Operand, Preview } from '@codelab/protocol';
import { ask, type Answer } from './ask.js';

/** A call of some session that waits for a decision: the fields of its `tool_call` frame, and where it is asked. */
export interface WaitingCall {
  readonly session_id: string;
  readonly title?: string;
  readonly workspace?: { readonly name?: string };
  /** Whether the client that would run it is connected. */
  readonly executor_connected: boolean;
  readonly call_id: string;
  readonly tool_name: string;
  readonly args: Readonly<Record<string, unknown>>;
  readonly args_sha256: string;
  readonly approval?: Approval;
  readonly preview?: Preview;
  readonly operands?: readonly Operand[];
  readonly origin?: 'proxy' | 'task';
  readonly task_call_id?: string;
}

/** Decides a call, bound to the digest and to the question that was shown (H2). */
export function decideCall(
  { session_id: sessionId, call_id, approval }: WaitingCall,
  argsSha256: string,
  answer: ApprovalAnswer,
): Promise<Answer<unknown>> {
  return ask('POST', `/api/v1/sessions/${encodeURIComponent(sessionId)}/decisions`, {
    call_id,
    decision: answer.decision,
    modified_args: answer.decision === 'edit' ? answer.modifiedArgs : undefined,
    feedback: answer.feedback,
    args_sha256: argsSha256,
    question: approval?.question ?? 1,
    remember: answer.remember && { scope: answer.remember.scope, rule: answer.remember.rule },
  });
}
