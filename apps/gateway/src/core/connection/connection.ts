import {
  CLIENT_FRAMES,
  CLOSE,
  decodeClientFrame,
  LIMITS,
  refuse,
  type ClientFrame,
  type ClientFrameOf,
  type CloseName,
  type Refusal,
} from '@codelab/protocol';
import { sessionRef, type LoggedFrame, type SessionRef } from '@codelab/bus';
import { judgeRenewal, type Identity } from '@codelab/auth';
import type { Caller } from '../caller.js';
import type { GatewayPorts } from '../gateway-ports.js';
import { handleForOwner, type OwnersOutcome } from '../handlers/handle-for-owner.js';
import { dispatch } from '../handlers/index.js';
import type { Handlers, Outcome, SessionFrameType } from '../handlers/handler.js';
import { isStoreAway } from '../is-store-away.js';
import { refuseForQuota } from '../refuse-for-quota.js';
import { Outbox, type OutboxListener } from '../outbox/outbox.js';
import { encodeRefusal, encodeServerFrame } from '../delivery/encode-server-frame.js';
import type { SessionReader } from '../reading/session-reader.js';
import { withoutSeq } from '../delivery/without-seq.js';
import type { Transport } from './transport.js';
import { Allowance } from './allowance.js';
import { InboundQueue, type Inbound, type InboundHandler } from './inbound-queue.js';
import { openForHello, openForSeed, type Opening } from '../opening/open-session.js';

/** How a connection came in. */
export interface Upgrade {
  /** Names the connection in this process and the store. */
  readonly connection: string;
  readonly sessionId: string;
  /** Absent if the upgrade request had no token. */
  readonly identity?: Identity;
  /** The client has authenticated, or is gone. */
  readonly onAuthenticated?: () => void;
}

/** A state owns the timer that means something only in it. */
type State =
  | { readonly kind: 'authenticating'; readonly cancel: () => void }
  /** Nothing of the session is sent before the first frame, or before the silence that stands for one. */
  | { readonly kind: 'awaiting'; readonly identity: Identity; readonly session: SessionRef; readonly cancel: () => void }
  | {
      readonly kind: 'open';
      readonly identity: Identity;
      readonly session: SessionRef;
      readonly reader: SessionReader;
      readonly clientId?: string;
    }
  | { readonly kind: 'closed' };

const UNAVAILABLE = refuse('UNAVAILABLE', 'a part of the service is away: nothing was stored; send it again');

/** A refusal of a frame of this type. */
const about = (type: ClientFrame['type'] | undefined, refusal: Refusal): Refusal =>
  type === undefined ? refusal : { ...refusal, replyToType: type };

/** No `ack` frame is longer. */
const MAX_ACK_CHARACTERS = 128;

/** The frames whose answer is a frame of the log that the asker may not have named in its capabilities. */
const HELD: ReadonlySet<string> = new Set(['queue_remove', 'switch_agent']);

/**
 * One connection, from its first byte to its last: authenticates before anything (G1), tells clients that say `hello` from those that know
 * the seed alone, and answers each frame exactly once, in order (G2). It holds nothing that matters: whatever it promised is in the store.
 */
export class Connection implements InboundHandler, OutboxListener {
  private state: State;
  private draining: (() => void) | undefined = undefined;
  private allowance: Allowance | undefined = undefined;
  private readonly inbound: InboundQueue;
  private readonly outbox: Outbox;

  constructor(
    private readonly ports: GatewayPorts,
    private readonly handlers: Handlers,
    transport: Transport,
    private readonly upgrade: Upgrade,
  ) {
    const { clock, limits, budget } = ports;
    this.inbound = new InboundQueue(this);
    this.outbox = new Outbox(transport, limits.outbox, budget, this, clock);
    this.state = upgrade.identity === undefined ? this.awaitToken() : this.awaitFirstFrame(upgrade.identity);
    this.count(1);
  }

  /**
   * Takes a message. Answers nothing if more may come, else a promise: don't read the socket until it resolves (G4). Before
   * authentication that is after each message.
   * @param bytes its UTF-8 length
   */
  receive(text: string, bytes: number): Promise<void> | undefined {
    if (this.state.kind === 'closed') return undefined;
    const isAuthenticating = this.state.kind === 'authenticating';
    if (bytes > (isAuthenticating ? LIMITS.MAX_UNAUTHENTICATED_FRAME_BYTES : LIMITS.MAX_FRAME_BYTES)) return void this.receiveTooLarge();
    if (this.acknowledge(text)) return undefined;
    return this.inbound.push(text) ?? (isAuthenticating ? this.inbound.whenEmpty() : undefined);
  }

  /** A message that can't be read as text; it gets its answer in its place (G2). */
  receiveUnreadable(why: string): void {
    void this.inbound.push(async () => this.refuseBad(refuse('INVALID_FORMAT', why)));
  }

  /** A message over the limit ends the connection. */
  receiveTooLarge(): void {
    this.say(refuse('FRAME_TOO_LARGE', 'a frame is at most 10 MB, and 8 KB before authentication'));
    this.close('TOO_LARGE');
  }

  /** Looks at what runs out: the token, the patience with a reader that takes nothing. Call it about once a second. */
  check(nowMs: number): void {
    if (this.state.kind === 'closed') return;
    this.outbox.check(nowMs);
    const { expiresAtMs } = this.state.kind === 'authenticating' ? { expiresAtMs: undefined } : this.state.identity;
    if (expiresAtMs !== undefined && nowMs >= expiresAtMs) {
      this.say(refuse('TOKEN_EXPIRED', 'the token has expired: get a new one and reconnect'));
      this.close('TOKEN_EXPIRED');
    } else if (nowMs - (this.outbox.stalledSinceMs ?? nowMs) > this.ports.limits.stalledMs) {
      this.close('SLOW');
    }
  }

  /** Something waits for the socket: how long it may is for `check` to say, and a ping would only wait behind it. */
  get isBlocked(): boolean {
    return this.outbox.stalledSinceMs !== undefined;
  }

  /** Tells the client to come back elsewhere, and ends when it should have gone. */
  drain(retryAfterMs: number): void {
    if (this.draining !== undefined) return;
    if (this.state.kind !== 'open') return this.close('DRAIN');
    this.outbox.answer(encodeServerFrame({ type: 'drain', retry_after_ms: retryAfterMs }));
    this.draining = this.ports.clock.after(retryAfterMs, () => this.close('DRAIN'));
  }

  /** Tells the client that the store is away. Nothing that was accepted is lost. */
  announceOutage(): void {
    if (this.state.kind === 'open') this.say(UNAVAILABLE);
  }

  /** Ends the connection. */
  close(name: CloseName): void {
    if (this.state.kind === 'closed') return;
    this.ports.stats.closings.add(name);
    this.ports.logger.debug({ event: 'connection.ended', connection: this.upgrade.connection, reason: name });
    this.outbox.close(CLOSE[name]);
    this.closed();
  }

  /** The socket is gone. */
  closed(): void {
    const { state } = this;
    if (state.kind === 'closed') return;
    this.enter({ kind: 'closed' });
    if (state.kind === 'open') state.reader.stop();
    this.draining?.();
    this.inbound.close();
    this.outbox.release();
  }

  onPressure(): void {
    this.outbox.answerFirst(encodeRefusal(refuse('SLOW_READER', 'this connection reads more slowly than the session writes')));
  }

  onOverflow(seq: number, sentSeq?: number): void {
    if (this.state.kind === 'open') this.state.reader.lag(seq, sentSeq);
  }

  onDrained(): void {
    if (this.state.kind === 'open') this.state.reader.catchUp();
  }

  private awaitToken(): State {
    const { clock, limits } = this.ports;
    const cancel = clock.after(limits.authTimeoutMs, () => this.reject(refuse('UNAUTHORIZED', 'no auth frame came in time')));
    return { kind: 'authenticating', cancel };
  }

  private awaitFirstFrame(identity: Identity): State {
    const { clock, limits } = this.ports;
    const cancel = clock.after(limits.seedAfterMs, () => void this.inbound.push(() => this.openSilently()));
    return { kind: 'awaiting', identity, session: sessionRef(identity.owner, this.upgrade.sessionId), cancel };
  }

  private enter(state: State): void {
    if ('cancel' in this.state) this.state.cancel();
    if (this.state.kind === 'authenticating') this.upgrade.onAuthenticated?.();
    this.count(-1);
    this.state = state;
    this.count(1);
  }

  private count(change: 1 | -1): void {
    const { connections } = this.ports.stats;
    const { state } = this;
    if (state.kind === 'authenticating') connections.unauthenticated += change;
    if (state.kind === 'awaiting') connections.awaiting += change;
    if (state.kind === 'open') connections[state.clientId === undefined ? 'seed' : 'hello'] += change;
  }

  /** Handles what the queue gives out; never rejects. */
  async handle(item: Inbound): Promise<void> {
    try {
      await this.outbox.whenRoom();
      if (this.state.kind === 'closed') return;
      await (typeof item === 'string' ? this.handleText(item) : item());
    } catch (error) {
      this.ports.logger.error({ event: 'frame.fault', connection: this.upgrade.connection, err: error });
      this.say(refuse('INTERNAL', 'a fault of this service; it is logged here'));
    }
  }

  private async handleText(text: string): Promise<void> {
    const decoded = decodeClientFrame(text);
    this.ports.stats.framesReceived.add(decoded.ok ? decoded.frame.type : 'invalid');
    if (this.state.kind === 'authenticating') return this.authenticate(decoded.ok ? decoded.frame : undefined);
    if (!decoded.ok) return this.refuseBad(decoded);
    const { frame } = decoded;
    if (frame.type === 'auth') return this.renewToken(frame.token);
    if (frame.type === 'hello') return this.greet(frame);
    if (frame.type === 'ack') return this.outbox.acknowledge(frame.seq);
    if (this.state.kind === 'awaiting' && !(await this.open((opening) => openForSeed(opening), { answering: frame.type }))) return;
    await this.handleSessionFrame(frame);
  }

  private async authenticate(frame: ClientFrame | undefined): Promise<void> {
    if (frame?.type !== 'auth')
      return this.reject(about(frame?.type, refuse('UNAUTHORIZED', 'authenticate first: the first frame must be auth')));
    const authenticated = await this.ports.authenticate(frame.token);
    if (this.state.kind !== 'authenticating') return;
    if (!authenticated.ok) return this.reject(about('auth', authenticated));
    if (!authenticated.identity.scopes.includes('session')) {
      this.say(about('auth', refuse('FORBIDDEN', 'this token lacks the scope session')));
      return this.close('FORBIDDEN');
    }
    this.enter(this.awaitFirstFrame(authenticated.identity));
  }

  /** A client may stay with a new token of the same person that may do all that this connection may. Else it keeps what it has. */
  private async renewToken(token: string): Promise<void> {
    const authenticated = await this.ports.authenticate(token);
    const { state } = this;
    if (state.kind === 'closed' || state.kind === 'authenticating') return;
    if (!authenticated.ok) return this.say(about('auth', authenticated));
    const refusal = judgeRenewal(state.identity, authenticated.identity);
    if (refusal !== undefined) return this.say(about('auth', refusal));
    const { connection } = this.upgrade;
    this.ports.logger.info({ event: 'connection.renewed', connection, scopes: authenticated.identity.scopes });
    this.state = { ...state, identity: authenticated.identity };
  }

  private async greet(hello: ClientFrameOf<'hello'>): Promise<void> {
    if (this.state.kind === 'open') {
      if (this.state.clientId !== undefined || this.state.reader.hasSent) {
        return this.say(about('hello', refuse('ALREADY_RESOLVED', 'hello counts as the first frame only; reconnect to say it again')));
      }
      const { identity, reader } = this.state;
      reader.stop();
      this.enter({ ...this.awaitFirstFrame(identity) });
    }
    const { state } = this;
    if (state.kind !== 'awaiting') return;
    await this.open((opening) => openForHello(opening, hello, state.identity), { answering: 'hello', clientId: hello.client_id });
  }

  private async openSilently(): Promise<void> {
    if (this.state.kind === 'awaiting') await this.open((opening) => openForSeed(opening), {});
  }

  private async open(
    how: (opening: Opening) => Promise<SessionReader | Refusal>,
    { answering, clientId }: { readonly answering?: ClientFrame['type']; readonly clientId?: string },
  ): Promise<boolean> {
    if (this.state.kind !== 'awaiting') return false;
    this.state.cancel();
    const { identity, session } = this.state;
    const { connection } = this.upgrade;
    const { ports, outbox } = this;
    try {
      const reader = await ports.openings.runExclusive(() => how({ ports, outbox, session, connection, owner: this }));
      if ('ok' in reader) return this.refuseOpening(about(answering, reader));
      if (this.state.kind !== 'awaiting') {
        reader.stop();
        return false;
      }
      this.enter({ kind: 'open', identity, session, reader, clientId });
      ports.logger.debug({ event: 'connection.opened', connection, sid: session.sid, kind: clientId === undefined ? 'seed' : 'hello' });
      return true;
    } catch (error) {
      const quota = refuseForQuota(error);
      if (quota !== undefined) return this.refuseOpening(about(answering, quota));
      if (!isStoreAway(error)) throw error;
      this.say(about(answering, UNAVAILABLE));
      this.close('REDIS_AWAY');
      return false;
    }
  }

  private refuseOpening(refusal: Refusal): false {
    this.say(refusal);
    if (refusal.code === 'UNSUPPORTED_VERSION') this.close('VERSION');
    return false;
  }

  private async handleSessionFrame(frame: Extract<ClientFrame, { type: SessionFrameType }>): Promise<void> {
    if (this.state.kind !== 'open') return;
    const { identity, session, reader, clientId } = this.state;
    const { connection } = this.upgrade;
    const caller = { identity, session, connection, isExecutor: reader.isExecutor, clientId };
    const isHeld = HELD.has(frame.type);
    if (isHeld) reader.hold();
    const { outcome, child } = await this.dispatchToOwner(frame, caller, reader);
    const logged = outcome.ok && outcome.answer.kind === 'logged' ? outcome.answer.frame : undefined;
    if (isHeld) reader.release(logged);
    else if (child === undefined) reader.expect(logged);
    else if (logged !== undefined) this.answerOfChild(reader, child, logged);
    this.answer(outcome.ok ? outcome : about(frame.type, outcome), clientId !== undefined);
  }

  private async dispatchToOwner(
    frame: Extract<ClientFrame, { type: SessionFrameType }>,
    caller: Caller,
    { children }: SessionReader,
  ): Promise<OwnersOutcome> {
    try {
      if (!('call_id' in frame)) return { outcome: await dispatch(this.handlers, frame, caller) };
      const call = { callId: frame.call_id, known: children.find(frame.call_id) };
      return await handleForOwner(this.ports, caller, call, (owner) => dispatch(this.handlers, frame, owner));
    } catch (error) {
      return { outcome: this.toRefusal(error, frame) };
    }
  }

  /** The answer stands in the log of a child: it comes in its place there, or by itself where nothing of it is shown any more. */
  private answerOfChild({ children }: SessionReader, child: SessionRef, logged: LoggedFrame): void {
    const shown = children.of(child);
    if (shown === undefined) this.outbox.answer(withoutSeq(logged.text));
    else shown.expect(logged);
  }

  /** The boundary to the store: its absence is the client's to know, anything else is a fault. */
  private toRefusal(error: unknown, frame: ClientFrame): Refusal {
    const { id } = CLIENT_FRAMES[frame.type] as { readonly id?: string };
    const replyTo = id === undefined ? undefined : (frame as unknown as Readonly<Record<string, string | undefined>>)[id];
    const quota = refuseForQuota(error, replyTo);
    if (quota !== undefined) return quota;
    if (isStoreAway(error)) return refuse(UNAVAILABLE.code, UNAVAILABLE.message, replyTo);
    this.ports.logger.error({ event: 'frame.fault', type: frame.type, connection: this.upgrade.connection, err: error });
    return refuse('INTERNAL', 'a fault of this service; it is logged here', replyTo);
  }

  private answer(outcome: Outcome, saidHello: boolean): void {
    if (!outcome.ok) return this.say(outcome);
    if (outcome.answer.kind !== 'frame' || !saidHello) return;
    this.ports.stats.framesSent.add(outcome.answer.frame.type);
    this.outbox.answer(encodeServerFrame(outcome.answer.frame));
  }

  /** An `ack` counts at once: what waits may wait for it. */
  private acknowledge(text: string): boolean {
    const { state } = this;
    if (state.kind !== 'open' || text.length > MAX_ACK_CHARACTERS || !text.includes('"ack"')) return false;
    const decoded = decodeClientFrame(text);
    if (!decoded.ok || decoded.frame.type !== 'ack') return false;
    this.ports.stats.framesReceived.add('ack');
    this.outbox.acknowledge(decoded.frame.seq);
    return true;
  }

  private refuseBad(refusal: Refusal): void {
    const { clock, limits } = this.ports;
    this.allowance ??= new Allowance(limits.badFrames, limits.badFrameRefillMs, clock.now());
    this.say(refusal);
    if (!this.allowance.take(clock.now())) this.close('ABUSE');
  }

  private reject(refusal: Refusal): void {
    this.say(refusal);
    this.close('UNAUTHORIZED');
  }

  /** Its session was deleted, or we have a fault that only a new connection ends. */
  end(why: 'removed' | 'fault'): void {
    const isRemoved = why === 'removed';
    this.say(isRemoved ? refuse('SESSION_NOT_FOUND', 'the session was deleted') : refuse('INTERNAL', 'a fault of this service; reconnect'));
    this.close(isRemoved ? 'NORMAL' : 'REDIS_AWAY');
  }

  private say(refusal: Refusal): void {
    this.ports.stats.refusals.add(refusal.code);
    this.ports.stats.framesSent.add('error');
    this.outbox.answer(encodeRefusal(refusal));
  }
}
