import { JsonText, type CallState, type ServerFrameOf } from '@codelab/protocol';
import { isOfChild, isSettled, type CallItem, type CallOutput, type CallProgress, type SessionView } from './session-view.js';
import { finishMessages, updateCall, updateOpenCall, upsertItem } from './update-items.js';

const PROGRESS: Readonly<Record<CallState, CallProgress>> = { waiting_approval: 'waiting', ready: 'ready', answered: 'done' };

/** What a `tool_call` shows, live or out of a snapshot, where its arguments are a value. */
export function toCallItem(frame: Omit<ServerFrameOf<'tool_call'>, 'type' | 'args'> & { readonly args: unknown }, atMs: number): CallItem {
  const state = PROGRESS[frame.state] ?? (frame.requires_approval ? 'waiting' : 'ready'); // a snapshot isn't checked
  const progress = state === 'ready' && frame.runs_at === 'server' ? 'running' : state; // nobody will say that it begins
  return {
    kind: 'call',
    callId: frame.call_id,
    toolName: frame.tool_name,
    args: frame.args instanceof JsonText ? frame.args.text : JSON.stringify(frame.args ?? {}),
    argsSha256: frame.args_sha256,
    progress,
    approval: frame.approval,
    program: frame.origin === 'proxy' ? true : undefined,
    taskCallId: frame.origin === 'task' ? frame.task_call_id : undefined,
    startedAtMs: state === 'ready' ? atMs : undefined,
  };
}

/** The executor did nothing because a file had changed: then the same call is asked about anew. */
const isAskedAnew = ({ error, progress }: CallItem, fresh: CallItem): boolean =>
  progress === 'failed' && error?.code === 'APPROVAL_MISMATCH' && fresh.progress === 'waiting';

/** A call comes, or comes again in its present state. */
export function onToolCall(view: SessionView, frame: ServerFrameOf<'tool_call'>, atMs: number): SessionView {
  const fresh = toCallItem(frame, atMs);
  const before = fresh.taskCallId === undefined ? view : countCall(view, fresh.taskCallId, fresh);
  const opened = upsertItem(isOfChild(fresh) ? before : finishMessages(before), fresh, (call) => {
    if (isAskedAnew(call, fresh)) return fresh;
    if (isSettled(call)) return call;
    const isSame = call.argsSha256 === fresh.argsSha256;
    return {
      ...fresh,
      progress: call.progress === 'running' ? 'running' : fresh.progress,
      approval: fresh.approval ?? call.approval,
      startedAtMs: call.startedAtMs ?? fresh.startedAtMs,
      preview: isSame ? call.preview : undefined,
      operands: isSame ? call.operands : undefined,
      output: call.output,
    };
  });
  return isOfChild(fresh) ? opened : { ...opened, activity: 'waiting', drafting: undefined };
}

/** Shows at a call of `task` what its agent does now. One that comes again counts once. */
const countCall = (view: SessionView, taskCallId: string, { callId, toolName, args }: CallItem): SessionView => {
  if (view.items.some((item) => item.kind === 'call' && item.callId === callId)) return view;
  return updateOpenCall(view, taskCallId, (task) => ({
    ...task,
    progress: 'running',
    activity: { calls: (task.activity?.calls ?? 0) + 1, latest: { toolName, args } },
  }));
};

const TIMED_OUT = { code: 'APPROVAL_TIMED_OUT', message: 'nobody decided in time' };

/** A question was decided, here or elsewhere, or need not be: its preview failed. */
export function onApprovalResolved(view: SessionView, frame: ServerFrameOf<'approval_resolved'>, atMs: number): SessionView {
  const { outcome, by, at_ms, args, args_sha256: argsSha256, error } = frame;
  return updateCall(view, frame.call_id, (call): CallItem => {
    const approval = { reason: '', risk: 'low' as const, choices: [], ...call.approval, outcome, by, at_ms };
    const edited = args === undefined ? {} : { args: args.text, preview: undefined };
    const decided = { ...call, ...edited, approval, argsSha256 };
    if (isSettled(call) || call.progress === 'running') return decided;
    if (outcome === 'approved' || outcome === 'edited') return { ...decided, progress: 'ready', startedAtMs: atMs };
    const failure = outcome === 'expired' ? TIMED_OUT : error;
    return {
      ...decided,
      progress: failure ? 'failed' : outcome === 'rejected' ? outcome : 'cancelled',
      error: failure ?? call.error,
      feedback: frame.feedback || undefined,
      byPolicy: frame.feedback ? by === 'policy' : undefined,
    };
  });
}

const PROGRESS_OF_STATUS = { calling: 'running', done: 'done', errored: 'failed', canceled: 'cancelled' } as const;

/** Another client, or this one, is so far with a call. */
export function onToolStatus(view: SessionView, frame: ServerFrameOf<'tool_status'>, atMs: number): SessionView {
  if (frame.status === 'generating') return { ...view, drafting: frame.tool_name };
  if (frame.status === 'generated' || frame.status === 'waiting_approval') return view;
  const { error } = frame;
  const progress = error?.code === 'OUTCOME_UNKNOWN' ? 'unknown' : PROGRESS_OF_STATUS[frame.status];
  return updateOpenCall(view, frame.call_id, (call) =>
    progress === 'running' ? { ...call, progress, startedAtMs: atMs } : { ...call, progress, error: error ?? call.error, endedAtMs: atMs },
  );
}

/** A question of a child is taken back. What runs, or belongs to a turn, says by itself how it ends. */
export const onToolCancel = (view: SessionView, { call_id }: ServerFrameOf<'tool_cancel'>, atMs: number): SessionView =>
  updateOpenCall(view, call_id, (call) =>
    isOfChild(call) && call.progress !== 'running' ? { ...call, progress: 'cancelled', endedAtMs: atMs } : call,
  );

/** How a call ended on this machine. */
export type CallEnd = Pick<CallItem, 'error' | 'summary' | 'masks' | 'exitCode'> & {
  /** What came out of it, for people: at most 64,000 characters. */ readonly result?: string;
};

/** The executor's own word on a call counts even after the server's acknowledgement; a decision of a human stays. */
export function finishCall(call: CallItem, { error, summary, masks, exitCode, result }: CallEnd, atMs: number): CallItem {
  if (call.progress === 'rejected') return call;
  const progress = !error ? 'done' : error.code === 'CANCELLED' ? 'cancelled' : error.code === 'OUTCOME_UNKNOWN' ? 'unknown' : 'failed';
  return { ...call, progress, error, summary, masks, exitCode, result: result ?? call.result, endedAtMs: call.endedAtMs ?? atMs };
}

/** Characters of output that are kept: more than the rows that are shown can hold. */
const MAX_TAIL = 4_000;

const encoder = new TextEncoder();

/** A call with another piece of its output. `offset` counts the bytes of its stream before it; without one it follows what was seen. */
export function addOutput(
  call: CallItem,
  { stream, data, offset }: { readonly stream: 'stdout' | 'stderr'; readonly data: string; readonly offset?: number },
): CallItem {
  const output: CallOutput = call.output ?? { tail: '', stdout: 0, stderr: 0 };
  const end = (offset ?? output[stream]) + encoder.encode(data).length;
  if (end <= output[stream]) return call;
  return { ...call, output: { ...output, tail: (output.tail + data).slice(-MAX_TAIL), [stream]: end } };
}
