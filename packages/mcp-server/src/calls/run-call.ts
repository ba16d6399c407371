import type { Clock } from '@codelab/clock';
import type { Operand } from '@codelab/protocol';
import type { CanonicalToolDefinition, JsonObject } from '@codelab/tools';
import type { ToolOutcome, Workspace } from '@codelab/workspace';
import type { WriteTurns } from './write-turns.js';

/** A call with everything decided. */
export interface CallRun {
  readonly callId: string;
  readonly sessionId: string;
  readonly tool: CanonicalToolDefinition;
  readonly args: JsonObject;
  /** A human, or a rule of one, decided on this very call. */
  readonly approved: boolean;
  /** The files that the decision is bound to (H2). */
  readonly operands: readonly Operand[];
  /** The other program gave the call up, or is gone. */
  readonly signal: AbortSignal;
  readonly onOutput: (stream: 'stdout' | 'stderr', data: string) => void;
}

/** What running takes. */
export interface RunPorts {
  readonly workspace: Pick<Workspace, 'run'>;
  readonly turns: WriteTurns;
  readonly clock: Clock;
}

/** Runs a call to its end, at most as long as its tool may take. A write waits for its turn first, and that isn't counted. Never rejects. */
export async function runCall(run: CallRun, { workspace, turns, clock }: RunPorts): Promise<ToolOutcome> {
  const { tool, args, signal, callId, sessionId, approved, operands, onOutput } = run;
  const stop = new AbortController();
  const cancel = (): void => stop.abort('cancelled');
  signal.addEventListener('abort', cancel, { once: true });
  if (signal.aborted) cancel();
  const work = async (): Promise<ToolOutcome> => {
    const deadline = clock.after(tool.deadlineMs, () => stop.abort('timeout'));
    try {
      const outcome = await workspace.run(tool.name, args, {
        ...{ signal: stop.signal, callId, sessionId, approved, onOutput, additions: true },
        operands: operands.length === 0 ? undefined : operands,
      });
      const isLate = !outcome.ok && outcome.error.code === 'CANCELLED' && stop.signal.reason === 'timeout';
      return isLate ? fail('TIMEOUT', `${tool.name} ran longer than its ${String(tool.deadlineMs)} ms and was stopped.`) : outcome;
    } finally {
      deadline();
    }
  };
  try {
    return await (tool.access === 'write' ? turns.run(stop.signal, work) : work());
  } catch (error) {
    if (stop.signal.aborted) return fail('CANCELLED', `${tool.name} was cancelled before it began.`);
    return fail('OUTCOME_UNKNOWN', `${tool.name} failed inside the server: ${error instanceof Error ? error.message : String(error)}`);
  } finally {
    signal.removeEventListener('abort', cancel);
  }
}

const fail = (code: 'TIMEOUT' | 'CANCELLED' | 'OUTCOME_UNKNOWN', message: string): ToolOutcome => ({ ok: false, error: { code, message } });
