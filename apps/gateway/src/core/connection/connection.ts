import {
  CLOSE,
  decodeClientFrame,
  LIMITS,
  refuse,
  type ClientFrame,
  type ClientFrameOf,
  type CloseName,
  type Refusal,
} from '@codelab/protocol';
import { sessionRef, type Owner, type SessionRef } from '@codelab/bus';
import type { Identity } from '@codelab/auth';
import type { GatewayPorts } from '../gateway-ports.js';
import { Outbox, type OutboxListener } from '../outbox/outbox.js';
import { encodeRefusal, encodeServerFrame } from '../delivery/encode-server-frame.js';
import type { Transport } from './transport.js';
import { changeState, countState, type ConnectionState } from './connection-state.js';
import { judgeFirstFrame, judgeNewToken } from './judge-token.js';
import { InboundQueue, type Inbound, type InboundHandler } from './inbound-queue.js';
import type { ReaderEnd } from '../reading/reader-options.js';
import { openForHello, openForSeed, tryOpen, type Open } from '../opening/open-session.js';
import { about, INTERNAL, UNAVAILABLE } from '../refusals.js';
import { Replies } from './replies.js';
import type { SessionFrames } from './session-frames.js';

/** How a connection came in. */
export interface Upgrade {
  /** Names the connection in this process and the store. */
  readonly connection: string;
  readonly sessionId: string;
  /** Absent if the upgrade request had no token. */
  readonly identity?: Identity;
  /** The client has authenticated, or is gone. */
  readonly onAuthenticated?: () => void;
  /** Counts the connection of a client without a token for its owner, once that is known. */
  readonly claim?: (owner: Owner) => Refusal | undefined;
}

/**
 * One connection, from its first byte to its last: authenticates before anything (G1), tells clients that say `hello` from those that know
 * the seed alone, and answers each frame exactly once, in order (G2). It holds nothing that matters: whatever it promised is in the store.
 */
export class Connection implements InboundHandler, OutboxListener {
  private state: ConnectionState;
  private draining: (() => void) | undefined = undefined;
  /** Absent while no message waits. */
  private inbound: InboundQueue | undefined = undefined;
  private readonly outbox: Outbox;
  private readonly replies: Replies;
  private readonly name: string;

  constructor(
    private readonly ports: GatewayPorts,
    private readonly frames: SessionFrames,
    transport: Transport,
    upgrade: Upgrade,
  ) {
    const { steady, limits, budget } = ports;
    this.name = upgrade.connection;
    this.outbox = new Outbox(transport, limits.outbox, budget, this, steady);
    this.replies = new Replies(ports, this.outbox, this);
    const { identity, sessionId } = upgrade;
    this.state = identity === undefined ? this.awaitToken(upgrade) : this.awaitFirstFrame(identity, sessionRef(identity.owner, sessionId));
    countState(ports.stats, this.state, 1);
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
    return this.push(text) ?? (isAuthenticating ? this.inbound?.whenEmpty() : undefined);
  }

  /** A message that can't be read as text; it gets its answer in its place (G2). */
  receiveUnreadable(why: string): void {
    void this.push(async () => this.replies.refuseBad(refuse('INVALID_FORMAT', why)));
  }

  /** A message over the limit ends the connection. */
  receiveTooLarge(): void {
    this.replies.refuse(refuse('FRAME_TOO_LARGE', 'a frame is at most 10 MB, and 8 KB before authentication'));
    this.close('TOO_LARGE');
  }

  /**
   * Looks at what runs out: the token, the patience with a reader that takes nothing. Call it about once a second.
   * @param nowMs by the steady clock
   */
  check(nowMs: number): void {
    if (this.state.kind === 'closed') return;
    this.outbox.check(nowMs);
    const expiresAtMs = this.state.kind === 'authenticating' ? undefined : this.state.identity.expiresAtMs;
    if (expiresAtMs !== undefined && this.ports.clock.now() >= expiresAtMs) {
      this.expire('the token has expired: get a new one and reconnect');
    } else if (nowMs - (this.outbox.stalledSinceMs ?? nowMs) > this.ports.limits.stalledMs) {
      this.close('SLOW');
    }
  }

  /** What it came in by counts no more. */
  expire(message: string): void {
    if (this.state.kind === 'closed') return;
    this.replies.refuse(refuse('TOKEN_EXPIRED', message));
    this.close('TOKEN_EXPIRED');
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
    if (this.state.kind === 'open') this.replies.refuse(UNAVAILABLE);
  }

  /** Ends the connection. */
  close(name: CloseName): void {
    if (this.state.kind === 'closed') return;
    this.ports.stats.closings.add(name);
    this.ports.logger.debug({ event: 'connection.ended', connection: this.name, reason: name });
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
    this.inbound?.close();
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

  private awaitToken({ sessionId, onAuthenticated, claim }: Upgrade): ConnectionState {
    const { clock, limits } = this.ports;
    const cancel = clock.after(limits.authTimeoutMs, () => this.reject(refuse('UNAUTHORIZED', 'no auth frame came in time')));
    return { kind: 'authenticating', sessionId, onAuthenticated, claim, cancel };
  }

  private awaitFirstFrame(identity: Identity, session: SessionRef): ConnectionState {
    const { clock, limits } = this.ports;
    const cancel = clock.after(limits.seedAfterMs, () => void this.push(() => this.open(openForSeed, {})));
    return { kind: 'awaiting', identity, session, cancel };
  }

  private enter(state: ConnectionState): void {
    if (this.state.kind === 'authenticating') this.state.onAuthenticated?.();
    this.state = changeState(this.ports.stats, this.state, state);
  }

  private push(item: Inbound): Promise<void> | undefined {
    return this.state.kind === 'closed' ? undefined : (this.inbound ??= new InboundQueue(this)).push(item);
  }

  onEmpty(): void {
    this.inbound = undefined;
  }

  /** Handles what the queue gives out; never rejects. */
  async handle(item: Inbound): Promise<void> {
    try {
      await this.outbox.whenRoom();
      await this.ports.absence.wait();
      if (this.state.kind === 'closed') return;
      await (typeof item === 'string' ? this.handleText(item) : item());
    } catch (error) {
      this.ports.logger.error({ event: 'frame.fault', connection: this.name, err: error });
      this.replies.refuse(INTERNAL);
    }
  }

  private async handleText(text: string): Promise<void> {
    const decoded = decodeClientFrame(text);
    this.ports.stats.framesReceived.add(decoded.ok ? decoded.frame.type : 'invalid');
    if (this.state.kind === 'authenticating') return this.authenticate(decoded.ok ? decoded.frame : undefined);
    if (!decoded.ok) return this.replies.refuseBad(decoded);
    const { frame } = decoded;
    if (frame.type === 'auth') return this.renewToken(frame.token);
    if (frame.type === 'hello') return this.greet(frame);
    if (frame.type === 'ack') return this.outbox.acknowledge(frame.seq);
    if (this.state.kind === 'awaiting' && !(await this.open(openForSeed, { answering: frame.type }))) return;
    if (this.state.kind !== 'open') return;
    const saidHello = this.state.clientId !== undefined;
    this.replies.answer(await this.frames.handle(frame, this.state), saidHello);
  }

  private async authenticate(frame: ClientFrame | undefined): Promise<void> {
    const authenticated = await judgeFirstFrame(this.ports.authenticate, frame);
    if (this.state.kind !== 'authenticating') return;
    if (!authenticated.ok) return this.reject(authenticated);
    const { identity } = authenticated;
    const full = this.state.claim?.(identity.owner);
    if (full !== undefined) return this.reject(about('auth', full));
    this.enter(this.awaitFirstFrame(identity, sessionRef(identity.owner, this.state.sessionId)));
  }

  /** A client may stay with a new token of the same person that may do all that this connection may. Else it keeps what it has. */
  private async renewToken(token: string): Promise<void> {
    if (!('identity' in this.state)) return;
    const authenticated = await judgeNewToken(this.ports.authenticate, this.state.identity, token);
    if (!('identity' in this.state)) return;
    if (!authenticated.ok) return this.replies.refuse(authenticated);
    const connection = this.name;
    this.ports.logger.info({ event: 'connection.renewed', connection, scopes: authenticated.identity.scopes });
    this.state = { ...this.state, identity: authenticated.identity };
  }

  private async greet(hello: ClientFrameOf<'hello'>): Promise<void> {
    if (this.state.kind === 'open') {
      if (this.state.clientId !== undefined || this.state.reader.hasSent) {
        return this.replies.refuse(
          about('hello', refuse('ALREADY_RESOLVED', 'hello counts as the first frame only; reconnect to say it again')),
        );
      }
      const { identity, session, reader } = this.state;
      reader.stop();
      this.enter(this.awaitFirstFrame(identity, session));
    }
    const { state } = this;
    if (state.kind !== 'awaiting') return;
    await this.open((opening) => openForHello(opening, hello, state.identity), { answering: 'hello', clientId: hello.client_id });
  }

  private async open(
    how: Open,
    { answering, clientId }: { readonly answering?: ClientFrame['type']; readonly clientId?: string },
  ): Promise<boolean> {
    if (this.state.kind !== 'awaiting') return false;
    this.state.cancel();
    const { identity, session } = this.state;
    const connection = this.name;
    const { ports, outbox } = this;
    const opened = await tryOpen({ ports, outbox, session, connection, owner: this }, how);
    if (opened.kind === 'refused') {
      this.replies.refuse(about(answering, opened.refusal));
      if (opened.close !== undefined) this.close(opened.close);
      return false;
    }
    const { reader } = opened;
    if (this.state.kind !== 'awaiting') {
      reader.stop();
      return false;
    }
    this.enter({ kind: 'open', identity, session, reader, clientId });
    ports.logger.debug({ event: 'connection.opened', connection, sid: session.sid, kind: clientId === undefined ? 'seed' : 'hello' });
    return true;
  }

  /** An `ack` counts at once: what waits may wait for it. */
  private acknowledge(text: string): boolean {
    const seq = this.state.kind === 'open' ? readAck(text) : undefined;
    if (seq === undefined) return false;
    this.ports.stats.framesReceived.add('ack');
    this.outbox.acknowledge(seq);
    return true;
  }

  private reject(refusal: Refusal): void {
    this.replies.refuse(refusal);
    if (refusal.code === 'OVERLOADED') this.close('DRAIN'); // another gateway may have room
    else this.close(refusal.code === 'FORBIDDEN' ? 'FORBIDDEN' : 'UNAUTHORIZED');
  }

  /** There is nothing more to read on this connection. */
  end(why: ReaderEnd): void {
    this.replies.refuse(REFUSAL_OF_END[why]);
    this.close(why === 'removed' ? 'NORMAL' : 'REDIS_AWAY');
  }
}

const REFUSAL_OF_END: Readonly<Record<ReaderEnd, Refusal>> = {
  removed: refuse('SESSION_NOT_FOUND', 'the session was deleted'),
  lost: refuse('UNAVAILABLE', 'the store has lost this session; reconnect, and it begins anew'),
  fault: refuse('INTERNAL', 'a fault of this service; reconnect'),
};

/** No `ack` frame is longer. */
const MAX_ACK_CHARACTERS = 128;

/** The `seq` of a message that is an `ack` frame; `undefined` for any other, at the cost of a look. */
function readAck(text: string): number | undefined {
  if (text.length > MAX_ACK_CHARACTERS || !text.includes('"ack"')) return undefined;
  const decoded = decodeClientFrame(text);
  return decoded.ok && decoded.frame.type === 'ack' ? decoded.frame.seq : undefined;
}
