import { LlmError } from '@codelab/llm';

/** How long an upstream may take, in milliseconds. */
export interface Timeouts {
  /** To accept the connection, TLS included. */
  readonly connectMs: number;
  /** From sending the request to the first part of the answer. Keep-alive comments don't count. */
  readonly firstTokenMs: number;
  /** Between two pieces of an answer that has begun, comments included. */
  readonly idleMs: number;
  /** From sending the request to the end of the answer. */
  readonly totalMs: number;
}

/** The timers of one request: each aborts `signal` with the `LlmError` that says which one ran out. */
export class Deadlines {
  readonly #controller = new AbortController();
  readonly #timeouts: Timeouts;
  readonly #caller: AbortSignal;
  readonly #total: NodeJS.Timeout;
  readonly #waiting: NodeJS.Timeout;
  #idle: NodeJS.Timeout | undefined;

  constructor(timeouts: Timeouts, caller: AbortSignal) {
    this.#timeouts = timeouts;
    this.#caller = caller;
    this.#total = this.#abortAfter(timeouts.totalMs, 'answer');
    this.#waiting = this.#abortAfter(timeouts.firstTokenMs, 'begin to answer');
    if (caller.aborted) this.#cancel();
    else caller.addEventListener('abort', this.#cancel, { once: true });
  }

  /** Aborts when time is up or the caller leaves; its reason is an `LlmError`. */
  get signal(): AbortSignal {
    return this.#controller.signal;
  }

  /** A piece of the answer came, be it only a comment. */
  bytes(): void {
    this.#idle?.refresh();
  }

  /** A part of the answer that means something came. */
  token(): void {
    clearTimeout(this.#waiting);
    this.#idle ??= this.#abortAfter(this.#timeouts.idleMs, 'go on with its answer');
  }

  /** Ends all timers. */
  end(): void {
    clearTimeout(this.#total);
    clearTimeout(this.#waiting);
    clearTimeout(this.#idle);
    this.#caller.removeEventListener('abort', this.#cancel);
  }

  readonly #cancel = (): void => this.#controller.abort(new LlmError('cancelled', 'The request was cancelled.'));

  #abortAfter(ms: number, what: string): NodeJS.Timeout {
    return setTimeout(
      () => this.#controller.abort(new LlmError('timeout', `The model provider took longer than ${ms / 1000} s to ${what}.`)),
      ms,
    );
  }
}
