import { WebSocket } from 'ws';
import type { ChaosEventBody, ChaosFrame, ObserverRole } from '../../recording/chaos-event.js';
import { answersOf, refusalOf, type Answer, type Ask } from './asks.js';
import { LogReader } from './log-reader.js';
import { SessionState } from './session-state.js';

/** Opt-in frames that observers of a run want: all but those of thoughts and status. */
export const CAPABILITIES = [
  'agent_switched',
  'mode_switched',
  'todos_updated',
  'queue_updated',
  'turn_steered',
  'tool_status',
  'tool_output',
];

const RETRY_MS = 100;
/** A link may be dead without a word: one that doesn't answer a ping for so long is left. */
const SILENCE_MS = 3_000;
const ACK_EVERY = 32;
/** How long the other end may take to say goodbye. */
const GOODBYE_MS = 2_000;

/** Who an observer is, and where it connects. */
export interface WireObserverOptions {
  readonly name: string;
  readonly role: ObserverRole;
  readonly owner: string;
  readonly session: string;
  readonly clientId: string;
  readonly token: string;
  /** `ws://…/ws`. */
  readonly url: string;
  readonly record: (event: ChaosEventBody) => void;
  /** Goes into `hello`, over what is there. */
  readonly hello?: object;
  /** Where it begins to read; with a snapshot without it. */
  readonly from?: { readonly epoch: string; readonly seq: number };
}

/**
 * A client written from docs/protocol alone, with nothing of ours: it stays connected, resumes, asks again until it is answered, and
 * records each frame. It runs no tools.
 */
export class WireObserver {
  readonly state = new SessionState();
  private readonly reader = new LogReader();
  private readonly asks = new Set<Ask>();
  private readonly listeners = new Set<(frame: ChaosFrame) => void>();
  private socket: WebSocket | undefined;
  private connection = 0;
  private isLive = false;
  private isClosed = false;
  private unacknowledged = 0;
  private retry: NodeJS.Timeout | undefined;
  private watchdog: NodeJS.Timeout | undefined;

  constructor(readonly options: WireObserverOptions) {
    this.reader.place = options.from;
    const { name: observer, role, owner, session, clientId } = options;
    options.record({ kind: 'observer', observer, role, owner, session, clientId });
    this.connect();
  }

  /** Sends a request, again over reconnects, until it is answered. */
  ask(frame: ChaosFrame): Promise<Answer> {
    return new Promise((resolve) => {
      const ask: Ask = { frame, ...answersOf(frame), resolve };
      this.asks.add(ask);
      for (let copies = this.options.role === 'raw' ? 2 : 1; this.isLive && copies > 0; copies -= 1) this.send(frame);
    });
  }

  /** Sends a frame now, if there is a connection; nothing waits for an answer. */
  send(frame: object): void {
    if (this.socket?.readyState !== WebSocket.OPEN) return;
    this.record('out', frame as ChaosFrame);
    this.socket.send(JSON.stringify(frame));
  }

  /** Calls back for each frame that comes. Returns what ends it. */
  listen(listener: (frame: ChaosFrame) => void): () => void {
    this.listeners.add(listener);
    return () => void this.listeners.delete(listener);
  }

  /** Resolves as soon as `holds` does, looked at after each frame; false where it did not in that time. */
  until(holds: (state: SessionState) => boolean, withinMs: number): Promise<boolean> {
    if (holds(this.state)) return Promise.resolve(true);
    return new Promise((resolve) => {
      const done = (held: boolean): void => {
        clearTimeout(timer);
        stop();
        resolve(held);
      };
      const timer = setTimeout(() => done(false), withinMs);
      const stop = this.listen(() => holds(this.state) && done(true));
    });
  }

  /** Cuts the connection without a goodbye; it comes back by itself. */
  cut(): void {
    this.socket?.terminate();
  }

  /** Requests that nothing has answered yet. */
  get open(): readonly ChaosFrame[] {
    return [...this.asks].map(({ frame }) => frame);
  }

  /** Resolves once its connection is closed: a gateway that is slow has read by then what was said on it. */
  async close(): Promise<void> {
    this.isClosed = true;
    clearTimeout(this.retry);
    clearTimeout(this.watchdog);
    for (const ask of this.asks) ask.resolve({ ok: false, code: 'CLOSED_HERE', retryable: false });
    this.asks.clear();
    const { socket } = this;
    if (socket === undefined || socket.readyState === WebSocket.CLOSED) return;
    const closed = new Promise((resolve) => socket.once('close', resolve));
    socket.close(1000);
    const timer = setTimeout(() => socket.terminate(), GOODBYE_MS);
    await closed;
    clearTimeout(timer);
  }

  private connect(): void {
    const { url, session, token, role } = this.options;
    const connection = (this.connection += 1);
    const socket = new WebSocket(`${url}/${session}`, {
      headers: role === 'raw' ? {} : { authorization: `Bearer ${token}` },
      handshakeTimeout: SILENCE_MS,
      perMessageDeflate: false,
    });
    this.socket = socket;
    const said = (what: 'open' | 'closed' | 'refused', code?: number): void =>
      this.options.record({ kind: 'socket', observer: this.options.name, connection, what, code });
    let refused: number | undefined;
    socket.on('unexpected-response', (_request, response) => {
      refused = response.statusCode;
      response.resume();
      socket.terminate();
    });
    socket.on('error', () => undefined); // 'close' follows
    socket.on('open', () => {
      said('open');
      this.greet();
    });
    socket.on('message', (data) => socket === this.socket && this.take(JSON.parse((data as Buffer).toString('utf8')) as ChaosFrame));
    for (const sign of ['message', 'ping', 'pong', 'open'] as const) socket.on(sign, () => this.watch(socket));
    socket.on('close', (code) => {
      said(refused === undefined ? 'closed' : 'refused', refused ?? code);
      this.isLive = false;
      if (!this.isClosed && socket === this.socket) this.comeBack();
    });
  }

  private comeBack(): void {
    clearTimeout(this.watchdog);
    clearTimeout(this.retry);
    this.retry = setTimeout(() => this.connect(), RETRY_MS);
  }

  private watch(socket: WebSocket): void {
    clearTimeout(this.watchdog);
    if (this.isClosed) return;
    this.watchdog = setTimeout(() => {
      socket.ping();
      this.watchdog = setTimeout(() => socket.terminate(), SILENCE_MS);
    }, SILENCE_MS / 2);
  }

  private greet(): void {
    const { clientId, hello, role, token } = this.options;
    if (role === 'raw') this.socket?.send(JSON.stringify({ type: 'auth', token })); // as a browser has to
    this.send({
      ...{ type: 'hello', protocol_versions: ['2.1', '2.0'], client_id: clientId, client: { name: 'observer', version: '1' } },
      ...{ capabilities: CAPABILITIES, resume: this.reader.place, ...hello },
    });
  }

  private take(frame: ChaosFrame): void {
    this.record('in', frame);
    const reading = this.reader.read(frame);
    if (reading === 'gap') return this.socket?.terminate();
    if (reading !== 'repeat' || frame['redelivered'] === true) this.state.take(frame);
    if (reading === 'begin') this.begin();
    if (reading === 'next') this.acknowledge();
    for (const ask of [...this.asks]) this.answer(ask, frame);
    for (const listener of [...this.listeners]) listener(frame);
  }

  private begin(): void {
    this.isLive = true;
    for (const { frame } of this.asks) this.send(frame);
  }

  private acknowledge(): void {
    this.unacknowledged += 1;
    if (this.unacknowledged < ACK_EVERY) return;
    this.unacknowledged = 0;
    this.send({ type: 'ack', seq: this.reader.place?.seq ?? 0 });
  }

  private answer(ask: Ask, frame: ChaosFrame): void {
    const answer = ask.answers(frame) ? ({ ok: true, frame } as const) : refusalOf(ask, frame);
    if (answer === undefined) return;
    if (!answer.ok && answer.retryable) {
      setTimeout(() => this.asks.has(ask) && this.isLive && this.send(ask.frame), RETRY_MS).unref();
      return;
    }
    this.asks.delete(ask);
    ask.resolve(answer);
  }

  private record(direction: 'in' | 'out', frame: ChaosFrame): void {
    this.options.record({ kind: 'frame', observer: this.options.name, connection: this.connection, direction, frame });
  }
}
