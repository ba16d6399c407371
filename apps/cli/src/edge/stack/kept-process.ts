import { setTimeout as delay } from 'node:timers/promises';
import type { Logger } from '@codelab/service-shell';
import { CommandError } from '../../core/command-error.js';
import { nextRestart } from '../../core/stack/restart-delay.js';

/** One run of a program, from ready to its end. */
export interface Life {
  readonly pid: number;
  /** Resolves when the process has ended; never rejects. */
  readonly ended: Promise<void>;
  end(signal: 'SIGTERM' | 'SIGKILL'): void;
}

/**
 * Starts the program and resolves when it is ready. Rejects when it ended before that: with `CommandError` if trying again is pointless.
 * When `abort` fires it ends what it started, and rejects once that is gone.
 */
export type Launch = (abort: AbortSignal) => Promise<Life>;

/** Deaths before it was ever ready that are taken for bad luck. */
const FIRST_TRIES = 3;

/** A process that is started again, with growing pauses, for as long as it is wanted. */
export class KeptProcess {
  private readonly abort = new AbortController();
  private life: Life | undefined;
  private deaths = 0;
  private work: Promise<unknown> = Promise.resolve();

  /** `onChange` is called when it is ready again after a death: `pid` is another one now. */
  constructor(
    readonly name: string,
    private readonly launch: Launch,
    private readonly logger: Logger,
    private readonly onChange: () => void,
  ) {}

  /** Resolves when it is ready for the first time; from then on it is kept. Rejects when it can't be started. */
  begin(): Promise<void> {
    const first = this.revive(FIRST_TRIES);
    this.work = first.then(
      (life) => this.keep(life),
      () => undefined,
    );
    return first.then(() => undefined);
  }

  /** Undefined while it is down. */
  get pid(): number | undefined {
    return this.life?.pid;
  }

  /** Ends it: gently, and by force after `graceMs`. Resolves when it is gone. Never rejects. */
  async stop(graceMs: number): Promise<void> {
    this.abort.abort();
    this.life?.end('SIGTERM');
    const timer = setTimeout(() => this.life?.end('SIGKILL'), graceMs);
    await this.work;
    clearTimeout(timer);
  }

  /** Ends it now. */
  kill(): void {
    this.abort.abort();
    this.life?.end('SIGKILL');
  }

  private async keep(first: Life): Promise<void> {
    for (let life: Life | undefined = first; life !== undefined;) {
      const since = Date.now();
      await life.ended;
      this.life = undefined;
      if (this.abort.signal.aborted) return;
      this.logger.warn({ event: 'process.died', process: this.name, process_pid: life.pid });
      await this.pause(Date.now() - since);
      life = await this.revive(Infinity).catch(() => undefined); // only an abort ends endless tries
      if (life) this.logger.info({ event: 'process.restarted', process: this.name, process_pid: life.pid });
      if (life) this.onChange();
    }
  }

  private async revive(tries: number): Promise<Life> {
    for (let left = tries - 1; ; left -= 1) {
      const since = Date.now();
      try {
        this.abort.signal.throwIfAborted();
        this.life = await this.launch(this.abort.signal);
        return this.life;
      } catch (error) {
        if (this.abort.signal.aborted || left <= 0 || (error instanceof CommandError && tries === FIRST_TRIES)) throw error;
        this.logger.warn({ event: 'process.start_failed', process: this.name }, (error as Error).message);
        await this.pause(Date.now() - since);
      }
    }
  }

  private async pause(livedMs: number): Promise<void> {
    const { deaths, delayMs } = nextRestart(this.deaths, livedMs);
    this.deaths = deaths;
    await delay(delayMs, undefined, { signal: this.abort.signal }).catch(() => undefined); // an abort ends the pause
  }
}
