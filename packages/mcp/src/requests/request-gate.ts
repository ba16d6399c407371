import type { Clock } from '@codelab/clock';
import { ProtocolError, ProtocolErrorCode } from '@modelcontextprotocol/client';

const PER_MINUTE = 20;
const MINUTE_MS = 60_000;

/** How many wait behind the one that runs. */
const MAX_WAITING = 4;

/** How long a person, or a model, may take. */
const MAX_MS = 10 * MINUTE_MS;

/** Lets a server's requests of one kind through one at a time, a few waiting, and so many a minute; others are refused at once. */
export class RequestGate {
  private last: Promise<unknown> = Promise.resolve();
  private waiting = 0;
  private readonly times: number[] = [];

  constructor(
    private readonly clock: Clock,
    private readonly what: string,
  ) {}

  /** @param cancelled that the server takes it back, or its connection ended */
  async run<T>(request: (signal: AbortSignal) => Promise<T>, cancelled: AbortSignal): Promise<T> {
    this.admit();
    this.waiting += 1;
    const before = this.last;
    const turn = (async () => {
      await before.catch(() => undefined);
      try {
        if (cancelled.aborted) throw refuse('It was taken back.');
        return await this.timed(request, cancelled);
      } finally {
        this.waiting -= 1;
      }
    })();
    this.last = turn.catch(() => undefined);
    return turn;
  }

  private admit(): void {
    const now = this.clock.now();
    while (this.times.length > 0 && this.times[0]! <= now - MINUTE_MS) this.times.shift();
    if (this.times.length >= PER_MINUTE) throw refuse(`At most ${PER_MINUTE} ${this.what} a minute are answered.`);
    if (this.waiting > MAX_WAITING) throw refuse(`At most ${MAX_WAITING} ${this.what} may wait.`);
    this.times.push(now);
  }

  private async timed<T>(request: (signal: AbortSignal) => Promise<T>, cancelled: AbortSignal): Promise<T> {
    const ended = new AbortController();
    const cancelTimer = this.clock.after(MAX_MS, () => ended.abort(refuse('Nobody answered within 10 minutes.')));
    const signal = AbortSignal.any([cancelled, ended.signal]);
    try {
      return await Promise.race([request(signal), whenAborted(signal)]);
    } finally {
      cancelTimer();
      ended.abort(); // ends the race's other side
    }
  }
}

const refuse = (message: string): ProtocolError => new ProtocolError(ProtocolErrorCode.InvalidRequest, message);

const whenAborted = (signal: AbortSignal): Promise<never> =>
  new Promise((_, reject) => {
    const end = (): void => reject(signal.reason instanceof ProtocolError ? signal.reason : refuse('It was taken back.'));
    if (signal.aborted) end();
    else signal.addEventListener('abort', end, { once: true });
  });
