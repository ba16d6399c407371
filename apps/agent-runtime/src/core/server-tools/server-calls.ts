import { BusError, SERVER_EXECUTOR, type SessionRef, type SessionStore, type Sid } from '@codelab/bus';
import type { Clock } from '@codelab/clock';
import type { ToolErrorCode } from '@codelab/protocol';
import { LOST_ARGUMENTS, readArguments } from '../calls/call-arguments.js';
import { SENTENCES } from '../calls/call-result.js';
import type { EventLog, Held, ServerCallRunner } from '../session/runtime-ports.js';
import { openServerCalls, type ReadyCall } from '../turn/turn-state.js';
import { OutputRelay } from './output-relay.js';
import { runTool, type ToolResult } from './run-tool.js';

/** What running tools of the servers needs. */
export interface ServerCallPorts {
  readonly store: Pick<SessionStore, 'beginServerCall' | 'settleCall' | 'relay'>;
  readonly clock: Clock;
  readonly log: EventLog;
}

/** Between two tries while Redis is away. */
const RETRY_MS = 500;

/** How long a runtime that hands its sessions over waits for calls that take effect; what is left then is ended. */
const HAND_OVER_MS = 5_000;

/** Why a call is ended before it ends by itself. */
type Stop = 'cancelled' | 'late' | 'handed_over' | 'lost';

/** One call that was taken up here. */
interface Run {
  readonly call: ReadyCall;
  readonly stopping: AbortController;
  /** Its tool works, or its result is not stored yet. */
  isRunning: boolean;
  /** Settles when it works no longer. */
  done: Promise<void>;
}

/**
 * Runs the calls of the sessions that this process holds whose tools are the servers' own. Each belongs to the lease: it is begun only while the
 * store says that the lease is still ours, and is stopped when the session is let go of. So a successor that finds a call begun knows that
 * nobody works on it: it runs a safe one again, and says of another that its outcome is unknown (R2;
 * docs/decisions/2026-11-23-calls-of-the-servers.md).
 */
export class ServerCalls implements ServerCallRunner {
  private readonly sessions = new Map<Sid, Map<string, Run>>();

  constructor(private readonly ports: ServerCallPorts) {}

  /** Sees to the calls of a session whose state is committed. Never throws, and waits for nothing. */
  follow(held: Held): void {
    const { turn } = held.after;
    const open = openServerCalls(turn);
    const runs = this.sessions.get(held.ref.sid) ?? new Map<string, Run>();
    for (const [callId, run] of runs) {
      const isOpen = open.some((call) => call.callId === callId);
      if (!isOpen || turn?.cancelledAtMs !== undefined) run.stopping.abort('cancelled' satisfies Stop);
      if (!isOpen && !run.isRunning) runs.delete(callId);
    }
    if (turn?.cancelledAtMs === undefined) for (const call of next(open, runs)) this.begin(held, call, runs);
    if (runs.size === 0) this.sessions.delete(held.ref.sid);
    else this.sessions.set(held.ref.sid, runs);
  }

  /** Whether a call of the session is being run here. */
  isRunning(sid: Sid): boolean {
    return [...(this.sessions.get(sid)?.values() ?? [])].some(({ isRunning }) => isRunning);
  }

  /** Ends what runs of a session so that another process can go on: calls that take effect get a moment, safe ones are run again there. */
  async handOver(sid: Sid): Promise<void> {
    const runs = [...(this.sessions.get(sid)?.values() ?? [])].filter(({ isRunning }) => isRunning);
    await Promise.all(
      runs.map(async ({ call, stopping, done }) => {
        if (call.idempotency === 'safe') stopping.abort('handed_over' satisfies Stop);
        const cancel = this.ports.clock.after(HAND_OVER_MS, () => stopping.abort('handed_over' satisfies Stop));
        await done;
        cancel();
      }),
    );
  }

  /** The session is another's now: nothing that runs of it counts any more. */
  drop(sid: Sid): void {
    for (const { stopping } of this.sessions.get(sid)?.values() ?? []) stopping.abort('lost' satisfies Stop);
    this.sessions.delete(sid);
  }

  private begin(held: Held, call: ReadyCall, runs: Map<string, Run>): void {
    const stopping = new AbortController();
    const run: Run = { call, stopping, isRunning: true, done: Promise.resolve() };
    runs.set(call.callId, run);
    run.done = this.run(held, call, stopping.signal)
      .catch((error: unknown) => this.ports.log.error({ event: 'server_call.fault', call_id: call.callId, err: error }))
      .finally(() => (run.isRunning = false));
  }

  private async run({ ref, leaseFence, facts }: Held, call: ReadyCall, stopped: AbortSignal): Promise<void> {
    const { callId, toolName, fence, idempotency } = call;
    const { store, clock } = this.ports;
    const given = readArguments(call);
    const begun = await this.insist(stopped, () => store.beginServerCall(ref, { callId, fence, leaseFence }));
    if (begun === undefined || begun === 'refused') return;
    if (begun === 'begun_before' && idempotency === 'unsafe') return this.settle(ref, call, UNKNOWN, stopped);
    const tool = facts.serverTools.find(({ definition }) => definition.name === toolName);
    if (tool === undefined) return this.settle(ref, call, refused('TOOL_NOT_FOUND', `The tool ${toolName} was removed.`), stopped);
    if (given === undefined) return this.settle(ref, call, { ok: false, error: LOST_ARGUMENTS }, stopped);
    const running = new AbortController();
    const stop = (): void => running.abort(stopped.reason);
    stopped.addEventListener('abort', stop, { once: true });
    if (stopped.aborted) stop();
    const cancelDeadline = clock.after(call.deadlineMs, () => running.abort('late' satisfies Stop));
    const output = new OutputRelay(ref, callId, { store, clock });
    const { owner, sessionId } = ref;
    try {
      const onOutput = (data: string): void => output.push(data);
      const run = { callId, argumentsText: given.text, owner, sessionId, signal: running.signal, onOutput };
      const result = await runTool(tool, given.args, run);
      await this.settle(ref, call, result, stopped);
    } catch (error) {
      if (!running.signal.aborted) throw error;
      const result = resultOfStop(running.signal.reason as Stop, call);
      if (result !== undefined) await this.settle(ref, call, result, stopped);
    } finally {
      cancelDeadline();
      stopped.removeEventListener('abort', stop);
      output.end();
    }
  }

  /** Stores what came of a call; the session hears of it as of every result. The first one counts. */
  private async settle(ref: SessionRef, { callId, fence }: ReadyCall, result: ToolResult, stopped: AbortSignal): Promise<void> {
    const said = result.ok ? `"result":${result.result}` : `"error":${JSON.stringify(result.error)}`;
    const frame = `{"type":"tool_result","call_id":${JSON.stringify(callId)},"fence":${String(fence)},${said}}`;
    const errorCode = result.ok ? undefined : result.error.code;
    const settled = { callId, fence, clientId: SERVER_EXECUTOR, frame, errorCode };
    await this.insist(stopped, () => this.ports.store.settleCall(ref, settled));
  }

  /** Does it until Redis takes it, or nobody wants it any more: at least once. */
  private async insist<T>(stopped: AbortSignal, work: () => Promise<T>): Promise<T | undefined> {
    for (;;) {
      try {
        return await work();
      } catch (error) {
        if (!(error instanceof BusError)) throw error;
        if (stopped.aborted) return undefined;
        await new Promise<void>((resolve) => this.ports.clock.after(RETRY_MS, resolve));
      }
    }
  }
}

const refused = (code: ToolErrorCode, message: string): ToolResult => ({ ok: false, error: { code, message } });
const UNKNOWN = refused('OUTCOME_UNKNOWN', SENTENCES.OUTCOME_UNKNOWN);

/** What is true of a call that was stopped while it ran; nothing where somebody else will say it. */
const resultOfStop = (why: Stop, { idempotency, toolName }: ReadyCall): ToolResult | undefined => {
  const isSafe = idempotency === 'safe';
  if (why === 'lost' || (why === 'handed_over' && isSafe)) return undefined;
  if (!isSafe) return UNKNOWN;
  return why === 'late' ? refused('TIMEOUT', SENTENCES.TIMEOUT) : refused('CANCELLED', `The turn was cancelled while ${toolName} ran.`);
};

/** The calls that can begin: safe ones side by side, others one after another in their order, as a client runs its own. */
const next = (open: readonly ReadyCall[], runs: ReadonlyMap<string, Run>): readonly ReadyCall[] => {
  const firstUnsafe = open.find(({ idempotency }) => idempotency === 'unsafe');
  return open.filter((call) => !runs.has(call.callId) && (call.idempotency === 'safe' || call === firstUnsafe));
};
