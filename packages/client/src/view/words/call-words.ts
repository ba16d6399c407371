import { isSettled, type CallItem, type CallProgress } from '../session-view.js';
import { formatDuration, formatPlural } from './format.js';

/** Tools that wait for a human while they run. */
const ASKING_TOOLS: ReadonlySet<string> = new Set(['prompt_user', 'apply_patch_review']);

/** Where a call stands before people: one that asks them something waits, and a command that failed has failed, though its tool has not. */
export function shownProgress({ progress, toolName, exitCode }: CallItem): CallProgress {
  if (progress === 'running' && ASKING_TOOLS.has(toolName)) return 'waiting';
  return progress === 'done' && exitCode !== undefined ? 'failed' : progress;
}

/** What is said behind a call, in this order: for whom it is, what was decided, what came out of it, how long it took. `summary` is text from outside. */
export function callFacts(call: CallItem, nowMs: number): readonly string[] {
  const { outcome } = call.approval ?? {};
  const asks = ASKING_TOOLS.has(call.toolName);
  const waits = call.progress === 'waiting' || (call.progress === 'running' && asks);
  const took = call.startedAtMs === undefined || asks ? undefined : (call.endedAtMs ?? nowMs) - call.startedAtMs;
  return [
    call.program === true ? 'for a program' : undefined,
    call.taskCallId === undefined ? undefined : 'for a task',
    isSettled(call) && call.activity !== undefined ? formatPlural(call.activity.calls, 'call') : undefined,
    waits ? 'waits for you' : undefined,
    call.progress === 'cancelled' ? 'cancelled' : undefined,
    outcome === 'approved' || outcome === 'edited' || outcome === 'rejected'
      ? outcome
      : call.progress === 'rejected'
        ? 'rejected'
        : undefined,
    call.summary,
    took !== undefined && (call.endedAtMs !== undefined || took > 1000) ? formatDuration(took) : undefined,
  ].filter((part) => part !== undefined);
}
