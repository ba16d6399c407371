import type { ToolErrorCode } from '@codelab/protocol';
import { ConnectionClosedError, RefusedError } from '../client-errors.js';
import type { CallAnswer } from '../journal/journal-record.js';
import type { CallPorts } from './call-ports.js';
import { factsOf, type CallTask, type Cleared } from './call-task.js';
import { runCall } from './run-call.js';
import type { CallFault } from './show-preview.js';
import { toErrorAnswer, toResultFrame } from './to-call-answer.js';

/** How the way of an answer ended. */
export type AnswerEnd = 'settled' | 'undecided';

/**
 * The last part of a call's way: it runs, or is refused, and its answer goes out as often as it takes (G2), until the journal notes that the
 * servers have it. A task is `running`, then `answering`, then done.
 */
export class CallRunner {
  private readonly ends = new Set<Promise<void>>();

  /** @param onAnswered the servers have the answer, or don't want it: `undecided`, because nobody has decided on the call */
  constructor(
    private readonly ports: CallPorts,
    private readonly onAnswered: (task: CallTask, end: AnswerEnd) => void,
  ) {}

  /** Runs a call with the arguments it shows; resolves when the machine is free of it. */
  run(task: CallTask, { approved, operands }: Cleared, turnId: string | undefined): Promise<void> {
    const { executor } = this.ports;
    const journal = this.ports.journal();
    if (executor === undefined || journal === undefined || task.shown === undefined) return Promise.resolve();
    const stop = new AbortController();
    task.phase = { kind: 'running', stop };
    const { args } = task.shown;
    const run = { ...factsOf(task, executor), args, deadlineMs: task.frame.deadline_ms, approved, operands, turnId };
    const { answer, idle } = runCall(run, { ...this.ports, executor, journal }, stop);
    this.await(task, answer);
    return idle;
  }

  /** Answers a call that does not run. */
  refuse(task: CallTask, code: ToolErrorCode, message: string): void {
    this.answerUnrun(task, toErrorAnswer(code, message), { code, message });
  }

  /** Answers a call that nobody has decided yet, and need not: it can't be done. */
  refuseByPreview(task: CallTask, fault: CallFault): void {
    this.answerUnrun(task, { ...toErrorAnswer(fault.code, fault.message), previewFailed: true }, fault);
  }

  private answerUnrun(task: CallTask, answer: CallAnswer, { code, message }: CallFault): void {
    task.phase = { kind: 'answering', fence: task.frame.fence };
    this.ports.onRefused(task.callId, { code, message });
    const ended = Promise.resolve(this.ports.journal()?.end(task.callId, answer));
    this.await(
      task,
      ended.then(() => answer),
    );
  }

  /** Answers a call that was begun before, from the journal. */
  answerAgain(task: CallTask): void {
    const { callId, frame } = task;
    task.phase = { kind: 'answering', fence: frame.fence };
    void this.sendAgain(callId, frame.fence, frame.tool_name).then((end) => this.onAnswered(task, end));
  }

  /** Sends the answers that a process before this one could not bring to an end. */
  sendUnsettled(isOpen: (callId: string) => boolean): void {
    for (const { callId, fence, toolName } of this.ports.journal()?.unsettled() ?? []) {
      if (!isOpen(callId) && !this.ports.requests.has('result', callId)) void this.sendAgain(callId, fence, toolName);
    }
  }

  /** Resolves when the answers of all calls that run now are in the journal. */
  async ended(): Promise<void> {
    await Promise.allSettled(this.ends);
  }

  private await(task: CallTask, answer: Promise<CallAnswer>): void {
    const end = answer.then((value) => {
      this.ends.delete(end);
      const { fence } = task.frame;
      task.phase = { kind: 'answering', fence };
      void this.send(task.callId, fence, value).then((sent) => this.onAnswered(task, sent));
    });
    this.ends.add(end);
  }

  /** Sends an answer until it is acknowledged or refused. Never rejects. */
  private async send(callId: string, fence: number, answer: CallAnswer): Promise<AnswerEnd> {
    let end: AnswerEnd = 'settled';
    try {
      await this.ports.requests.ask({ kind: 'result', id: callId }, toResultFrame(callId, fence, answer));
    } catch (error) {
      if (error instanceof ConnectionClosedError) return end; // the next process sends it, from the journal
      if (!(error instanceof RefusedError)) throw error;
      if (error.code !== 'ALREADY_RESOLVED') this.ports.onProblem('result.refused', `${callId}: ${error.code}: ${error.message}`);
      if (error.code === 'FORBIDDEN' && !('previewFailed' in answer)) end = 'undecided';
    }
    this.ports.journal()?.settled(callId);
    return end;
  }

  /** Answers an unsafe call that was begun before: with what it ended with, or with the truth that nobody knows. */
  private async sendAgain(callId: string, fence: number, toolName: string): Promise<AnswerEnd> {
    const lost = `${toolName} was begun and its end was lost: the client stopped meanwhile. Look at what it did before trying again.`;
    const known = await this.ports.journal()?.answerOf(callId);
    return this.send(callId, fence, known ?? toErrorAnswer('OUTCOME_UNKNOWN', lost));
  }
}
