import type { CallHead } from '@codelab/protocol';
import { maskSecrets } from '@codelab/tools';
import type { CallAnswer } from '../journal/journal-record.js';
import type { CallFacts } from '../journal/journal-index.js';
import type { Journal } from '../journal/journal.js';
import type { CallPorts } from './call-ports.js';
import type { Cleared } from './call-task.js';
import { MaskedOutput, OutputLog } from './output-log.js';
import type { Clock } from '@codelab/clock';
import { toCallAnswer, toErrorAnswer, toStoppedAnswer } from './to-call-answer.js';
import type { StopReason, ToolArguments, ToolExecutor } from './tool-executor.js';

/** A call with everything decided: it runs now. */
export interface CallRun extends CallFacts, Cleared, Pick<CallHead, 'deadlineMs'> {
  readonly args: ToolArguments;
  readonly turnId?: string;
}

/** What running takes. */
export type RunPorts = Pick<CallPorts, 'clock' | 'send' | 'buffered' | 'allowedSecrets' | 'knownSecrets' | 'place' | 'additions'> & {
  readonly executor: ToolExecutor;
  readonly journal: Journal;
};

/** A call that runs. */
export interface RunningCall {
  /** The one answer, journalled. Never rejects. */
  readonly answer: Promise<CallAnswer>;
  /** Resolves when the executor has let go of the call, which may be after the answer. Never rejects. */
  readonly idle: Promise<void>;
}

/** Time for a tool that was told to stop to say how far it came. */
const STOP_GRACE_MS = 4_000;

/** Waits until the signal has been aborted for the grace time. */
const afterGrace = (signal: AbortSignal, clock: Clock): { readonly over: Promise<void>; callOff(): void } => {
  let callOff = (): void => undefined;
  let onAbort = (): void => undefined;
  const over = new Promise<void>((resolve) => {
    onAbort = () => {
      callOff = clock.after(STOP_GRACE_MS, resolve);
    };
    if (signal.aborted) onAbort();
    else signal.addEventListener('abort', onAbort, { once: true });
  });
  return {
    over,
    callOff: () => {
      signal.removeEventListener('abort', onAbort);
      callOff();
    },
  };
};

const stuckAnswer = ({ toolName, unsafe, deadlineMs }: CallRun, reason: StopReason): CallAnswer =>
  unsafe
    ? toErrorAnswer('OUTCOME_UNKNOWN', `${toolName} was told to stop and did not. It may still take effect: look before trying again.`)
    : toStoppedAnswer(toolName, reason, deadlineMs);

/** The executor's outcome as an answer. What it throws after it was stopped is its way of stopping. */
const execute = async (run: CallRun, ports: RunPorts, signal: AbortSignal, output: OutputLog): Promise<CallAnswer> => {
  const allowed = await ports.allowedSecrets();
  const known = ports.knownSecrets();
  const masked = new MaskedOutput(output, allowed, known);
  const { callId, toolName, args, operands, turnId, approved } = run;
  const stopped = (): CallAnswer => toStoppedAnswer(toolName, signal.reason as StopReason, run.deadlineMs);
  try {
    const outcome = await ports.executor.run(toolName, args, {
      callId,
      signal,
      approved,
      onOutput: masked.add,
      operands,
      turnId,
      sessionId: ports.place().sessionId,
      additions: ports.additions(),
    });
    if (!outcome.ok && outcome.error.code === 'CANCELLED' && signal.aborted) return stopped();
    return toCallAnswer(toolName, outcome, allowed, known);
  } catch (error) {
    if (signal.aborted) return stopped();
    const message = error instanceof Error ? error.message : String(error);
    return toErrorAnswer('OUTCOME_UNKNOWN', `${toolName} failed inside the client: ${maskSecrets(message, allowed, known).text}`);
  } finally {
    masked.end();
  }
};

/**
 * Runs one call: journal, `started`, effect, journal (R2). `stop` is aborted from outside to cancel it, and from here when `deadlineMs` is
 * over, counted from the start. Nothing is begun where the journal can't be written.
 */
export function runCall(run: CallRun, ports: RunPorts, stop: AbortController): RunningCall {
  const { callId, fence, toolName } = run;
  const { journal, clock } = ports;
  let free = (): void => undefined;
  const idle = new Promise<void>((resolve) => (free = resolve));

  const begin = async (): Promise<CallAnswer> => {
    try {
      await journal.begin(run);
    } catch (error) {
      free();
      return toErrorAnswer(
        'PERMISSION_DENIED',
        `${toolName} was not run: the client can't write its journal (${(error as Error).message}).`,
      );
    }
    if (stop.signal.aborted) {
      free();
      return toErrorAnswer('CANCELLED', `${toolName} was cancelled before it began.`);
    }
    ports.send({ type: 'tool_ack', call_id: callId, fence, state: 'started' });
    const output = new OutputLog(callId, { ...ports, send: ports.send });
    const deadline = clock.after(run.deadlineMs, () => stop.abort('timeout' satisfies StopReason));
    const grace = afterGrace(stop.signal, clock);
    const ran = execute(run, ports, stop.signal, output).finally(free);
    const answer = await Promise.race([ran, grace.over.then(() => stuckAnswer(run, stop.signal.reason as StopReason))]);
    deadline();
    grace.callOff();
    output.close();
    return answer;
  };

  const answer = begin().then(async (answered) => {
    await journal.end(callId, answered);
    return answered;
  });
  return { answer, idle };
}
