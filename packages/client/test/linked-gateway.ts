import { askedCall, resolved, toolCall, welcome } from './support.js';
import type { OpenSocket, SocketEvents } from '../src/connection/socket.js';

interface Call {
  readonly callId: string;
  readonly asked: boolean;
  state: 'waiting_approval' | 'ready' | 'answered';
  approved: boolean;
  results: number;
}

interface Link {
  readonly events: SocketEvents;
  over: boolean;
}

/** How a gateway behaves at the next `hello`; each number decides one thing at random. */
export interface Mood {
  /** Replays the log, or sends a snapshot. */
  readonly replays: boolean;
  /** Turns the order of the calls that come again, and how often each comes. */
  readonly turn: number;
  readonly times: number;
}

/**
 * A gateway in this process, with the rules of the servers for calls and none of their care: calls come again in any order, more than once.
 * Its `openSocket` is what a client connects by.
 */
export class LinkedGateway {
  readonly calls = new Map<string, Call>();
  /** Nobody can connect. */
  isAway = false;
  mood: Mood = { replays: true, turn: 0, times: 1 };
  private readonly log: { readonly seq: number }[] = [];
  private link: Link | undefined;

  readonly openSocket: OpenSocket = (_address, events) => {
    const link: Link = { events, over: false };
    this.link = link;
    queueMicrotask(() => (this.isAway ? this.cut(link) : !link.over && events.onOpen()));
    return {
      buffered: 0,
      send: (text) => queueMicrotask(() => !link.over && this.receive(JSON.parse(text) as Record<string, unknown>)),
      ping: () => undefined,
      close: () => this.cut(link),
      terminate: () => this.cut(link),
    };
  };

  /** A new call, asked or not. */
  open(callId: string, asked: boolean): void {
    if (this.calls.has(callId)) return;
    this.calls.set(callId, { callId, asked, state: asked ? 'waiting_approval' : 'ready', approved: !asked, results: 0 });
    this.write(asked ? askedCall(0, callId) : toolCall(0, callId));
  }

  approve(callId: string): void {
    const call = this.calls.get(callId);
    if (call?.state !== 'waiting_approval') return;
    Object.assign(call, { state: 'ready', approved: true });
    this.write(resolved(0, callId, { path: `${callId}.txt`, content: 'x' }));
  }

  cancel(callId: string): void {
    if (this.calls.get(callId)?.state === 'ready') this.write({ type: 'tool_cancel', call_id: callId, reason: 'cancelled' });
  }

  /** Sends every open call again, in the order and as often as the mood says. */
  repeat({ turn, times }: Mood = this.mood): void {
    const open = [...this.calls.values()].filter(({ state }) => state !== 'answered');
    const turned = open.map((_, at) => open[(at + turn) % open.length]!);
    for (const call of Array.from({ length: times }, () => turned).flat()) this.send(this.present(call));
  }

  /** Loses the connection. */
  drop(): void {
    const { link } = this;
    if (link) this.cut(link);
  }

  private present({ callId, asked, state }: Call): object {
    const outcome = state === 'ready' ? { outcome: 'approved', by: 'ann', at_ms: 1 } : {};
    const approval = { reason: 'r', risk: 'low', choices: [], ...outcome };
    const { seq: _, ...frame } = (asked ? askedCall(0, callId, { state, approval }) : toolCall(0, callId)) as { seq: number };
    return { ...frame, redelivered: true };
  }

  private receive(frame: Readonly<Record<string, unknown>>): void {
    if (frame['type'] === 'hello')
      return this.greet((frame['resume'] as { epoch: string; seq: number } | undefined) ?? { epoch: '', seq: 0 });
    const call = this.calls.get(String(frame['call_id']));
    if (frame['type'] !== 'tool_result' || call === undefined) return;
    if (call.state === 'waiting_approval')
      return this.send({ type: 'error', code: 'FORBIDDEN', message: 'undecided', retryable: false, reply_to: call.callId });
    call.results += 1;
    this.send({ type: 'tool_result_ack', call_id: call.callId, outcome: call.state === 'answered' ? 'duplicate' : 'accepted' });
    call.state = 'answered';
  }

  private greet({ epoch, seq }: { readonly epoch: string; readonly seq: number }): void {
    const replays = this.mood.replays && epoch === 'e1';
    const open = [...this.calls.values()].filter(({ state }) => state !== 'answered').map((call) => this.present(call));
    const snapshot = { seq: this.log.length, history: [], open_calls: open, todos: [], queue: [] };
    this.send(welcome({ seq: this.log.length, recovered: replays, ...(replays ? {} : { snapshot }) }));
    if (replays) for (const frame of this.log.slice(seq)) this.send(frame);
    this.repeat();
  }

  private write(frame: object): void {
    const logged = { ...frame, seq: this.log.length + 1 };
    this.log.push(logged);
    this.send(logged);
  }

  private send(frame: object): void {
    const { link } = this;
    if (link !== undefined) queueMicrotask(() => !link.over && link.events.onMessage(JSON.stringify(frame)));
  }

  private cut(link: Link): void {
    if (link.over) return;
    link.over = true;
    if (this.link === link) this.link = undefined;
    queueMicrotask(() => link.events.onClose({ code: 1006, reason: '' }));
  }
}
