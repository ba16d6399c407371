import { once } from 'node:events';
import type { Logger } from 'pino';

/**
 * `stop`: take no more work; tell those who wait. `finish`: let what has begun end, hand the rest over.
 * `close`: connections to Redis and others end, after HTTP has closed.
 */
export type DrainPhase = 'stop' | 'finish' | 'close';

/** `signal` aborts when the time for this phase is over: give up then, what is stored is taken over by others. */
export type DrainHook = (signal: AbortSignal) => Promise<void> | void;

/** Time that `close` has to itself, however long the phases before it took. */
const CLOSE_MS = 2_000;

/** What a service does when it is told to stop, in order and bounded in time: a stuck hook is named in the log and left behind. */
export class Drain {
  private readonly hooks: { readonly phase: DrainPhase; readonly name: string; readonly hook: DrainHook }[] = [];

  constructor(
    private readonly timeoutMs: number,
    private readonly logger: Logger,
  ) {}

  /** Registers a hook. Those of one phase run side by side; `name` is what the log says when it is too slow. */
  on(phase: DrainPhase, name: string, hook: DrainHook): void {
    this.hooks.push({ phase, name, hook });
  }

  /** Runs `stop` and `finish` within the drain time, then `closeHttp`, then `close`. Never rejects. */
  async run(closeHttp: () => Promise<void>): Promise<void> {
    const deadline = performance.now() + this.timeoutMs; // steady: the time of day may be set meanwhile
    await this.phase('stop', this.timeoutMs);
    await this.phase('finish', Math.max(deadline - performance.now(), 0));
    await this.bounded('http', () => closeHttp(), CLOSE_MS);
    await this.phase('close', CLOSE_MS);
  }

  private async phase(phase: DrainPhase, timeoutMs: number): Promise<void> {
    const due = this.hooks.filter((entry) => entry.phase === phase);
    await Promise.all(due.map(({ name, hook }) => this.bounded(name, hook, timeoutMs)));
  }

  private async bounded(name: string, hook: DrainHook, timeoutMs: number): Promise<void> {
    const abort = new AbortController();
    const timer = setTimeout(() => abort.abort(), timeoutMs);
    const overdue = once(abort.signal, 'abort').then(() => 'overdue' as const);
    try {
      const outcome = await Promise.race([Promise.resolve().then(() => hook(abort.signal)), overdue]);
      if (outcome === 'overdue') this.logger.warn({ event: 'drain.overdue', hook: name, timeout_ms: timeoutMs });
    } catch (err) {
      this.logger.error({ event: 'drain.failed', hook: name, err });
    } finally {
      clearTimeout(timer);
    }
  }
}
