import type { CallEvidence, Operand, ToolErrorCode } from '@codelab/protocol';
import type { Approvals } from '../approvals/approvals.js';
import type { LocalVerdict } from '../local-policy/local-policy.js';
import type { CallOrder } from './call-order.js';
import type { CallPorts } from './call-ports.js';
import type { CallRunner } from './call-runner.js';
import { BY_RULE, factsOf, hasTool, isUnsafe, questionOf, type CallTask, type CheckedArguments, type Cleared } from './call-task.js';
import { bindOperands, faultOf, forgetPreview, preparePreview, sendPreview, type CallFault } from './show-preview.js';

/** Whether a call may run here, and as what. */
type Clearance = ({ readonly allowed: true } & Cleared) | { readonly allowed: false; readonly code: ToolErrorCode; readonly why: string };

type Asking = Extract<LocalVerdict, { kind: 'ask' }>;

const deny = (why: string): Clearance => ({ allowed: false, code: 'PERMISSION_DENIED', why });

/** The files of the decision and those of the rules that allow the call; they must agree. */
const allow = (task: CallTask, approved: boolean, ofRule: readonly Operand[] = []): Clearance => {
  const shown = task.binding?.operands;
  const files = new Map<string, string>();
  for (const { path, sha256 } of [...(shown ?? []), ...(task.frame.operands ?? []), ...ofRule]) {
    if ((files.get(path) ?? sha256) !== sha256) {
      const why = `${path} is not as it was when a human decided on it. Nothing was done.`;
      return { allowed: false, code: 'APPROVAL_MISMATCH', why };
    }
    files.set(path, sha256);
  }
  if (shown === undefined && files.size === 0) return { allowed: true, approved };
  return { allowed: true, approved, operands: [...files].map(([path, sha256]) => ({ path, sha256 })) };
};

/**
 * A store that was set back tells of a decision that a later question has replaced. What was shown with that one is what the call is bound to here,
 * and nobody has approved it (H2). What a rule spared was never a matter of questions.
 */
const isReplaced = (task: CallTask): boolean => {
  const { requires_approval, approval } = task.frame;
  return (requires_approval || approval !== undefined) && questionOf(task) < (task.question ?? 1);
};

/** Aborted when the call is given up before it began. */
const lifeOf = (task: CallTask): AbortSignal => (task.life ??= new AbortController()).signal;

/**
 * What stands between the servers' leave and the run: the question, where the servers ask one, the digest of the arguments that were decided
 * on, this client's own local policy, and the files that the decision is bound to (H1, H2).
 */
export class CallClearance {
  /** Calls that wait because this client's own policy asks. */
  private readonly questions = new Set<CallTask>();

  /** @param onCleared the call may run, as soon as there is room */
  constructor(
    private readonly ports: CallPorts,
    private readonly approvals: Approvals,
    private readonly runner: CallRunner,
    private readonly order: CallOrder,
    private readonly onCleared: (task: CallTask, cleared: Cleared) => void,
  ) {}

  /** A call that this process sees for the first time, or asked anew: what the journal knows of it decides how it goes on (R2). */
  begin(task: CallTask): void {
    const { frame, callId } = task;
    const { executor } = this.ports;
    const journal = this.ports.journal();
    const entry = journal?.find(callId);
    task.claimed = true;
    if (entry?.errorCode === 'APPROVAL_MISMATCH' && frame.state === 'waiting_approval') journal?.reopened(callId, questionOf(task));
    else if (entry !== undefined && entry.state !== 'received' && (entry.unsafe || isUnsafe(frame, executor))) {
      task.ranWith = entry.argsSha256;
      // A store that was set back asks again about what was approved and done: the answer is taken only once somebody has decided anew.
      if (frame.state !== 'waiting_approval') return this.runner.answerAgain(task);
      return this.advance(task);
    } else {
      task.approvedSha256 = entry?.approvedSha256;
      task.binding = entry?.shown;
      task.question = entry?.question;
    }
    this.advance(task);
  }

  /** Acknowledges a call and takes it to the next thing that it needs. */
  advance(task: CallTask): void {
    const isAsked = task.frame.requires_approval && task.frame.state === 'waiting_approval';
    if (isAsked) task.question = Math.max(questionOf(task), task.question ?? 1); // an earlier one that comes again is about what was shown then
    this.ports.journal()?.received(factsOf(task, this.ports.executor), task.question);
    this.acknowledge(task, 'received');
    if (isAsked) void this.ask(task);
    else void this.settle(task, task.shown, task.frame.args_sha256);
  }

  acknowledge({ callId, frame }: CallTask, state: CallEvidence): void {
    this.ports.send({ type: 'tool_ack', call_id: callId, fence: frame.fence, state });
  }

  /**
   * Puts the question of a call that waits for a decision, with what the call would do. One that can't be done is answered instead: its model
   * can mend it, and a human who decides can't. Servers before 2.1 take no such answer.
   */
  private async ask(task: CallTask): Promise<void> {
    task.phase = { kind: 'asking' };
    const fault = await this.look(task, lifeOf(task));
    if (task.phase.kind !== 'asking') return;
    const isNew = task.ranWith === undefined; // what was done can't be done again, and that says nothing
    if (fault !== undefined && isNew && task.claimed && this.ports.additions()) return this.runner.refuseByPreview(task, fault);
    if (!task.isPreviewKnown) sendPreview(task, this.ports);
    this.approvals.ask(task);
  }

  /** Looks what a call would do. Why it can't be done is known only when no call before it can change that any more. */
  private async look(task: CallTask, signal: AbortSignal): Promise<CallFault | undefined> {
    const isFirst = this.order.isFirst(task);
    await preparePreview(task, this.ports, signal);
    if (isFirst || faultOf(task) === undefined) return faultOf(task);
    forgetPreview(task);
    await this.order.first(task, signal);
    await preparePreview(task, this.ports, signal);
    return faultOf(task);
  }

  /** The servers let a call run with `args`, whose digest must be `sha256`: clears it with this client, or refuses it. */
  async settle(task: CallTask, args: CheckedArguments | undefined, sha256: string): Promise<void> {
    const { executor } = this.ports;
    const { tool_name: name } = task.frame;
    const refuse = (code: ToolErrorCode, why: string): void => this.runner.refuse(task, code, why);
    if (args === undefined) return refuse('INVALID_ARGUMENTS', `The arguments of ${name} are not a JSON object that has a digest.`);
    if (args.sha256 !== sha256)
      return refuse('APPROVAL_MISMATCH', `The arguments of ${name} are not those that were decided on. Nothing was done.`);
    if (task.ranWith === sha256) return this.runner.answerAgain(task);
    if (task.ranWith !== undefined)
      return refuse('OUTCOME_UNKNOWN', `${name} was begun before, with other arguments. Look at what it did.`);
    if (executor === undefined || !hasTool(executor, name)) return refuse('TOOL_NOT_FOUND', `This client has no tool ${name}.`);
    if (isReplaced(task))
      return refuse('APPROVAL_MISMATCH', `An earlier question about this ${name} was decided, and not the last one. Nothing was done.`);
    const phase = (task.phase = { kind: 'confirming' } as const);
    task.shown = args;
    task.decided ||= task.frame.requires_approval && task.frame.state === 'ready' && task.frame.approval?.by !== BY_RULE;
    const clearance = await this.clear(task, args, lifeOf(task));
    if (task.phase !== phase) return;
    if (clearance.allowed) return this.onCleared(task, clearance);
    const { code, why } = clearance;
    refuse(code, (code === 'PERMISSION_DENIED' ? `The user of this client does not allow this ${name}. ${why}` : why).trim());
  }

  /** A rule was made here, of the decision about a call: others that it covers need nobody any more. */
  async reconsider(decided: CallTask): Promise<void> {
    for (const task of [...this.questions].filter((each) => each !== decided)) {
      const { shown } = task;
      const verdict = shown && (await this.judge(task, shown.args));
      if (shown === undefined || verdict?.kind === 'ask' || !this.questions.has(task)) continue;
      this.approvals.withdraw(task);
      void this.settle(task, shown, shown.sha256);
    }
  }

  private async clear(task: CallTask, { args, sha256 }: CheckedArguments, signal: AbortSignal): Promise<Clearance> {
    const { frame } = task;
    const verdict = await this.judge(task, args);
    if (verdict.kind === 'deny') return deny(`${verdict.reason}.`);
    const isApprovedHere = task.approvedSha256 === sha256;
    if (verdict.kind === 'ask' && !isApprovedHere && (verdict.counts === 'here' || task.decided !== true)) {
      this.questions.add(task);
      return this.confirm(task, verdict, signal).finally(() => this.questions.delete(task));
    }
    if (verdict.kind === 'ask' || isApprovedHere) {
      await bindOperands(task, this.ports, signal);
      return allow(task, true);
    }
    const changed = await this.findChanged(task, verdict.operands ?? [], signal);
    if (changed !== undefined) return this.confirm(task, doubtful(`it was allowed while ${changed} had another content`), signal);
    await bindOperands(task, this.ports, signal);
    const byServers = task.decided === true || frame.operands !== undefined;
    const byRule = verdict.approved === 'by_rule' && task.decided !== true;
    const approved = verdict.approved === 'by_servers' ? byServers : verdict.approved !== 'no';
    const doubt = approved && !byRule ? undefined : await this.ports.executor?.findDoubt?.(frame.tool_name, args, signal, byRule);
    return doubt === undefined ? allow(task, approved, verdict.operands) : this.confirm(task, doubtful(doubt), signal);
  }

  private async judge({ frame }: CallTask, args: CheckedArguments['args']): Promise<LocalVerdict> {
    const { localPolicy, place, onProblem } = this.ports;
    await this.approvals.rulesKept;
    try {
      return await localPolicy.judge(frame.tool_name, args, { ...place(), origin: frame.origin === 'proxy' ? 'proxy' : undefined });
    } catch (error) {
      const reason = error instanceof Error ? error.message : String(error);
      onProblem('policy.failed', reason);
      return { kind: 'ask', counts: 'here', reason, risk: 'high' }; // a policy that can't tell is no leave to run
    }
  }

  /** The file that a rule of this client was made for and that has another content by now. */
  private async findChanged(task: CallTask, ofRule: readonly Operand[], signal: AbortSignal): Promise<string | undefined> {
    if (ofRule.length === 0) return undefined;
    await preparePreview(task, this.ports, signal);
    const now = new Map(task.preview?.operands?.map(({ path, sha256 }) => [path, sha256]));
    return ofRule.find(({ path, sha256 }) => now.has(path) && now.get(path) !== sha256)?.path;
  }

  /** Asks this client's human, whatever the servers decided. */
  private async confirm(task: CallTask, verdict: Asking, signal: AbortSignal): Promise<Clearance> {
    const { shown } = task;
    if (shown === undefined || task.binding?.argsSha256 !== shown.sha256) delete task.preview; // it shows other arguments, or none that this process has seen
    const fault = await this.look(task, signal);
    if (signal.aborted) return deny('');
    if (fault !== undefined) return { allowed: false, code: fault.code, why: fault.message };
    const { approved, feedback = '', noHuman = false } = await this.approvals.confirm(task, verdict);
    if (approved) return allow(task, true);
    return noHuman ? { allowed: false, code: 'DENIED_BY_POLICY', why: feedback } : deny(feedback);
  }
}

const doubtful = (reason: string): Asking => ({ kind: 'ask', counts: 'here', reason, risk: 'medium' });
