import { decodeClientFrame, encodeFrame, ERRORS, LIMITS, type ClientFrame, type ErrorCode, type ServerFrame } from '@codelab/protocol';
import { backoffDelay, type Backoff } from '../connection/backoff.js';
import { RefusedError } from '../client-errors.js';
import { findRefused, isAnswer, type RequestKey } from './match-answer.js';
import type { Clock } from '@codelab/clock';

/** A request that waits for its answer. */
interface Pending extends RequestKey {
  readonly text: string;
  readonly over: Promise<ServerFrame>;
  readonly resolve: (answer: ServerFrame) => void;
  readonly reject: (error: Error) => void;
  /** Sent on the present socket. */
  sent: boolean;
  /** Refusals of the passing kind so far. */
  refusals: number;
  /** It got a refusal that may not have been meant for it. */
  doubted: boolean;
  retry?: () => void;
}

/** Requests that may wait at a time; a program that asks for more than this has lost count. */
const MAX_PENDING = 512;

/** Refusals after which the same frame is sent again by itself: the service could not take it just then, and nothing was stored. */
const PASSING: ReadonlySet<ErrorCode> = new Set(['UNAVAILABLE', 'OVERLOADED', 'RATE_LIMITED']);

/**
 * Refusals that may be meant for evidence of the same call, which is sent unasked and answered only when it is refused. The request is sent
 * once more: by then its own answer has come, if there was one.
 */
const AMBIGUOUS: ReadonlySet<ErrorCode> = new Set(['UNKNOWN_CALL', 'FORBIDDEN']);

/** Without encoding what is certainly small or large: a character has one to three bytes. */
const isTooLarge = (text: string): boolean =>
  text.length > LIMITS.MAX_FRAME_BYTES ||
  (text.length > LIMITS.MAX_FRAME_BYTES / 3 && new TextEncoder().encode(text).length > LIMITS.MAX_FRAME_BYTES);

const deferred = <T>(): { promise: Promise<T>; resolve: (value: T) => void; reject: (error: Error) => void } => {
  let [resolve, reject]: [(value: T) => void, (error: Error) => void] = [() => undefined, () => undefined];
  const promise = new Promise<T>((onValue, onError) => ([resolve, reject] = [onValue, onError]));
  return { promise, resolve, reject };
};

const refusal = (code: ErrorCode, message: string, unsent?: boolean): RefusedError =>
  new RefusedError(code, message, ERRORS[code].retryable, unsent);

/**
 * Each request until its answer (G2). It is sent at once if the connection is open, again on each new connection in the order in which the
 * requests were made, and again after a passing refusal. Every request is harmless to repeat: messages by their `message_id`, results and
 * decisions because the first one counts, cancels because they name their turn.
 */
export class PendingRequests {
  private readonly pending = new Set<Pending>();
  private closed: Error | undefined;

  constructor(private readonly ports: { readonly send: (text: string) => boolean; readonly clock: Clock; readonly backoff: Backoff }) {}

  /** Whether a request of this kind and id waits for its answer. */
  has(kind: RequestKey['kind'], id: string): boolean {
    return [...this.pending].some((request) => request.kind === kind && request.id === id);
  }

  /** Resolves when no request of this kind waits any more. */
  async idle(kind: RequestKey['kind']): Promise<void> {
    const waiting = [...this.pending].filter((request) => request.kind === kind);
    await Promise.allSettled(waiting.map(({ over }) => over));
  }

  /** Resolves with the answer. Rejects with `RefusedError`, at once if the gateway would have to refuse the frame or close over it. */
  ask(key: RequestKey, frame: ClientFrame): Promise<ServerFrame> {
    if (this.closed) return Promise.reject(this.closed);
    if (this.pending.size >= MAX_PENDING)
      return Promise.reject(refusal('OVERLOADED', `${String(MAX_PENDING)} requests wait for an answer already.`, true));
    const text = encodeFrame(frame);
    if (isTooLarge(text)) return Promise.reject(refusal('FRAME_TOO_LARGE', `the ${frame.type} is over 10 MB`, true));
    const decoded = decodeClientFrame(text);
    if (!decoded.ok) return Promise.reject(refusal(decoded.code, decoded.message, true));
    const { promise: over, resolve, reject } = deferred<ServerFrame>();
    const request: Pending = { ...key, text, over, resolve, reject, sent: false, refusals: 0, doubted: false };
    this.pending.add(request);
    this.send(request);
    return over;
  }

  /** A new connection is open: what has no answer yet is sent again. */
  resend(): void {
    for (const request of this.pending) {
      request.retry?.();
      delete request.retry;
      request.sent = false;
      this.send(request);
    }
  }

  /** Looks whether a frame answers something. */
  settle(frame: ServerFrame): void {
    if (frame.type === 'error') {
      const request = findRefused(
        [...this.pending].filter(({ sent }) => sent),
        frame,
      );
      if (request) this.refuse(request, new RefusedError(frame.code, frame.message, frame.retryable), frame.reply_to_type !== undefined);
      return;
    }
    for (const request of this.pending) {
      if (!isAnswer(request, frame)) continue;
      this.forget(request);
      request.resolve(frame);
    }
  }

  /** Gives a request up, because what has come meanwhile is its answer. */
  withdraw(kind: RequestKey['kind'], id: string): void {
    for (const request of this.pending) {
      if (request.kind !== kind || request.id !== id) continue;
      this.forget(request);
      request.reject(refusal('ALREADY_RESOLVED', 'it was answered by what came after it'));
    }
  }

  /** The connection is over: every request fails. */
  failAll(error: Error): void {
    this.closed = error;
    for (const request of this.pending) {
      this.forget(request);
      request.reject(error);
    }
  }

  private refuse(request: Pending, error: RefusedError, isCertain: boolean): void {
    const isDoubtful =
      !isCertain && AMBIGUOUS.has(error.code) && (request.kind === 'result' || request.kind === 'decision') && !request.doubted;
    request.doubted ||= isDoubtful;
    if (!PASSING.has(error.code) && !isDoubtful) {
      this.forget(request);
      request.reject(error);
      return;
    }
    request.refusals += 1;
    request.sent = false;
    request.retry = this.ports.clock.after(backoffDelay(request.refusals, this.ports.backoff), () => {
      delete request.retry;
      this.send(request);
    });
  }

  private send(request: Pending): void {
    request.sent = this.ports.send(request.text);
  }

  private forget(request: Pending): void {
    request.retry?.();
    this.pending.delete(request);
  }
}
