import type { RememberedRule } from '@codelab/client';
import type { Operand, Preview, RuleProposal, ToolErrorCode } from '@codelab/protocol';

/** A call that waits for a human, with all that a decision needs. */
export interface ApprovalQuestion {
  readonly callId: string;
  /** The canonical name. */
  readonly toolName: string;
  readonly title: string;
  /** JSON text of the arguments, as they came. */
  readonly argsText: string;
  /** What the decision is bound to (H2). */
  readonly argsSha256: string;
  readonly reason: string;
  readonly risk: 'low' | 'medium' | 'high';
  /** Rules that would spare the question, narrowest first. */
  readonly proposals: readonly RuleProposal[];
  readonly preview: Preview | undefined;
  /** The files that it depends on, as they are now (H2). */
  readonly operands: readonly Operand[];
  /** The program that wants the call, as it calls itself. */
  readonly client: string;
}

/** A question of the model's to the human. */
export interface UserQuestion {
  readonly callId: string;
  readonly message: string;
  readonly actions: readonly string[];
  readonly client: string;
}

/** How a question to a human ended without an answer. */
export type Unanswered =
  /** They closed it. */
  | { readonly kind: 'dismissed' }
  | { readonly kind: 'timed_out' }
  /** Whoever was asked went away. */
  | { readonly kind: 'disconnected' }
  /** There was nobody to ask. */
  | { readonly kind: 'nobody' };

/** What became of an approval: only `approved` lets the call run (H1). */
export type Decision =
  | { readonly kind: 'approved'; readonly remember?: RememberedRule }
  | { readonly kind: 'rejected'; readonly feedback?: string; readonly remember?: RememberedRule }
  | Unanswered;

/** What became of a question. */
export type UserAnswer = { readonly kind: 'answered'; readonly action: string } | { readonly kind: 'declined' } | Unanswered;

/** Why a call has no result. */
export interface CallFault {
  readonly code: ToolErrorCode;
  readonly message: string;
}

/** What to do where nobody can be asked. */
const HOW_TO_GET_A_HUMAN =
  'Nobody is there to approve this call, so it did not run. A person can run `codelab mcp approvals` (or `codelab chat`) in this folder and ' +
  'answer there, or allow it from now on with `codelab rules add --allow TOOL`. Go on without it, or tell the user what should be approved.';

/** What the model reads of each end; four different facts (H3). */
export function faultOf(decision: Exclude<Decision, { kind: 'approved' }>): CallFault {
  switch (decision.kind) {
    case 'rejected': {
      const said = decision.feedback?.trim() ?? '';
      const message = 'The user rejected this call. Do not repeat it unchanged.';
      return { code: 'DENIED_BY_USER', message: said === '' ? message : `${message} They say: ${said}` };
    }
    case 'dismissed':
      return { code: 'CANCELLED', message: 'The user closed the question without deciding. The call did not run, and nobody refused it.' };
    case 'timed_out':
      return { code: 'APPROVAL_TIMED_OUT', message: 'Nobody decided about this call in time. Nobody refused it either. It did not run.' };
    case 'disconnected':
      return { code: 'CLIENT_DISCONNECTED', message: 'Whoever was asked about this call went away before they decided. It did not run.' };
    case 'nobody':
      return { code: 'DENIED_BY_POLICY', message: HOW_TO_GET_A_HUMAN };
  }
}

/** The same for a question of the model's. */
export function faultOfAnswer(answer: Exclude<UserAnswer, { kind: 'answered' }>): CallFault {
  if (answer.kind === 'declined') return { code: 'PERMISSION_DENIED', message: 'The user declined to answer.' };
  if (answer.kind === 'dismissed') return { code: 'CANCELLED', message: 'The user closed the question without an answer.' };
  if (answer.kind === 'timed_out') return { code: 'APPROVAL_TIMED_OUT', message: 'The user did not answer in time.' };
  return faultOf(answer);
}
