import type { Draw } from '../../plan/draw.js';
import type { ChaosFrame } from '../../recording/chaos-event.js';
import { marksIn } from '../script/marks.js';
import type { WireObserver } from './wire-observer.js';

/** Tools that it declares; it only says that it ran them. */
export const RAW_TOOLS = ['read_file', 'write_file', 'run_command', 'list_files'];

const RETRY_MS = 300;

/** What it answers, with a secret that no client has masked. */
const resultOf = (call: ChaosFrame, secret: string): object => {
  const mark = marksIn(call['args'])[0] ?? '';
  switch (call['tool_name']) {
    case 'write_file':
      return { result: { success: true, bytes_written: mark.length + 1 } };
    case 'run_command':
      return {
        result: { exit_code: 0, stdout: `did ${mark} with ${secret}\n`, stderr: '', duration_ms: 1, timed_out: false, truncated: false },
      };
    default:
      return { error: { code: 'FILE_NOT_FOUND', message: `nowhere/${mark}.txt is not there` } };
  }
};

/**
 * An executor that nobody should write: it says everything twice or three times, late and in another order, decides with wrong digests,
 * speaks of calls that are not there, and sends what is no frame.
 */
export function runRawExecutor(observer: WireObserver, draw: Draw, secret: string): () => void {
  const timers = new Set<NodeJS.Timeout>();
  const later = (its: Draw, send: () => void): void => {
    const timer = setTimeout(
      () => {
        timers.delete(timer);
        send();
      },
      its.integer(0, 60),
    );
    timers.add(timer);
  };
  // Drawn by the mark, so that a repeat of the seed does alike, in whatever order it is asked.
  const drawOf = (call: ChaosFrame, what: string): Draw => draw.fork(`${what} ${marksIn(call['args'])[0] ?? ''}`);
  const answer = (call: ChaosFrame): void => {
    const its = drawOf(call, 'answer');
    const { call_id, fence } = call;
    const said = [
      { type: 'tool_ack', call_id, fence, state: 'received' },
      { type: 'tool_ack', call_id, fence, state: 'started' },
      { type: 'tool_result', call_id, fence, ...resultOf(call, secret) },
    ];
    for (const frame of said) for (let copies = its.integer(1, 2); copies > 0; copies -= 1) later(its, () => observer.send(frame));
    setTimeout(() => observer.send(said[2]!), 80).unref(); // and once after everything else
  };
  const decide = (call: ChaosFrame): void => {
    const its = drawOf(call, 'decide');
    const about = { type: 'hitl_decision', call_id: call['call_id'] };
    const decision = its.chance(70) ? 'approve' : 'reject';
    const said = { ...about, decision, args_sha256: call['args_sha256'] };
    decisions.set(call['call_id'], said);
    observer.send({ ...about, decision: 'approve', args_sha256: '0'.repeat(64) });
    later(its, () => void observer.ask(said));
    later(its, () => observer.send({ ...about, decision: 'reject', args_sha256: call['args_sha256'] }));
  };
  const nonsense = (): void => {
    observer.send({ type: 'tool_result', call_id: 'call_that_is_not_there', result: {} });
    observer.send({ type: 'no_such_frame' });
    observer.send({ type: 'hitl_decision', call_id: 'call_that_is_not_there', decision: 'approve' });
    observer.send({ type: 'ack', seq: 1_000_000 });
  };
  let welcomes = 0;
  const asked = new Map<unknown, ChaosFrame>();
  const decisions = new Map<unknown, ChaosFrame>();
  const stop = observer.listen((frame) => {
    if (frame.type === 'welcome') later(draw.fork(`welcome ${String((welcomes += 1))}`), nonsense);
    if (frame.type === 'tool_call' && frame['runs_at'] === undefined) {
      asked.set(frame['call_id'], frame);
      if (frame['state'] === 'waiting_approval') decide(frame);
      if (frame['state'] === 'ready') answer(frame);
    }
    // the store was away: what it asks to be sent again is, also a decision that another refusal had been taken for the answer of
    const refused = frame.type === 'error' && frame['retryable'] === true ? frame['reply_to_type'] : undefined;
    const again = refused === 'tool_result' ? asked.get(frame['reply_to']) : undefined;
    if (again !== undefined) setTimeout(() => answer(again), RETRY_MS).unref();
    const undecided = refused === 'hitl_decision' ? decisions.get(frame['reply_to']) : undefined;
    if (undecided !== undefined) setTimeout(() => observer.send(undecided), RETRY_MS).unref();
    const call = frame.type === 'approval_resolved' ? asked.get(frame['call_id']) : undefined;
    if (call !== undefined && frame['outcome'] === 'approved') answer(call);
  });
  return () => {
    stop();
    for (const timer of timers) clearTimeout(timer);
  };
}
