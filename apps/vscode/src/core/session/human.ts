import type { ApprovalAnswer, ApprovalRequest, Approve } from '@codelab/client';
import type { Decision, Question, QuestionAnswer, ReviewedLine } from '@codelab/ui/port';
import type { Ask } from '@codelab/workspace';
import { formatPatch, type ParsedPatch, type PatchLine, type Review } from '@codelab/tools/patch';
import { ToolFailure } from '@codelab/workspace';

/** A call that waits for the human here. */
export interface WaitingCall {
  readonly request: ApprovalRequest;
  /** The latest preview. */
  readonly preview: ApprovalRequest['preview'];
}

type Settle = (answer: ApprovalAnswer | undefined) => void;

interface Asked {
  readonly question: Question;
  readonly settle: (answer: QuestionAnswer) => void;
}

/**
 * The human in this window, for approvals and for the tools that ask. Whoever answers first, the chat, a diff editor or a notification,
 * has answered: the question is gone from everywhere.
 */
export class HumanHere implements Ask {
  private readonly calls = new Map<string, WaitingCall & { readonly settle: Settle }>();
  private readonly asked = new Map<string, Asked>();
  private readonly listeners = new Set<() => void>();
  private shown: readonly Question[] = [];
  private count = 0;

  /** @param runningCall which call asks just now: the tools that ask don't know it */
  constructor(private readonly runningCall: () => string = () => '') {}

  /** Hears of each question that comes, changes or goes. */
  subscribe(listener: () => void): () => void {
    this.listeners.add(listener);
    return () => void this.listeners.delete(listener);
  }

  /** Calls that wait, oldest first. */
  waiting(): readonly WaitingCall[] {
    return [...this.calls.values()];
  }

  find(callId: string): WaitingCall | undefined {
    return this.calls.get(callId);
  }

  /** Questions that only this human answers: the same value until one comes or goes. */
  readonly questions = (): readonly Question[] => this.shown;

  /** Answers a call that waits; false: it doesn't wait here any more. Throws an `Error` where other arguments were shown (H2). */
  decide(callId: string, { argsSha256, ...answer }: Decision): boolean {
    const call = this.calls.get(callId);
    if (call !== undefined && argsSha256 !== undefined && argsSha256 !== call.request.argsSha256)
      throw new Error('The call has other arguments by now: look at it again. Nothing was decided.');
    call?.settle(answer);
    return call !== undefined;
  }

  /** Answers a question. Throws an `Error` where it isn't asked any more. */
  answer(id: string, answer: QuestionAnswer): void {
    const asked = this.asked.get(id);
    if (asked === undefined) throw new Error('The question has been answered, or nobody waits for it any more.');
    asked.settle(answer);
  }

  readonly approve: Approve = (request, signal) =>
    new Promise((resolve) => {
      if (signal.aborted) return resolve(undefined);
      const { callId, origin } = request;
      const settle: Settle = (answer) => {
        signal.removeEventListener('abort', withdraw);
        endPreviews();
        this.calls.delete(callId);
        this.asked.delete(`confirm:${callId}`);
        resolve(answer);
        this.tell();
      };
      const withdraw = (): void => settle(undefined);
      const put = (preview: ApprovalRequest['preview']): void => {
        this.calls.set(callId, { request, preview, settle });
        if (origin === 'client') this.confirm({ ...request, preview }, settle);
        this.tell();
      };
      const endPreviews = request.onPreview(put);
      signal.addEventListener('abort', withdraw);
      put(request.preview);
    });

  async promptUser(message: string, actions: readonly string[], signal: AbortSignal): Promise<string> {
    const answer = await this.ask({ kind: 'prompt', message, actions }, signal);
    if (answer?.kind === 'prompt') return answer.action;
    throw new ToolFailure('PERMISSION_DENIED', 'The user declined to answer.');
  }

  async reviewPatch(patch: ParsedPatch, message: string | undefined, signal: AbortSignal): Promise<Review> {
    const answer = await this.ask({ kind: 'review', diff: formatPatch(patch), message }, signal);
    if (answer?.kind !== 'review') return { action: 'cancel', chunks: [] };
    const editedChunks = answer.editedChunks?.map(({ chunk, lines }) => ({ chunk, lines: lines.map(toPatchLine) }));
    return { action: 'apply', chunks: answer.chunks, editedChunks };
  }

  /** The policy of this very machine asks: a question beside the calls that the servers wait for. */
  private confirm(request: ApprovalRequest, settle: Settle): void {
    const { callId, toolName, argsText: args, approval, preview, operands, refusal } = request;
    const id = `confirm:${callId}`;
    const question: Question = { id, callId, kind: 'confirm', toolName, args, approval, preview, operands, refusal: refusal?.message };
    this.asked.set(id, {
      question,
      settle: (answer) => {
        if (answer.kind === 'confirm') settle({ decision: answer.decision, feedback: answer.feedback });
        else settle({ decision: 'reject' });
      },
    });
  }

  private ask(asks: AskedOf, signal: AbortSignal): Promise<QuestionAnswer | undefined> {
    this.count += 1;
    const id = `question-${String(this.count)}`;
    return new Promise((resolve) => {
      if (signal.aborted) return resolve(undefined);
      const settle = (answer: QuestionAnswer | undefined): void => {
        signal.removeEventListener('abort', withdraw);
        this.asked.delete(id);
        resolve(answer);
        this.tell();
      };
      const withdraw = (): void => settle(undefined);
      signal.addEventListener('abort', withdraw);
      this.asked.set(id, { question: { id, callId: this.runningCall(), ...asks }, settle });
      this.tell();
    });
  }

  private tell(): void {
    this.shown = [...this.asked.values()].map(({ question }) => question);
    for (const listener of [...this.listeners]) listener();
  }
}

const toPatchLine = ({ sign, text, noNewline }: ReviewedLine): PatchLine => ({
  sign,
  text,
  noNewline: noNewline === true ? true : undefined,
});

type AskedOf =
  | { readonly kind: 'prompt'; readonly message: string; readonly actions: readonly string[] }
  | { readonly kind: 'review'; readonly diff: string; readonly message?: string };
