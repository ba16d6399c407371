import {
  BusError,
  type ChildSessions,
  QuotaError,
  SERVER_EXECUTOR,
  sessionRef,
  type SessionRef,
  type SessionStore,
  taskRef,
} from '@codelab/bus';
import type { JsonObject } from '@codelab/tools';
import { LOST_ARGUMENTS, readArguments } from '../calls/call-arguments.js';
import { findAgent } from '../model/agent-modes.js';
import type { EventLog, Followed, TaskFollower } from '../session/runtime-ports.js';
import type { NewId } from '../turn/step-context.js';
import type { RuntimeLimits } from '../turn/runtime-limits.js';
import { callsOf, type ReadyCall, type Turn } from '../turn/turn-state.js';
import { traceparentOf } from '../tracing/turn-trace.js';
import { budgetFor } from './task-budget.js';
import { type TaskResult, toTaskResult } from './task-result.js';

/** What looking after children needs. */
export interface TaskPorts {
  readonly store: Pick<SessionStore, 'readMeta' | 'readHistory' | 'readCalls' | 'settleCall' | 'acknowledge' | 'requestCancel'>;
  readonly children: Pick<ChildSessions, 'openTask'>;
  readonly newId: NewId;
  readonly limits: RuntimeLimits;
  readonly log: EventLog;
}

/**
 * Runs the calls of `task` of the sessions that this process holds, and brings back what came of them. Everything that it does follows from
 * what is stored and does no harm when repeated: one child to a call, one result to a call (R2). So it doesn't matter which process does it,
 * and what one left undone the next holder of the parent finds, at the latest by its next look ({@link TASK_CHECK_MS}; R4).
 */
export class Tasks implements TaskFollower {
  /** What is under way for a call, by its id: one thing after another. */
  private readonly under = new Map<string, Promise<void>>();

  constructor(private readonly ports: TaskPorts) {}

  /** Sees to the children of a session whose state is committed, and to its parent if it is one itself. Never throws, and waits for nothing. */
  follow({ ref, facts, before, after }: Followed): void {
    const open = openTasks(after.turn);
    for (const call of open) {
      if (after.turn?.cancelledAtMs === undefined) this.run(call.callId, () => this.keepGoing({ ref, facts, after }, call));
      else this.run(call.callId, () => this.cancel(ref, call.callId));
    }
    const over = openTasks(before?.turn).filter(({ callId }) => !open.some((call) => call.callId === callId));
    for (const { callId } of over) this.run(callId, () => this.cancel(ref, callId));
    const { task } = facts;
    if (task === undefined) return;
    const parent = sessionRef(ref.owner, task.parent);
    if (after.turn === undefined && after.ended !== undefined) this.run(task.callId, () => this.report(parent, task.callId, facts.agent));
    else if (before?.turn?.rounds !== after.turn?.rounds) this.run(task.callId, () => this.stopUnwanted(parent, task.callId));
  }

  /** Resolves when nothing is under way. */
  async idle(): Promise<void> {
    await Promise.all(this.under.values());
  }

  private run(callId: string, work: () => Promise<unknown>): void {
    const last = (this.under.get(callId) ?? Promise.resolve()).then(work).then(
      () => undefined,
      (error: unknown) => {
        const level = error instanceof BusError ? 'warn' : 'error';
        this.ports.log[level]({ event: 'task.failed', call_id: callId, err: error }); // the next look tries again
      },
    );
    this.under.set(callId, last);
    void last.then(() => this.under.get(callId) === last && this.under.delete(callId));
  }

  /** Opens the child of a call unless it is there, and takes its result if it has ended. */
  private async keepGoing({ ref: parent, facts, after: { turn } }: Followed, call: ReadyCall): Promise<void> {
    if (turn === undefined) return;
    const { store, children, newId } = this.ports;
    const { callId, fence } = call;
    const child = taskRef(parent, callId);
    const meta = await store.readMeta(child);
    if (meta !== undefined) return meta.turnId === '' ? this.report(parent, callId, meta.agent) : this.begun(parent, callId, fence);
    const record = (await store.readCalls(parent.sid)).find((one) => one.callId === callId);
    if (record?.state !== 'ready') return; // its result is on its way
    if (record.progress === 'started') {
      return this.settle(parent, callId, { error: { code: 'OUTCOME_UNKNOWN', message: 'The session that worked on it is gone.' } });
    }
    const given = readArguments(call);
    if (given === undefined) return this.settle(parent, callId, { error: LOST_ARGUMENTS });
    const { prompt, agent: named, model } = argumentsOf(given.args);
    const { title: agent, own } = findAgent(facts, named);
    const asking = findAgent(facts, turn.agent);
    const task = {
      ...{ callId, turnId: newId('turn'), agent, prompt, model: model || own?.model || turn.model },
      budget: budgetFor(turn, this.ports.limits),
      traceparent: traceparentOf(turn.trace, callId),
      within: [...new Set([asking.title, asking.name])],
    };
    const opened = await children.openTask(parent, task).catch((error: unknown) => {
      if (error instanceof QuotaError) return { kind: 'refused', code: 'QUOTA', message: error.message } as const; // a later look would find it full as well
      throw error;
    });
    if (opened.kind === 'opened') return this.begun(parent, callId, fence);
    const message = opened.code === 'QUOTA' ? opened.message : REFUSED[opened.code];
    await this.settle(parent, callId, { error: { code: 'TASK_FAILED', message: `${agent} ended failed: ${message}` } });
  }

  /** The call has begun; a child whose parent has given the call up meanwhile is stopped. */
  private async begun(parent: SessionRef, callId: string, fence: number): Promise<void> {
    const isOpen = await this.ports.store.acknowledge(parent, { callId, clientId: SERVER_EXECUTOR, fence, state: 'started' });
    if (!isOpen) await this.cancel(parent, callId);
  }

  /** Gives the parent what came of a child whose turn has ended. */
  private async report(parent: SessionRef, callId: string, agent: string): Promise<void> {
    const { store } = this.ports;
    const child = taskRef(parent, callId);
    const meta = await store.readMeta(child);
    if (meta === undefined || meta.turnId !== '') return;
    await this.settle(parent, callId, await toTaskResult(store, meta, agent));
  }

  private async settle(parent: SessionRef, callId: string, result: TaskResult): Promise<void> {
    const frame = JSON.stringify({ type: 'tool_result', call_id: callId, ...result });
    const settled = await this.ports.store.settleCall(parent, { callId, clientId: SERVER_EXECUTOR, frame, errorCode: result.error?.code });
    if (settled.kind === 'refused' && settled.code !== 'UNKNOWN_CALL')
      this.ports.log.warn({ event: 'task.not_settled', call_id: callId, code: settled.code });
  }

  private async cancel(parent: SessionRef, callId: string): Promise<void> {
    const { store } = this.ports;
    const child = taskRef(parent, callId);
    const meta = await store.readMeta(child);
    if (meta !== undefined && meta.turnId !== '') await store.requestCancel(child, { turnId: meta.turnId, queue: false });
  }

  /** A child that nobody waits for: its parent ended while nobody looked, or was set back to before it asked. Looked at once a round. */
  private async stopUnwanted(parent: SessionRef, callId: string): Promise<void> {
    const records = await this.ports.store.readCalls(parent.sid);
    if (!records.some((record) => record.callId === callId)) await this.cancel(parent, callId);
  }
}

/** Why no agent begins. */
const REFUSED = { FULL: 'too many agents work for this session at once', NO_EXECUTOR: 'no client runs tools for this session' } as const;

const openTasks = (turn: Turn | undefined): readonly ReadyCall[] =>
  turn === undefined ? [] : callsOf(turn).filter((call): call is ReadyCall => call.state === 'ready' && call.task === true);

/** What is to be done, and by whom. */
const argumentsOf = (args: JsonObject): { readonly prompt: string; readonly agent: string; readonly model: string } => {
  const textOf = (name: string): string => (typeof args[name] === 'string' ? args[name] : '');
  return { prompt: textOf('prompt'), agent: textOf('agent'), model: textOf('model') };
};
