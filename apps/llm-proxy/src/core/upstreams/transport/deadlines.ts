import { LlmError } from '@codelab/llm';
import type { Leaving } from '../upstream.js';

/** How long an upstream may take, in milliseconds. */
export interface Timeouts {
  /** To accept the connection, TLS included. */
  readonly connectMs: number;
  /** From sending the request to the first part of the answer. Keep-alive comments don't count. */
  readonly firstTokenMs: number;
  /** Between two pieces of an answer that has begun, comments included, while somebody reads them. */
  readonly idleMs: number;
  /** From sending the request to the end of the answer. */
  readonly totalMs: number;
}

export interface DeadlineOptions {
  readonly timeouts: Timeouts;
  /** The caller's. */
  readonly signal: Leaving;
  /** The answer comes in one piece, as soon as all of it is there: only the whole time counts. */
  readonly inOnePiece?: boolean;
  /** Told once, when time is up or the caller leaves. Not before the constructor has returned. */
  readonly onOver: (error: LlmError) => void;
}

/** The timers of one request, and the caller who may leave. */
export class Deadlines {
  private readonly options: DeadlineOptions;
  private readonly total: NodeJS.Timeout;
  private readonly waiting: NodeJS.Timeout | undefined;
  private idle: NodeJS.Timeout | undefined;
  private begunNow = false;
  private over = false;

  constructor(options: DeadlineOptions) {
    const { timeouts, signal, inOnePiece = false } = options;
    this.options = options;
    this.total = this.after(timeouts.totalMs, 'answer');
    this.waiting = inOnePiece ? undefined : this.after(timeouts.firstTokenMs, 'begin to answer');
    if (signal.aborted) queueMicrotask(this.leave);
    else signal.addEventListener('abort', this.leave, { once: true });
  }

  get begun(): boolean {
    return this.begunNow;
  }

  /** A piece of the answer came, be it only a comment. */
  bytes(): void {
    this.idle?.refresh();
  }

  /** A part of the answer that means something came. */
  token(): void {
    if (this.begunNow || this.over) return;
    this.begunNow = true;
    clearTimeout(this.waiting);
    this.goOn();
  }

  /** Nobody reads: what doesn't come meanwhile is not the upstream's fault. */
  pause(): void {
    clearTimeout(this.idle);
    this.idle = undefined;
  }

  /** Somebody reads on. */
  goOn(): void {
    if (this.begunNow && !this.over) this.idle ??= this.after(this.options.timeouts.idleMs, 'go on with its answer');
  }

  /** Ends all timers; nothing is told any more. */
  end(): void {
    this.over = true;
    clearTimeout(this.total);
    clearTimeout(this.waiting);
    clearTimeout(this.idle);
    this.options.signal.removeEventListener('abort', this.leave);
  }

  private readonly leave = (): void => this.tell(new LlmError('cancelled', 'The request was cancelled.'));

  private after(ms: number, what: string): NodeJS.Timeout {
    return setTimeout(() => this.tell(new LlmError('timeout', `The model provider took longer than ${ms / 1000} s to ${what}.`)), ms);
  }

  private tell(error: LlmError): void {
    if (this.over) return;
    this.end();
    this.options.onOver(error);
  }
}
