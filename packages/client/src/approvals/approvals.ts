import {
  JsonText,
  type Approval,
  type ClientFrameOf,
  type ErrorCode,
  type Operand,
  type Preview,
  type ServerFrame,
} from '@codelab/protocol';
import type { CallPorts } from '../calls/call-ports.js';
import { checkArguments, isProgram, questionOf, type CallTask } from '../calls/call-task.js';
import { ConnectionClosedError, RefusedError } from '../client-errors.js';
import type { LocalVerdict } from '../local-policy/local-policy.js';
import type { ApprovalAnswer, ApprovalRequest } from './approval-request.js';

/** Refusals of a decision after which the call still waits, and its human can do better. */
const ASK_AGAIN: ReadonlySet<ErrorCode> = new Set([
  'INVALID_ARGUMENTS',
  'INVALID_FIELD',
  'DIGEST_MISMATCH',
  'DENIED_BY_POLICY',
  'FRAME_TOO_LARGE',
]);

/** Refusals that only say that somebody else was faster. */
const OVERTAKEN: ReadonlySet<ErrorCode> = new Set(['ALREADY_RESOLVED', 'EXPIRED', 'UNKNOWN_CALL']);

type Asking = Extract<LocalVerdict, { kind: 'ask' }>;

const toDecision = (task: CallTask, answer: ApprovalAnswer): ClientFrameOf<'hitl_decision'> => ({
  type: 'hitl_decision',
  call_id: task.callId,
  decision: answer.decision,
  modified_args: answer.decision === 'edit' ? JsonText.of(answer.modifiedArgs) : undefined,
  feedback: answer.feedback,
  no_human: answer.decision === 'reject' && answer.noHuman === true ? true : undefined,
  args_sha256: task.shown?.sha256,
  question: questionOf(task),
  remember: answer.remember && { scope: answer.remember.scope, rule: answer.remember.rule },
});

/** What the human should know: from the servers, or from the local policy that asks. */
const approvalOf = ({ approval: asked, origin }: CallTask['frame'], verdict: Asking | undefined): Approval | undefined => {
  if (verdict === undefined) return asked;
  const { risk, proposals } = verdict;
  const reason = origin === 'proxy' ? `a program asks, through llm-proxy: ${verdict.reason}` : verdict.reason;
  return { reason, risk, choices: ['approve', 'reject'], proposals: proposals && [...proposals] };
};

/**
 * Asks this client's human about calls and passes the decisions on. It never runs anything: a decision counts when the servers have
 * logged it, and only for the arguments whose digest it names (H2, H3).
 */
export class Approvals {
  private readonly previews = new PreviewListeners();
  private keeping: Promise<unknown> = Promise.resolve();

  /** @param onRule a rule of this client's own was made of the decision about a call */
  constructor(
    private readonly ports: CallPorts,
    private readonly onRule: (decided: CallTask) => void,
  ) {}

  /** Resolves when the rules of decisions that are on their way are kept here: what the servers settle by one comes right behind it. */
  get rulesKept(): Promise<unknown> {
    return this.keeping;
  }

  /** Opens the prompt of a call that the servers wait for, until it is decided here or elsewhere. */
  ask(task: CallTask): void {
    if (this.ports.approve === undefined || task.shown === undefined || task.prompt !== undefined) return;
    const prompt = (task.prompt = new AbortController());
    void this.askUntilDecided(task, prompt.signal).finally(() => {
      if (task.prompt === prompt) delete task.prompt;
    });
  }

  /** Asks because this client's local policy does. Only an approval of the arguments as they are lets the call run. */
  async confirm(
    task: CallTask,
    verdict: Asking,
  ): Promise<{ readonly approved: boolean; readonly feedback?: string; readonly noHuman?: boolean }> {
    if (this.ports.approve === undefined) return { approved: false, feedback: 'nobody at this client can approve it' };
    const prompt = (task.prompt = new AbortController());
    try {
      let refusal: ApprovalRequest['refusal'];
      for (;;) {
        const answer = await this.askHuman(task, verdict, prompt.signal, refusal);
        if (answer?.decision !== 'edit') {
          if (answer !== undefined) await this.remember(task, answer);
          const noHuman = answer?.decision === 'reject' && answer.noHuman === true;
          return { approved: answer?.decision === 'approve', noHuman, feedback: answer?.feedback };
        }
        refusal = {
          code: 'INVALID_ARGUMENTS',
          message: 'The servers have decided on these arguments. Approve them, or reject the call and say what you want.',
        };
      }
    } finally {
      if (task.prompt === prompt) delete task.prompt;
    }
  }

  /** Clears the prompt of a call that was settled elsewhere. */
  withdraw(task: CallTask): void {
    task.prompt?.abort();
    delete task.prompt;
  }

  /** Sends a decision; resolves with the frame that says how the question ended. */
  async decide(task: CallTask, answer: ApprovalAnswer): Promise<ServerFrame> {
    const before = task.approvedSha256;
    if (answer.decision !== 'reject') {
      const sha256 = (answer.decision === 'edit' ? checkArguments(JsonText.of(answer.modifiedArgs)) : task.shown)?.sha256;
      if (sha256 === undefined)
        throw new RefusedError('INVALID_ARGUMENTS', 'the arguments are not a JSON object that can be approved', false);
      task.approvedSha256 = sha256;
      this.ports.journal()?.approved(task.callId, sha256);
    }
    try {
      const decided = this.sendDecision(task, answer);
      if (answer.remember !== undefined) this.keeping = Promise.allSettled([this.keeping, decided]);
      return await decided;
    } catch (error) {
      task.approvedSha256 = before;
      throw error;
    }
  }

  /** Tells an open prompt of a preview that came. */
  update({ callId, preview }: CallTask): void {
    if (preview !== undefined) this.previews.tell(callId, preview.preview, preview.operands ?? []);
  }

  private async sendDecision(task: CallTask, answer: ApprovalAnswer): Promise<ServerFrame> {
    const frame = await this.ports.requests.ask({ kind: 'decision', id: task.callId }, toDecision(task, answer));
    await this.remember(task, answer);
    return frame;
  }

  /** Makes a rule of this client's own, too, where this client executes: what its human decided here is not asked again here. */
  private async remember(task: CallTask, { decision, remember }: ApprovalAnswer): Promise<void> {
    const { localPolicy, place, onProblem } = this.ports;
    if (remember === undefined || !task.claimed || localPolicy.remember === undefined) return;
    const decided = decision === 'reject' ? 'deny' : 'allow';
    try {
      await localPolicy.remember({ place: place(), decided, remember, operands: task.binding?.operands ?? [] });
      this.onRule(task);
    } catch (error) {
      onProblem('rule.failed', error instanceof Error ? error.message : String(error));
    }
  }

  private async askUntilDecided(task: CallTask, signal: AbortSignal): Promise<void> {
    let refusal: ApprovalRequest['refusal'];
    for (;;) {
      const answer = await this.askHuman(task, undefined, signal, refusal);
      if (answer === undefined || signal.aborted) return;
      try {
        await this.decide(task, answer);
        return;
      } catch (error) {
        if (error instanceof ConnectionClosedError || signal.aborted) return;
        if (!(error instanceof RefusedError)) return this.ports.onProblem('approval.failed', (error as Error).message);
        if (OVERTAKEN.has(error.code)) return;
        if (!ASK_AGAIN.has(error.code)) return this.ports.onProblem('approval.refused', `${error.code}: ${error.message}`);
        refusal = { code: error.code, message: error.message };
      }
    }
  }

  /** One question. A prompt that fails or was cleared decides nothing (H3). */
  private async askHuman(
    task: CallTask,
    verdict: Asking | undefined,
    signal: AbortSignal,
    refusal: ApprovalRequest['refusal'],
  ): Promise<ApprovalAnswer | undefined> {
    const { shown, frame, preview } = task;
    if (this.ports.approve === undefined || shown === undefined) return undefined;
    const request: ApprovalRequest = {
      callId: task.callId,
      toolName: frame.tool_name,
      args: shown.args,
      argsText: shown.text,
      argsSha256: shown.sha256,
      origin: verdict === undefined ? 'server' : 'client',
      program: isProgram(task) ? true : undefined,
      approval: approvalOf(frame, verdict),
      onPreview: (listener) => this.previews.listen(task.callId, listener),
      preview: preview?.preview,
      operands: preview?.operands,
      refusal,
    };
    try {
      const answer = await this.ports.approve(request, signal);
      return signal.aborted ? undefined : answer;
    } catch (error) {
      if (!signal.aborted) this.ports.onProblem('approval.failed', error instanceof Error ? error.message : String(error));
      return undefined;
    }
  }
}

type Listener = (preview: Preview, operands: readonly Operand[]) => void;

/** The prompts that wait for a preview, by call. */
class PreviewListeners {
  private readonly listeners = new Map<string, Set<Listener>>();

  listen(callId: string, listener: Listener): () => void {
    const all = this.listeners.get(callId) ?? new Set();
    this.listeners.set(callId, all.add(listener));
    return () => {
      all.delete(listener);
      if (all.size === 0 && this.listeners.get(callId) === all) this.listeners.delete(callId);
    };
  }

  tell(callId: string, preview: Preview, operands: readonly Operand[]): void {
    for (const listener of this.listeners.get(callId) ?? []) listener(preview, operands);
  }
}
