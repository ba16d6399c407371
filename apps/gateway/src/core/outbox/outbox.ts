import type { CloseEntry } from '@codelab/protocol';
import type { Transport } from '../connection/transport.js';
import { CoalescedTokens } from './coalesced-tokens.js';
import type { SteadyClock } from '../steady-clock.js';
import type { OutboxBudget } from './outbox-budget.js';
import { ReadWindow } from './read-window.js';

/** Text is not coalesced beyond this: what is one frame can't be left out in part. */
const MAX_COALESCED_BYTES = 64 * 1024;
/** Without a word of a client that acknowledges, its socket alone slows it from then on. */
const ACK_PATIENCE_MS = 5_000;

/** What one connection may have waiting. */
export interface OutboxLimits {
  readonly maxFrames: number;
  /** UTF-8 bytes that may wait; one frame of any size may wait alone. */
  readonly maxBytes: number;
  /** Bytes handed to the socket and not yet written by it; more waits here, where it can still be left out. */
  readonly windowBytes: number;
}

/** Who hears how a queue fares. */
export interface OutboxListener {
  /** Three quarters of a limit are reached, for the first time since the queue was last a quarter full: tell the client. */
  onPressure(): void;
  /**
   * The queue is over: the frames of the log from `seq` on were dropped, and more are refused until `onDrained`.
   * @param sentSeq the last frame of the log that has left; absent if none has
   */
  onOverflow(seq: number, sentSeq?: number): void;
  /** After an overflow everything has left: begin again with a snapshot. */
  onDrained(): void;
}

type Entry =
  | { readonly kind: 'answer'; readonly text: string; readonly bytes: number }
  | { readonly kind: 'relayed'; readonly key: string; readonly text: string; readonly bytes: number }
  | {
      readonly kind: 'logged';
      readonly type: string;
      readonly firstSeq: number;
      seq: number;
      readonly text: string;
      bytes: number;
      readonly isStandIn: boolean;
      tokens?: CoalescedTokens;
    };

/** An empty queue: nothing is put into this one, it stands for a connection that has nothing to write. */
const NONE: Entry[] = [];

/** A frame of the log as one client gets it. */
export interface OutgoingFrame {
  readonly type: string;
  readonly seq: number;
  readonly text: string;
  /** It stands in the place of a frame of the log, and is none itself: it has no `seq`. */
  readonly isStandIn?: boolean;
}

/**
 * The way out of one connection: in order, bounded by frames and bytes, as fast as the socket takes it (G4). While frames wait, text of
 * one message is coalesced and unlogged progress is kept only in its newest state. At the limit the frames of the log are dropped, all of
 * them, and refused until the socket has taken the rest; the reader then gets a snapshot. Answers are never dropped (G2): who asks more than
 * it reads isn't read any more, see `whenRoom`.
 */
export class Outbox {
  private queue = NONE;
  private queuedBytes = 0;
  private inFlight = 0;
  private pressed = false;
  private overflowed = false;
  private closed = false;
  private flushing = false;
  private progressAtMs = 0;
  private waiters: (() => void)[] | undefined = undefined;
  private window: ReadWindow | undefined = undefined;
  private sentSeq: number | undefined = undefined;

  constructor(
    private readonly transport: Transport,
    private readonly limits: OutboxLimits,
    private readonly budget: OutboxBudget,
    private readonly listener: OutboxListener,
    private readonly clock: SteadyClock,
  ) {}

  /** Sends a frame that nothing may drop: an answer, an error, a welcome, a call that is given again. */
  answer(text: string): void {
    this.put({ kind: 'answer', text, bytes: Buffer.byteLength(text) });
  }

  /** The same, before everything that waits. */
  answerFirst(text: string): void {
    if (this.queue.length === 0) return this.answer(text);
    const bytes = Buffer.byteLength(text);
    this.queue.unshift({ kind: 'answer', text, bytes });
    this.countQueued(bytes);
  }

  /** Sends a frame of the log. `false`: the queue is over, the frame is not taken. */
  log({ type, seq, text, isStandIn = false }: OutgoingFrame): boolean {
    if (this.overflowed || this.closed) return false;
    const bytes = Buffer.byteLength(text);
    if (type === 'assistant_message' && this.coalesce(seq, text, bytes)) return true;
    if (this.isOver(bytes)) {
      this.overflow(seq);
      return false;
    }
    this.put({ kind: 'logged', type, firstSeq: seq, seq, text, bytes, isStandIn });
    return true;
  }

  /** Sends unlogged progress; a newer one of the same `key` takes its place while it waits. */
  relay(key: string, text: string): void {
    const bytes = Buffer.byteLength(text);
    const older = this.queue.findIndex((entry) => entry.kind === 'relayed' && entry.key === key);
    if (older !== -1) this.forget(older);
    if (!this.isOver(bytes)) this.put({ kind: 'relayed', key, text, bytes });
  }

  /** The client has read the log up to `seq`. */
  acknowledge(seq: number): void {
    this.window ??= new ReadWindow();
    this.window.acknowledge(seq);
    this.progressAtMs = this.clock.now();
    this.flush();
  }

  /** A client that acknowledges too rarely for its window is not kept waiting for ever. Call it about once a second. */
  check(nowMs: number): void {
    if (!this.window?.isFull || nowMs - this.progressAtMs < ACK_PATIENCE_MS) return;
    this.window = undefined;
    this.flush();
  }

  /** Resolves when the queue is half empty; `undefined` if it is. Resolves on `close` too. */
  whenRoom(): Promise<void> | undefined {
    if (this.closed || this.fill() < 0.5) return undefined;
    return new Promise((resolve) => (this.waiters ??= []).push(resolve));
  }

  /** Since when nothing has moved although something waits; `undefined` if nothing waits. */
  get stalledSinceMs(): number | undefined {
    return this.inFlight > 0 || this.queue.length > 0 || this.overflowed ? this.progressAtMs : undefined;
  }

  /** Hands over the answers that wait, drops the rest and ends the connection. */
  close(reason: CloseEntry): void {
    if (this.closed) return;
    const answers = this.queue.filter(({ kind }) => kind === 'answer');
    this.release();
    for (const { text } of answers) this.transport.send(text, () => {});
    this.transport.close(reason);
  }

  /** The connection is gone: nothing is held any more. */
  release(): void {
    if (this.closed) return;
    this.closed = true;
    this.countQueued(-this.queuedBytes);
    this.queue = NONE;
    this.wakeWaiters();
  }

  private put(entry: Entry): void {
    if (this.closed) return;
    if (this.queue.length === 0 && this.canSend()) return this.send(entry);
    if (this.queue === NONE) this.queue = [];
    this.queue.push(entry);
    this.countQueued(entry.bytes);
    if (this.pressed || this.fill() < 0.75) return;
    this.pressed = true;
    this.listener.onPressure();
  }

  private coalesce(seq: number, text: string, bytes: number): boolean {
    const last = this.queue.at(-1);
    if (last?.kind !== 'logged' || last.type !== 'assistant_message') return false;
    if (last.bytes + bytes > MAX_COALESCED_BYTES || this.queuedBytes + bytes > this.limits.maxBytes) return false;
    const tokens = (last.tokens ??= new CoalescedTokens(last.text));
    if (!tokens.append(text)) return false;
    last.seq = seq;
    last.bytes += bytes;
    this.countQueued(bytes);
    return true;
  }

  private send(entry: Entry): void {
    const text = entry.kind === 'logged' && entry.tokens ? entry.tokens.text : entry.text;
    const bytes = text === entry.text ? entry.bytes : Buffer.byteLength(text);
    if (entry.kind === 'logged') this.window?.note(entry.seq, bytes);
    if (entry.kind === 'logged' && !entry.isStandIn) this.sentSeq = entry.seq;
    if (this.inFlight === 0) this.progressAtMs = this.clock.now();
    this.inFlight += bytes;
    this.budget.add(bytes);
    this.transport.send(text, () => this.written(bytes));
  }

  private written(bytes: number): void {
    this.inFlight -= bytes;
    this.budget.add(-bytes);
    this.progressAtMs = this.clock.now();
    this.flush();
  }

  private flush(): void {
    if (this.closed || this.flushing) return;
    this.flushing = true; // a transport may call `written` before `send` returns
    while (this.queue.length > 0 && this.canSend()) {
      const entry = this.queue.shift()!;
      this.countQueued(-entry.bytes);
      this.send(entry);
    }
    this.flushing = false;
    if (this.queue.length === 0) this.queue = NONE;
    if (this.fill() < 0.5) this.wakeWaiters();
    if (this.fill() < 0.25) this.pressed = false;
    if (!this.overflowed || this.inFlight > 0 || this.queue.length > 0 || this.window?.isFull) return;
    this.overflowed = false;
    this.window?.clear();
    this.listener.onDrained();
  }

  private overflow(seq: number): void {
    this.overflowed = true;
    const first = this.queue.find((entry) => entry.kind === 'logged');
    this.queue = this.queue.filter((entry) => entry.kind !== 'logged');
    const kept = this.queue.reduce((sum, entry) => sum + entry.bytes, 0);
    this.countQueued(kept - this.queuedBytes);
    this.listener.onOverflow(first?.kind === 'logged' ? first.firstSeq : seq, this.sentSeq);
    this.flush();
  }

  private canSend(): boolean {
    return this.inFlight < this.limits.windowBytes && !this.window?.isFull;
  }

  private isOver(bytes: number): boolean {
    if (this.queue.length === 0) return false;
    const { maxFrames, maxBytes } = this.limits;
    return this.queue.length >= maxFrames || this.queuedBytes + bytes > maxBytes || !this.budget.fits(bytes);
  }

  private fill(): number {
    return Math.max(this.queue.length / this.limits.maxFrames, this.queuedBytes / this.limits.maxBytes);
  }

  private forget(index: number): void {
    const [entry] = this.queue.splice(index, 1);
    this.countQueued(-(entry?.bytes ?? 0));
  }

  private countQueued(bytes: number): void {
    this.queuedBytes += bytes;
    this.budget.add(bytes);
  }

  private wakeWaiters(): void {
    const waiters = this.waiters;
    this.waiters = undefined;
    for (const wake of waiters ?? []) wake();
  }
}
