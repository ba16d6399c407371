import type { ClientFrame, ToolErrorCode } from '@codelab/protocol';
import type { CallAnswers } from './call-answers.js';
import { isUnsafe, type CallTask } from './call-task.js';
import type { CallAnswer } from '../journal/journal-record.js';
import type { Journal, JournalledArguments } from '../journal/journal.js';
import { runCall } from './run-call.js';
import type { Clock } from '@codelab/clock';
import { toErrorAnswer } from './to-call-answer.js';
import type { ToolExecutor } from './tool-executor.js';

/** Hears of a call that this client answered without running it, and why. */
export type OnRefused = (callId: string, error: { readonly code: ToolErrorCode; readonly message: string }) => void;

/** What running tasks needs. */
export interface RunnerPorts {
  readonly executor: ToolExecutor | undefined;
  readonly journal: () => Journal | undefined;
  readonly clock: Clock;
  readonly send: (frame: ClientFrame) => void;
  readonly buffered: () => number;
  readonly allowedSecrets: () => Promise<ReadonlySet<string>>;
  readonly knownSecrets: () => readonly string[];
  readonly onRefused: OnRefused;
}

/** What a journal notes of a task. */
export const toJournalled = ({ callId, frame, shown }: CallTask, executor: ToolExecutor | undefined): JournalledArguments => ({
  callId,
  argsSha256: shown?.sha256 ?? '',
  toolName: frame.tool_name,
  unsafe: isUnsafe(frame, executor),
  fence: frame.fence,
});

/** The last part of a call's way: it runs, or is refused, and its answer goes out. A task is `running`, then `answering`, then done. */
export class TaskRunner {
  private readonly ends = new Set<Promise<void>>();

  /** @param onAnswered the servers have the answer, or don't want it */
  constructor(
    private readonly ports: RunnerPorts,
    private readonly answers: CallAnswers,
    private readonly onAnswered: (task: CallTask) => void,
  ) {}

  /** Runs a call with the arguments it shows; resolves when the machine is free of it. */
  run(task: CallTask, turnId: string | undefined): Promise<void> {
    const { executor, clock, send, buffered, allowedSecrets, knownSecrets } = this.ports;
    const journal = this.ports.journal();
    if (executor === undefined || journal === undefined || task.shown === undefined) return Promise.resolve();
    const stop = new AbortController();
    task.phase = { kind: 'running', stop };
    const { answer, idle } = runCall(
      {
        ...toJournalled(task, executor),
        args: task.shown.args,
        deadlineMs: task.frame.deadline_ms,
        approved: task.clearance?.approved === true,
        ...(task.clearance?.operands && { operands: task.clearance.operands }),
        ...(turnId !== undefined && { turnId }),
      },
      { executor, journal, clock, send, buffered, allowedSecrets, knownSecrets },
      stop,
    );
    this.await(task, answer);
    return idle;
  }

  /** Answers a call that does not run. */
  refuse(task: CallTask, code: ToolErrorCode, message: string): void {
    const answer = toErrorAnswer(code, message);
    task.phase = { kind: 'answering', fence: task.frame.fence };
    this.ports.onRefused(task.callId, { code, message });
    this.await(
      task,
      Promise.resolve(this.ports.journal()?.end(task.callId, answer)).then(() => answer),
    );
  }

  /** Answers a call that was begun before, from the journal. */
  answerAgain(task: CallTask): void {
    const { callId, frame } = task;
    task.phase = { kind: 'answering', fence: frame.fence };
    void this.answers.sendAgain(callId, frame.fence, frame.tool_name).then(() => this.onAnswered(task));
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
      void this.answers.send(task.callId, fence, value).then(() => this.onAnswered(task));
    });
    this.ends.add(end);
  }
}
