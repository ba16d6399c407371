import type { ApprovalAnswer, ApprovalRequest, Approve } from '@codelab/client';
import { filterPatch, formatPatch, type ParsedPatch, type Review } from '@codelab/tools/patch';
import { ToolFailure, type Ask } from '@codelab/workspace';
import type { Asked, ChatEffect, ChatEvent } from '../../core/chat/chat-state.js';
import type { FormOutcome, FormRequest } from '../../core/form/form-prompt.js';

type Answer = Extract<ChatEffect, { kind: 'decide' | 'answer_question' | 'answer_form' | 'answer_review' }>;

/**
 * The human at this terminal, for approvals and for the tools that ask. Puts questions onto the screen, takes them away when they are
 * settled elsewhere, and hands each answer to whoever asked.
 */
export class HumanAtTerminal implements Ask {
  private readonly waiting = new Map<string, (answer: Answer) => void>();
  private questions = 0;
  /** The patch that was reviewed last, as it was left: the call that applies just that has been decided by the review. */
  private reviewed: string | undefined;

  constructor(private readonly dispatch: (event: ChatEvent) => void) {}

  /** What was reviewed was for the turn that is over: the same patch may do something else by now. */
  endTurn(): void {
    this.reviewed = undefined;
  }

  /** An answer that the human gave on the screen. */
  take(answer: Answer): void {
    this.waiting.get(answer.callId)?.(answer);
  }

  readonly approve: Approve = async (request: ApprovalRequest, signal: AbortSignal): Promise<ApprovalAnswer | undefined> => {
    const { callId, toolName, argsText, argsSha256, origin, approval, preview, refusal, onPreview } = request;
    if (this.takeReviewed(request)) return { decision: 'approve' };
    const call = { callId, toolName, args: argsText, argsSha256, origin, approval, preview, refusal: refusal?.message };
    const endPreviews = onPreview((shown) => {
      const atMs = Date.now();
      this.dispatch({ kind: 'session', event: { kind: 'call_previewed', callId, preview: shown, atMs }, atMs });
    });
    const answer = await this.ask({ kind: 'approval', call }, signal).finally(endPreviews);
    return answer?.kind === 'decide' ? toApprovalAnswer(answer) : undefined;
  };

  async promptUser(message: string, actions: readonly string[], signal: AbortSignal): Promise<string> {
    const answer = await this.ask({ kind: 'question', callId: this.nextId(), message, actions }, signal);
    if (answer?.kind !== 'answer_question' || answer.action === undefined)
      throw new ToolFailure('PERMISSION_DENIED', 'The user declined to answer.');
    return answer.action;
  }

  /** Puts what an MCP server asks. Where the question is taken back it counts as left unanswered. */
  async fillIn(request: FormRequest, signal: AbortSignal): Promise<FormOutcome> {
    const answer = await this.ask({ kind: 'form', callId: this.nextId(), request }, signal);
    return answer?.kind === 'answer_form' ? answer.outcome : { action: 'cancel' };
  }

  async reviewPatch(patch: ParsedPatch, message: string | undefined, signal: AbortSignal): Promise<Review> {
    const answer = await this.ask({ kind: 'review', callId: this.nextId(), patch, message: message ?? '' }, signal);
    if (answer?.kind !== 'answer_review' || answer.review === undefined) return { action: 'cancel', chunks: [] };
    if (answer.review.action === 'apply') this.reviewed = formatPatch(filterPatch(patch, answer.review));
    return answer.review;
  }

  /**
   * Whether the human has decided this call by choosing its hunks: the patch is to the letter what the review left, in a clean work tree, nothing
   * was decided by it before, and nothing is said of the call that a review doesn't show.
   */
  private takeReviewed({ toolName, argsText, approval, refusal, origin, program }: ApprovalRequest): boolean {
    const { reviewed } = this;
    if (reviewed === undefined || toolName !== 'apply_patch' || refusal !== undefined || program) return false;
    if (origin === 'client' || approval?.risk === 'high') return false;
    const { diff, allow_dirty: allowsDirty = false } = JSON.parse(argsText) as { readonly diff?: unknown; readonly allow_dirty?: unknown };
    if (allowsDirty !== false) return false;
    if (typeof diff !== 'string' || diff.replace(/\n$/, '') !== reviewed.replace(/\n$/, '')) return false;
    this.reviewed = undefined;
    return true;
  }

  private nextId(): string {
    this.questions += 1;
    return `question-${this.questions}`;
  }

  private async ask(asked: Asked, signal: AbortSignal): Promise<Answer | undefined> {
    const callId = asked.kind === 'approval' ? asked.call.callId : asked.callId;
    if (signal.aborted) return undefined;
    return new Promise((resolve) => {
      const settle = (answer: Answer | undefined): void => {
        signal.removeEventListener('abort', withdraw);
        this.waiting.delete(callId);
        resolve(answer);
      };
      const withdraw = (): void => {
        this.dispatch({ kind: 'withdrawn', callId, atMs: Date.now() });
        settle(undefined);
      };
      signal.addEventListener('abort', withdraw);
      this.waiting.set(callId, settle);
      this.dispatch({ kind: 'asked', asked, atMs: Date.now() });
    });
  }
}

function toApprovalAnswer({ decision, args, feedback, remember }: Extract<Answer, { kind: 'decide' }>): ApprovalAnswer {
  const words = { feedback, remember };
  if (decision === 'edit') return { decision, modifiedArgs: JSON.parse(args ?? '{}') as Readonly<Record<string, unknown>>, ...words };
  return { decision, ...words };
}
