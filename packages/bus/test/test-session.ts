import type { CallState, Envelope, WhenBusy } from '@codelab/protocol';
import { toTestEnvelope, type TestRedis } from '@codelab/testkit';
import { newId } from '../src/new-id.js';
import type { SessionMeta } from '../src/session-records.js';
import { sessionRef, type SessionRef } from '../src/session-ref.js';
import type { Delivered, LeasedSession, LeaseFence, Settled, StepEffects } from '../src/session-store.js';
import type { StepRequest } from '../src/model-queue.js';
import type { Bus } from '../src/redis/index.js';

/** Who joins: a client that names tools, unless `seed`. */
export interface SessionSetting {
  readonly clientId?: string;
  readonly seed?: boolean;
}

/** What a commit does; its frames as texts. */
export type TestEffects = Partial<Omit<StepEffects, 'frames'>> & { readonly frames?: readonly (string | Envelope)[] };

/** A digest by name, so that tests can be read. */
export const digest = (letter: string): string => letter.repeat(64);

/** Why the preview of a call failed. */
const PREVIEW_ERROR = '{"code":"FILE_NOT_FOUND","message":"no"}';

/** One session, and the shortest words for what happens to it. */
export class TestSession {
  lease: LeasedSession | undefined;
  private consumed = 0;

  private constructor(
    readonly bus: Bus,
    readonly redis: TestRedis | undefined,
    readonly ref: SessionRef,
    readonly meta: SessionMeta,
  ) {}

  static async join(bus: Bus, redis: TestRedis | undefined, { clientId = 'ide', seed = false }: SessionSetting = {}): Promise<TestSession> {
    const ref = sessionRef({ tenant: 'acme', sub: 'ann' }, newId('ses'));
    const joining = seed ? { protocolVersion: '1.0' } : { clientId, tools: '["write_file"]', protocolVersion: '2.0' };
    const meta = await bus.store.join(ref, joining, { create: true });
    if (meta === undefined) throw new Error('join created no session');
    return new TestSession(bus, redis, ref, meta);
  }

  /** A session that is there already. */
  static of(bus: Bus, redis: TestRedis | undefined, meta: SessionMeta): TestSession {
    return new TestSession(bus, redis, meta.ref, meta);
  }

  async say(content: string, whenBusy: WhenBusy = 'enqueue', messageId: string = newId('msg'), turnId = newId('turn')): Promise<Delivered> {
    const frame = JSON.stringify({ type: 'user_message', content });
    const summary = JSON.stringify({ message_id: messageId, content });
    return this.bus.store.deliverMessage(this.ref, { messageId, turnId, frame, summary, whenBusy });
  }

  /** Takes the lease; all of the inbox counts as seen by the next commit. */
  async take(worker = 'worker'): Promise<LeasedSession> {
    this.lease = await this.bus.store.takeLease(this.ref.sid, worker);
    if (this.lease === undefined) throw new Error('the lease is taken');
    this.consumed = this.lease.inbox.at(-1)?.id ?? this.lease.meta.inboxDone;
    return this.lease;
  }

  get leaseFence(): LeaseFence {
    if (this.lease === undefined) throw new Error('take the lease first');
    return this.lease.leaseFence;
  }

  async commit({ frames = [], ...effects }: TestEffects = {}, cancelSeen = ''): ReturnType<Bus['store']['commit']> {
    const step = {
      inboxUpTo: this.consumed,
      state: '{"turn":1}',
      frames: frames.map((frame) => (typeof frame === 'string' ? toTestEnvelope(frame) : frame)),
      history: [],
      calls: [],
      ...effects,
    };
    this.consumed = Math.max(this.consumed, step.inboxUpTo);
    return this.bus.store.commit(this.ref, { leaseFence: this.leaseFence, cancelSeen }, step);
  }

  /** Starts a turn and opens a call in it. */
  async openCall(
    call: {
      callId?: string;
      state?: CallState;
      idempotency?: 'safe' | 'unsafe';
      args?: string;
      expiresAtMs?: number;
      target?: string;
    } = {},
  ): Promise<string> {
    const { state = 'ready', idempotency = 'unsafe', args = '{}', expiresAtMs = 0, target = '' } = call;
    if (this.lease === undefined) {
      await this.say('go');
      await this.take();
    }
    const { callId = newId('call') } = call;
    const frame = `{"type":"tool_call","call_id":"${callId}","tool_name":"write_file","args":${args},"deadline_ms":60000,"idempotency":"${idempotency}"}`;
    const opened = {
      ...{ callId, toolName: 'write_file', idempotency, deadlineMs: 60_000 },
      frame,
      state: state === 'ready' ? state : ('waiting_approval' as const),
      argsSha256: digest('a'),
      fence: 1,
      expiresAtMs,
      target,
    };
    const head = { type: 'tool_call', call_id: callId, tool_name: 'write_file', fence: 1, idempotency, state } as const;
    await this.commit({ frames: [{ head, text: frame }], calls: [{ kind: 'open', call: opened }] });
    return callId;
  }

  /** A result, of the executor `ide` unless said otherwise. */
  async settle(
    callId: string,
    more: { clientId?: string; seed?: boolean; fence?: number; frame?: string; errorCode?: string; previewFailed?: boolean } = {},
  ): Promise<Settled> {
    const { clientId = 'ide', seed = false, fence, errorCode, previewFailed } = more;
    const frame = more.frame ?? `{"type":"tool_result","call_id":"${callId}","result":{}}`;
    return this.bus.store.settleCall(this.ref, {
      ...{ callId, frame },
      ...(seed ? {} : { clientId }),
      ...(fence === undefined ? {} : { fence }),
      ...(errorCode === undefined ? {} : { errorCode }),
      ...(previewFailed === true ? { previewError: PREVIEW_ERROR } : {}),
    });
  }

  async decide(
    callId: string,
    outcome: 'approved' | 'edited' | 'rejected' | 'expired',
    more: { decidedOn?: string | undefined; question?: number | undefined; argsSha256?: string; target?: string } = {},
  ) {
    const { decidedOn, question, argsSha256 = digest('a'), target = '' } = more;
    return this.bus.store.decideCall(this.ref, {
      ...{ callId, record: { outcome, argsSha256, by: 'ann', atMs: 1 } },
      ...{ frame: `{"type":"approval_resolved","call_id":"${callId}","outcome":"${outcome}"}`, target },
      ...(decidedOn === undefined ? {} : { decidedOn }),
      ...(question === undefined ? {} : { question }),
    });
  }

  /** The texts of the log, after `seq`. */
  async log(after = 0): Promise<readonly string[]> {
    const { epoch } = (await this.bus.store.readMeta(this.ref)) ?? this.meta;
    const replay = await this.bus.store.replay(this.ref, { epoch, seq: after });
    return replay.kind === 'frames' ? replay.frames.map(({ text }) => text) : [];
  }

  /** A model request for `modelRequest` of a commit. */
  request(turnId: string): { readonly stepId: string; readonly request: string } {
    const request: StepRequest = {
      ...{ turnId, messageId: newId('msg'), model: 'm', agent: 'coder', vocabulary: 'codelab' },
      ...{ historyVersion: 0, system: 'be brief', tools: [] },
    };
    return { stepId: newId('step'), request: JSON.stringify(request) };
  }

  /** Everything that Redis holds of the session, to compare before and after. */
  async dump(): Promise<Readonly<Record<string, unknown>>> {
    if (this.redis === undefined) throw new Error('this session has no Redis to look into');
    const { client } = this.redis;
    const read: Readonly<Record<string, (key: string) => Promise<unknown>>> = {
      hash: (key) => client.hgetall(key),
      list: (key) => client.lrange(key, 0, -1),
      stream: (key) => client.xrange(key, '-', '+'),
      string: (key) => client.get(key),
    };
    const keys = (await client.keys(`*{${this.ref.sid}}*`)).sort();
    const values = await Promise.all(keys.map(async (key) => read[await client.type(key)]?.(key)));
    return Object.fromEntries(keys.map((key, index) => [key.slice(key.indexOf('}') + 2), values[index]]));
  }
}
