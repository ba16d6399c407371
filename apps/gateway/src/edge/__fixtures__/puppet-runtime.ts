import {
  SERVER_EXECUTOR,
  type Committed,
  type LeaseFence,
  type SessionRef,
  type Sid,
  type SessionStore,
  type StepEffects,
} from '@codelab/bus';
import type { Idempotency, NewCall, ServerFrameOf } from '@codelab/protocol';
import { toTestEnvelope } from '@codelab/testkit';
import { argsDigest } from '@codelab/tools';

/** Does to sessions what a runtime would, one commit at a time, when a test says so. */
export class PuppetRuntime {
  /** Leases that could not be let go of, because something had come in meanwhile. */
  private readonly held = new Map<Sid, LeaseFence>();

  constructor(private readonly store: SessionStore) {}

  /** One commit. It consumes the whole inbox. */
  async commit(ref: SessionRef, effects: Partial<StepEffects>): Promise<Committed> {
    const leaseFence = this.held.get(ref.sid) ?? (await this.store.takeLease(ref.sid, 'puppet'))?.leaseFence;
    if (leaseFence === undefined) throw new Error('somebody holds the session, or it is not there');
    const [meta, inbox] = [await this.store.readMeta(ref), await this.store.readInbox(ref.sid, 0)];
    if (meta === undefined) throw new Error('the session is not there');
    const inboxUpTo = inbox.at(-1)?.id ?? meta.inboxDone;
    const step: StepEffects = { inboxUpTo, state: '', frames: [], history: [], calls: [], ...effects };
    const committed = await this.store.commit(ref, { leaseFence, cancelSeen: meta.cancelTurnId }, step);
    if (typeof committed === 'string') throw new Error(`the commit was ${committed}`);
    if ((await this.store.releaseLease(ref.sid, leaseFence, {})) === 'released') this.held.delete(ref.sid);
    else this.held.set(ref.sid, leaseFence);
    return committed;
  }

  /** Frames for the log. */
  say(ref: SessionRef, ...frames: object[]): Promise<Committed> {
    return this.commit(ref, { frames: frames.map((frame) => toTestEnvelope(JSON.stringify(frame))) });
  }

  /** Opens a call and logs its frame. */
  call(ref: SessionRef, call: TestCall): Promise<Committed> {
    const frame = callFrame(call);
    return this.commit(ref, { frames: [toTestEnvelope(frame)], calls: [{ kind: 'open', call: { ...toRecord(frame), ...(call.agent === undefined ? {} : { agent: call.agent }) } }] });
  }
}

/** A call, as far as a test cares. */
export interface TestCall {
  readonly callId: string;
  readonly tool?: string;
  /** JSON text. */
  readonly args?: string;
  readonly asks?: boolean;
  /** Another digest than that of `args`. */
  readonly digest?: string;
  readonly idempotency?: Idempotency;
  /** The agent of the turn, where it is not that of the session. */
  readonly agent?: string;
  /** More fields of the frame. */
  readonly more?: Pick<ServerFrameOf<'tool_call'>, 'origin' | 'runs_at'>;
}

/** The `tool_call` frame of a call. */
export function callFrame({ callId, tool = 'read_file', args = '{"path":"a"}', asks = false, digest, idempotency = 'safe', more }: TestCall): string {
  const fields = {
    requires_approval: asks,
    args_sha256: digest ?? argsDigest(JSON.parse(args)),
    fence: 1,
    deadline_ms: 60_000,
    idempotency,
    state: asks ? 'waiting_approval' : 'ready',
    ...more,
    ...(asks ? { approval: { reason: 'writes a file', risk: 'medium', choices: ['approve', 'edit', 'reject'] } } : {}),
  };
  return `{"type":"tool_call","call_id":"${callId}","tool_name":"${tool}","args":${args},${JSON.stringify(fields).slice(1)}`;
}

function toRecord(frame: string): NewCall {
  const { call_id, tool_name, idempotency, deadline_ms, state, args_sha256, fence, runs_at } = JSON.parse(frame) as ServerFrameOf<'tool_call'>;
  const given = runs_at === undefined ? {} : { givenTo: SERVER_EXECUTOR };
  if (state === 'answered') throw new Error('a call is not opened with its answer');
  const head = { callId: call_id, toolName: tool_name, idempotency, deadlineMs: deadline_ms };
  return { ...head, frame, state, argsSha256: args_sha256, fence, expiresAtMs: 0, ...given };
}
