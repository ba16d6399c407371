import type { ApprovalAnswer, ApprovalRequest, Approve } from '@codelab/client';
import { ToolFailure } from '@codelab/workspace';
import type { Ask, Review } from '@codelab/workspace';
import type { Asked, ChatEffect, ChatEvent } from '../../core/chat/chat-state.js';
import type { ParsedPatch } from '@codelab/tools';

type Answer = Extract<ChatEffect, { kind: 'decide' | 'answer_question' | 'answer_review' }>;

/**
 * The human at this terminal, for approvals and for the tools that ask. Puts questions onto the screen, takes them away when they are
 * settled elsewhere, and hands each answer to whoever asked.
 */
export class HumanAtTerminal implements Ask {
  private readonly waiting = new Map<string, (answer: Answer) => void>();
  private questions = 0;

  constructor(private readonly dispatch: (event: ChatEvent) => void) {}

  /** An answer that the human gave on the screen. */
  take(answer: Answer): void {
    this.waiting.get(answer.callId)?.(answer);
  }

  readonly approve: Approve = async (request: ApprovalRequest, signal: AbortSignal): Promise<ApprovalAnswer | undefined> => {
    const { callId, toolName, argsText, argsSha256, origin, approval, preview, refusal, onPreview } = request;
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

  async reviewPatch(patch: ParsedPatch, message: string | undefined, signal: AbortSignal): Promise<Review> {
    const answer = await this.ask({ kind: 'review', callId: this.nextId(), patch, message: message ?? '' }, signal);
    if (answer?.kind !== 'answer_review' || answer.review === undefined) return { action: 'cancel', chunks: [] };
    return answer.review;
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
