import {
  CLOSE,
  decodeServerFrame,
  encodeFrame,
  SERVER_FRAMES,
  type ClientFrameOf,
  type ServerFrame,
  type ServerFrameOf,
} from '@codelab/protocol';
import { backoffDelay, type Backoff } from './backoff.js';
import type { ClosedReason, ConnectionState } from './connection-state.js';
import { decideAfterClose, decideAfterRefusal, type AfterClose } from './decide-after-close.js';
import { Link } from './link.js';
import { LogPosition, nameOf, type Resumption } from './log-position.js';
import { ReadPacer } from './read-pacer.js';
import type { OpenSocket } from './socket.js';
import type { Clock } from '@codelab/clock';

/** What a connection needs and whom it tells. */
export interface ConnectionPorts {
  readonly openSocket: OpenSocket;
  readonly clock: Clock;
  readonly backoff: Backoff;
  /** The address of the session, which has a name after the first `welcome`. */
  url(): string;
  token(): string | Promise<string>;
  /** The text of `hello`, with the position to resume from. */
  hello(position: Resumption | undefined): string;
  /** Whether this client executes: its journal and its tools stand in `hello` alone. */
  executes(): boolean;
  /** Each frame once and in order, `welcome` and open calls that come again (`redelivered`) among them. */
  onFrame(frame: ServerFrame, text: string): void;
  onState(state: ConnectionPhase): void;
}

/** The states that a connection knows by itself. */
export type ConnectionPhase = Exclude<ConnectionState, { kind: 'live' }> | { readonly kind: 'live' };

type CallOff = () => void;

type State =
  | { readonly kind: 'idle' }
  | { readonly kind: 'connecting'; link?: Link }
  | { readonly kind: 'authenticating'; readonly link: Link; readonly deadline: CallOff }
  | {
      readonly kind: 'replaying';
      readonly link: Link;
      readonly pacer: ReadPacer;
      readonly until: number;
      quiet: CallOff;
      drain?: CallOff;
      anew?: CallOff;
    }
  | { readonly kind: 'live'; readonly link: Link; readonly pacer: ReadPacer; readonly settled: CallOff; drain?: CallOff; anew?: CallOff }
  | { readonly kind: 'reconnecting'; readonly timer: CallOff }
  | { readonly kind: 'closed'; readonly reason: ClosedReason };

/** Time from the open socket to `welcome`. */
const WELCOME_MS = 20_000;

/** Silence that ends a replay whose last frames were left out for this client. */
const REPLAY_QUIET_MS = 300;

/** A connection that lived so long starts its backoff anew when it is lost. */
const SETTLED_MS = 2_000;

/** From a new epoch to the `hello` that it is told: all clients of a store hear of it in the same instant. */
const ANEW: Backoff = { firstMs: 1_000, maxMs: 1_000, factor: 1 };

/** A message from the gateway: a frame that this release knows, or the number of one that a newer server wrote into the log. */
type Incoming =
  | { readonly kind: 'frame'; readonly frame: ServerFrame }
  | { readonly kind: 'unknown'; readonly seq?: number; readonly prev_seq?: number };

const integer = (value: unknown): number | undefined => (Number.isSafeInteger(value) ? (value as number) : undefined);

/** Reads a message. What is not known is no fault, but its number still counts, or the next frame would look like a gap. */
function readServerFrame(text: string): Incoming {
  const frame = decodeServerFrame(text);
  if (frame !== undefined) return { kind: 'frame', frame };
  try {
    const { seq, prev_seq } = JSON.parse(text) as { seq?: unknown; prev_seq?: unknown };
    const [number, before] = [integer(seq), integer(prev_seq)];
    return { kind: 'unknown', seq: number, prev_seq: before };
  } catch {
    return { kind: 'unknown' }; // not JSON, or null: nothing that a client could use or answer
  }
}

/** The place of a frame in the log; `welcome.seq` is the end of the log and no place of its own. */
const numbersOf = (frame: ServerFrame): { readonly seq?: number; readonly prev_seq?: number } =>
  SERVER_FRAMES[frame.type].log ? frame : {};

/**
 * Keeps one session connected: a socket, `hello` and `welcome`, the frames in `seq` order without gap or repeat (G3), and a new socket with
 * `resume` when it is lost. It stops for good when the gateway says that coming back is useless, or when it is closed.
 */
export class Connection {
  private state: State = { kind: 'idle' };
  private failures = 0;
  private readonly position = new LogPosition();

  constructor(private readonly ports: ConnectionPorts) {}

  start(): void {
    if (this.state.kind === 'idle') this.open();
  }

  /** Whether frames can be sent now: `welcome` has come. */
  get isOpen(): boolean {
    return this.state.kind === 'replaying' || this.state.kind === 'live';
  }

  /** Bytes that wait in this process for the network. */
  get buffered(): number {
    return this.isOpen ? (this.state as { readonly link: Link }).link.buffered : 0;
  }

  /** Sends a frame if there is a welcomed socket; `false`: there is none, nothing was sent. */
  send(text: string): boolean {
    if (this.state.kind !== 'replaying' && this.state.kind !== 'live') return false;
    this.state.link.send(text);
    return true;
  }

  /** Gives the present socket up for a new one, at once. */
  renew(why: string): void {
    if (this.state.kind === 'closed' || this.state.kind === 'idle') return;
    this.come(why, 0);
  }

  /** Ends for good. */
  close(reason: ClosedReason): void {
    if (this.state.kind === 'closed') return;
    this.leave({ code: CLOSE.NORMAL.code, reason: CLOSE.NORMAL.reason });
    this.state = { kind: 'closed', reason };
    this.ports.onState(this.state);
  }

  private open(): void {
    const state: State = { kind: 'connecting' };
    this.state = state;
    this.ports.onState({ kind: 'connecting', attempt: this.failures + 1 });
    Promise.resolve()
      .then(() => this.ports.token())
      .then(
        (token) => this.state === state && this.dial(state, token),
        (error: unknown) => {
          if (this.state === state) this.retry(`the token can not be had: ${error instanceof Error ? error.message : 'unknown reason'}`);
        },
      );
  }

  private dial(state: Extract<State, { kind: 'connecting' }>, token: string): void {
    const url = this.ports.url();
    const link: Link = new Link(this.ports.openSocket, { url, token }, this.ports.clock, {
      onOpen: () => {
        const deadline = this.ports.clock.after(WELCOME_MS, () => this.retry('the gateway sent no welcome'));
        this.state = { kind: 'authenticating', link, deadline };
        this.ports.onState({ kind: 'authenticating' });
        link.send(this.ports.hello(this.position.resume));
      },
      onMessage: (text) => this.receive(text),
      onLost: (closing) => this.follow(decideAfterClose(closing, url)),
    });
    state.link = link;
  }

  private receive(text: string): void {
    const incoming = readServerFrame(text);
    if (this.state.kind === 'authenticating') {
      if (incoming.kind === 'unknown') return;
      if (incoming.frame.type === 'welcome') this.welcome(incoming.frame, text, this.state);
      else if (incoming.frame.type === 'error') this.follow(decideAfterRefusal(incoming.frame));
      return;
    }
    if (this.state.kind !== 'replaying' && this.state.kind !== 'live') return;
    const { seq, prev_seq } = incoming.kind === 'frame' ? numbersOf(incoming.frame) : incoming;
    if (seq !== undefined) {
      const continuity = this.position.judge({ seq, prev_seq }, incoming.kind === 'frame' ? nameOf(incoming.frame) : undefined);
      if (continuity === 'gap') return this.retry('frames of the session are missing');
      if (continuity === 'next') this.state.pacer.handled(seq, text.length);
      else if (incoming.kind === 'unknown' || !(incoming.frame.type === 'tool_call' && incoming.frame.redelivered === true)) return;
    }
    if (incoming.kind === 'frame') this.take(incoming.frame, text);
    if (this.state.kind === 'replaying') this.continueReplay(this.state);
  }

  private take(frame: ServerFrame, text: string): void {
    const beganAnew = frame.type === 'welcome' && frame.epoch !== this.position.resume?.epoch;
    if (frame.type === 'welcome') {
      this.position.restart(frame);
      if (this.state.kind === 'replaying' || this.state.kind === 'live') this.state.pacer.restart(this.position.last);
    }
    if (frame.type === 'drain' && (this.state.kind === 'replaying' || this.state.kind === 'live')) {
      this.state.drain ??= this.ports.clock.after(frame.retry_after_ms, () => this.renew('the gateway is going away'));
    }
    this.ports.onFrame(frame, text);
    if (beganAnew) this.tellAnew();
  }

  /** The store has lost what this client said of itself, its journal among it: only a new `hello` tells that again. */
  private tellAnew(): void {
    if (this.state.kind !== 'replaying' && this.state.kind !== 'live') return;
    if (this.ports.executes()) this.state.anew ??= this.ports.clock.after(backoffDelay(1, ANEW), () => this.renew('the log began anew'));
  }

  private welcome(frame: ServerFrameOf<'welcome'>, text: string, state: Extract<State, { kind: 'authenticating' }>): void {
    state.deadline();
    this.position.restart(frame);
    const { link } = state;
    const pacer = new ReadPacer(this.ports.clock, this.position.last, (seq) => {
      const ack: ClientFrameOf<'ack'> = { type: 'ack', seq };
      link.send(encodeFrame(ack));
    });
    const until = frame.recovered ? frame.seq : this.position.last;
    this.state = { kind: 'replaying', link, pacer, until, quiet: () => undefined };
    this.ports.onState({ kind: 'replaying', until });
    this.ports.onFrame(frame, text);
    if (this.state.kind === 'replaying') this.continueReplay(this.state);
  }

  private continueReplay(state: Extract<State, { kind: 'replaying' }>): void {
    state.quiet();
    if (this.position.last >= state.until) this.goLive(state);
    else state.quiet = this.ports.clock.after(REPLAY_QUIET_MS, () => this.goLive(state));
  }

  private goLive(replay: Extract<State, { kind: 'replaying' }>): void {
    const { link, pacer, drain, anew } = replay;
    const settled = this.ports.clock.after(SETTLED_MS, () => (this.failures = 0));
    this.state = { kind: 'live', link, pacer, settled, drain, anew };
    this.ports.onState({ kind: 'live' });
  }

  private follow(after: AfterClose): void {
    if (after.kind === 'reconnect') return this.isToGo ? this.renew(after.why) : this.retry(after.why);
    this.leave();
    this.state = { kind: 'closed', reason: after.reason };
    this.ports.onState(this.state);
  }

  /** The gateway has said when to go: whichever of the two is faster then, it waits for nothing else. */
  private get isToGo(): boolean {
    return (this.state.kind === 'replaying' || this.state.kind === 'live') && this.state.drain !== undefined;
  }

  private retry(why: string): void {
    this.failures += 1;
    this.come(why, backoffDelay(this.failures, this.ports.backoff));
  }

  private come(why: string, delayMs: number): void {
    this.leave();
    this.state = { kind: 'reconnecting', timer: this.ports.clock.after(delayMs, () => this.open()) };
    this.ports.onState({ kind: 'reconnecting', attempt: this.failures, delayMs, why });
  }

  /** Ends what belongs to the present state: its timers, its socket. */
  private leave(goodbye?: { readonly code: number; readonly reason: string }): void {
    const { state } = this;
    if (state.kind === 'connecting') state.link?.drop();
    if (state.kind === 'reconnecting') state.timer();
    if (state.kind === 'authenticating') {
      state.deadline();
      state.link.drop(); // a gateway that looks at `hello` answers no goodbye
    }
    if (state.kind === 'replaying') state.quiet();
    if (state.kind === 'live') state.settled();
    if (state.kind === 'replaying' || state.kind === 'live') {
      state.pacer.stop();
      state.drain?.();
      state.anew?.();
    }
    if (state.kind === 'replaying' || state.kind === 'live') state.link.drop(goodbye);
  }
}
