import type { Upstream, UpstreamModel } from '../upstreams/upstream.js';

/** How long a list counts, and how long one that could not be had is left alone. */
const FRESH_MS = 60_000;
const FAILED_MS = 15_000;

/** How long whoever asks for the models waits for lists that are being read: what comes later counts the next time. */
const WAIT_MS = 2_000;

/** How long one upstream may take. */
const READ_MS = 10_000;

interface Entry {
  readonly names: readonly string[];
  readonly models: ReadonlyMap<string, UpstreamModel>;
  readonly untilMs: number;
}

export interface UpstreamModelsPorts {
  /** Milliseconds of a clock that never goes back. */
  readonly now: () => number;
  /** Resolves after so many milliseconds, or when `signal` aborts. */
  readonly wait: (ms: number, signal: AbortSignal) => Promise<unknown>;
  /** An upstream's list could not be read. */
  readonly onFailed: (upstream: string, error: unknown) => void;
}

/**
 * The models that upstreams say they have, remembered for a minute. An upstream that is away, slow or says nonsense contributes nothing, and
 * keeps nobody waiting for longer than two seconds.
 */
export class UpstreamModels {
  private readonly lists = new Map<string, Entry>();
  private readonly running = new Map<string, Promise<void>>();

  constructor(
    private readonly upstreams: readonly Upstream[],
    private readonly ports: UpstreamModelsPorts,
  ) {}

  /** What is known of an upstream, as it was read last; nothing before that and after a failure. */
  of(upstream: string): readonly string[] {
    return this.lists.get(upstream)?.names ?? [];
  }

  /** What an upstream says of one of its models. */
  describe(upstream: string, model: string): UpstreamModel | undefined {
    return this.lists.get(upstream)?.models.get(model);
  }

  /** Reads what is not fresh; resolves when all of it is known, or after two seconds. Never rejects. */
  async refresh(): Promise<void> {
    const now = this.ports.now();
    const stale = this.upstreams.filter(({ name }) => (this.lists.get(name)?.untilMs ?? 0) <= now);
    if (stale.length === 0) return;
    const done = new AbortController();
    const all = Promise.all(stale.map((upstream) => this.read(upstream)));
    await Promise.race([all, this.ports.wait(WAIT_MS, done.signal).catch(() => undefined)]); // aborted: all of them came before
    done.abort();
  }

  private read(upstream: Upstream): Promise<void> {
    const running = this.running.get(upstream.name) ?? this.readNow(upstream).finally(() => this.running.delete(upstream.name));
    this.running.set(upstream.name, running);
    return running;
  }

  private async readNow(upstream: Upstream): Promise<void> {
    const { now, onFailed } = this.ports;
    try {
      const listed = (await upstream.listModels?.(AbortSignal.timeout(READ_MS))) ?? [];
      const models = new Map(listed.map((model) => [model.id, model]));
      this.lists.set(upstream.name, { names: [...models.keys()], models, untilMs: now() + FRESH_MS });
    } catch (error) {
      this.lists.set(upstream.name, { names: [], models: this.lists.get(upstream.name)?.models ?? new Map(), untilMs: now() + FAILED_MS });
      onFailed(upstream.name, error);
    }
  }
}
