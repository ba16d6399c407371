import type { Clock } from '@codelab/clock';
import type { JSONRPCMessage, MessageExtraInfo, Transport, TransportSendOptions } from '@modelcontextprotocol/client';
import { InboundBudget } from './inbound-budget.js';

/** The error of an answer that never came because its HTTP stream ended; made here, no server sends it. */
export const STREAM_ENDED = -32_099;

/** A stream of a request that was cancelled is closed after this, if the server has not ended it by then. */
const CANCELLED_MS = 2_000;

/** After the end of a stream its last message may still be on its way through the parser. */
const LAST_MESSAGE_MS = 50;

export interface GuardOptions {
  readonly clock: Clock;
  /** The client tries the modern protocol otherwise on programs than on URLs, and tells them apart by these two fields. */
  readonly isProgram: boolean;
  /** What the server did that it should not; the connection lives. */
  readonly onMisconduct: (sentence: string) => void;
  /** The server makes the connection useless; it is closed. */
  readonly onFatal: (sentence: string) => void;
}

/**
 * A transport between the client and the real one. It bounds what the server sends of its own accord, drops answers that nobody waits for,
 * and answers a request itself when its stream ended without one.
 */
export class GuardedTransport implements Transport {
  onclose?: (() => void) | undefined;
  onerror?: ((error: Error) => void) | undefined;
  onmessage?: ((message: JSONRPCMessage, extra?: MessageExtraInfo) => void) | undefined;
  /** Why it was closed, as a phrase, where that was for what the server did. */
  why: string | undefined;
  readonly hasPerRequestStream: boolean | undefined;
  private readonly budget: InboundBudget;
  /** The requests that wait for an answer, with what ends their stream. */
  private readonly waiting = new Map<string | number, AbortController>();
  private readonly timers = new Set<() => void>();
  private isFatal = false;

  constructor(
    private readonly inner: Transport,
    private readonly options: GuardOptions,
  ) {
    this.budget = new InboundBudget(options.clock);
    this.hasPerRequestStream = inner.hasPerRequestStream;
    if (options.isProgram) Object.assign(this, { stderr: null, pid: null });
    inner.onclose = () => {
      this.cancelTimers();
      this.onclose?.();
    };
    inner.onerror = (error) => this.onerror?.(error);
    inner.onmessage = (message, extra) => this.receive(message, extra);
  }

  get sessionId(): string | undefined {
    return this.inner.sessionId;
  }

  start(): Promise<void> {
    return this.inner.start();
  }

  close(): Promise<void> {
    this.cancelTimers();
    return this.inner.close();
  }

  setProtocolVersion(version: string): void {
    this.inner.setProtocolVersion?.(version);
  }

  async send(message: JSONRPCMessage, options?: TransportSendOptions): Promise<void> {
    const id = 'method' in message && 'id' in message ? message.id : undefined;
    if (id === undefined) {
      this.noteCancelled(message);
      return this.inner.send(message, options);
    }
    const stream = new AbortController();
    this.waiting.set(id, stream);
    const { requestSignal } = options ?? {};
    try {
      await this.inner.send(message, {
        ...options,
        requestSignal: requestSignal === undefined ? stream.signal : AbortSignal.any([requestSignal, stream.signal]),
        onRequestStreamEnd: () => {
          options?.onRequestStreamEnd?.();
          // The ids of subscriptions are texts, and the client sees to their end itself.
          if (typeof id === 'number') this.after(LAST_MESSAGE_MS, () => this.endWithout(id));
        },
      });
    } catch (error) {
      this.waiting.delete(id);
      throw error;
    }
  }

  private noteCancelled(message: JSONRPCMessage): void {
    if (!('method' in message) || message.method !== 'notifications/cancelled') return;
    const stream = this.waiting.get(message.params?.['requestId'] as string | number);
    if (stream !== undefined) this.after(CANCELLED_MS, () => stream.abort());
  }

  /** Does it later, unless the connection ends before: then nothing waits for anything any more, and no timer keeps the process. */
  private after(delayMs: number, work: () => void): void {
    const cancel = this.options.clock.after(delayMs, () => {
      this.timers.delete(cancel);
      work();
    });
    this.timers.add(cancel);
  }

  private cancelTimers(): void {
    for (const cancel of this.timers) cancel();
    this.timers.clear();
  }

  private endWithout(id: string | number): void {
    if (!this.waiting.delete(id)) return;
    this.onmessage?.({ jsonrpc: '2.0', id, error: { code: STREAM_ENDED, message: 'the answer never came: its stream ended' } });
  }

  private receive(message: JSONRPCMessage, extra: MessageExtraInfo | undefined): void {
    if (this.isFatal) return;
    if (!('method' in message)) {
      if (message.id === undefined || !this.waiting.delete(message.id)) {
        return this.options.onMisconduct('It answered what it was not asked.');
      }
      return this.onmessage?.(message, extra);
    }
    const admission = this.budget.admit();
    if (admission === 'take') return this.onmessage?.(message, extra);
    if (admission === 'drop') return this.options.onMisconduct('It sends more notifications than are taken; some were dropped.');
    this.isFatal = true;
    this.options.onFatal('it floods us with notifications');
  }
}
