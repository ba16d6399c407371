import type { SessionCalls, SessionRef } from '@codelab/bus';
import type { ClientFrame, FrameHead } from '@codelab/protocol';
import { readTraceparent, type TraceContext, type Tracing, wallClock, writeTraceparent } from '@codelab/tracing';
import type { Outcome } from '../handlers/outcome.js';
import { readCallFrame } from '../delivery/present-call.js';

/** Frames that move a turn. The others are progress, or about the connection. */
type TracedFrame = Extract<ClientFrame, { type: 'user_message' | 'tool_result' | 'hitl_decision' }>;
const TRACED: ReadonlySet<string> = new Set(['user_message', 'tool_result', 'hitl_decision'] satisfies TracedFrame['type'][]);

/** Calls whose trace is remembered; of another one the record is read. */
const MAX_CALLS = 10_000;

/** Records how frames of clients are handled: below the client's own span, or below that of the call that a frame is about. */
export class FrameTraces {
  /** Traces of the calls that were sent to clients of this process. */
  private readonly calls = new Map<string, string>();

  constructor(
    private readonly tracing: Tracing,
    private readonly store: Pick<SessionCalls, 'readCalls'>,
  ) {}

  /** A frame passes on its way to a client. */
  note(head: FrameHead): void {
    if (head.type !== 'tool_call' || head.traceparent === undefined) return;
    this.calls.set(head.call_id, head.traceparent);
    const [oldest] = this.calls.keys();
    if (this.calls.size > MAX_CALLS && oldest !== undefined) this.calls.delete(oldest);
  }

  /** Handles a frame, and records it. A message goes on with the context of this span: the turn stands below it. */
  async record(frame: ClientFrame, session: SessionRef, handle: () => Promise<Outcome>): Promise<Outcome> {
    if (!isTraced(frame)) return handle();
    const startMs = wallClock();
    const parent = await this.parentOf(frame, session);
    const context = this.tracing.begin(parent);
    if (frame.type === 'user_message') frame.traceparent = writeTraceparent(context);
    const outcome = await handle();
    const answer = outcome.ok && outcome.answer.kind === 'frame' ? outcome.answer.frame : undefined;
    this.tracing.record({
      name: `gateway ${frame.type}`,
      ...{ kind: 'server', context, parentSpanId: parent?.spanId, startMs, endMs: wallClock() },
      attributes: {
        'gen_ai.conversation.id': session.sessionId,
        'gen_ai.tool.call.id': 'call_id' in frame ? frame.call_id : undefined,
        'codelab.turn.id': answer?.type === 'message_accepted' ? answer.turn_id : undefined,
        'codelab.outcome': !outcome.ok ? outcome.code : answer === undefined ? 'ok' : 'state' in answer ? answer.state : answer.outcome,
      },
      error: outcome.ok ? undefined : outcome.code,
    });
    return outcome;
  }

  /** Before the frame is handled: what is settled has no record any more. */
  private async parentOf(frame: TracedFrame, { sid }: SessionRef): Promise<TraceContext | undefined> {
    if (frame.type === 'user_message') return readTraceparent(frame.traceparent);
    const { call_id: callId } = frame;
    const known = this.calls.get(callId) ?? (await this.readRecord(sid, callId));
    if (frame.type === 'tool_result') this.calls.delete(callId);
    return readTraceparent(known);
  }

  private async readRecord(sid: SessionRef['sid'], callId: string): Promise<string | undefined> {
    const records = await this.store.readCalls(sid).catch(() => []); // away: the frame is refused anyhow
    const record = records.find((one) => one.callId === callId);
    return record && readCallFrame(record).traceparent;
  }
}

const isTraced = (frame: ClientFrame): frame is TracedFrame => TRACED.has(frame.type);
