import { Counter, Gauge, Histogram, type Registry } from 'prom-client';
import type { LlmErrorCode } from '@codelab/llm';
import type { BreakerState } from '../core/chain/breaker.js';
import type { StepOutcome } from '../core/step/serve-step.js';

/** Seconds: a local model answers in milliseconds, a thinking one in minutes. */
const BUCKETS = [0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60, 120, 300];

const BREAKER_VALUES: Readonly<Record<BreakerState, number>> = { closed: 0, half_open: 1, open: 2 };

/** The metrics of requests from the queue, and of how upstreams are asked: `codelab_llm_proxy_…`. */
export class ProxyMetrics {
  private readonly requests: Counter;
  private readonly retries: Counter;
  private readonly tokens: Counter;
  private readonly cost: Counter;
  private readonly firstToken: Histogram;
  private readonly duration: Histogram;
  private readonly running: Gauge;
  private readonly fallbacks: Counter;
  private readonly breakers: Gauge;
  private readonly models = new LabelBound();

  constructor(registry: Registry) {
    const registers = [registry];
    const counter = (name: string, help: string, labelNames: string[]) =>
      new Counter({ name: `codelab_llm_proxy_${name}_total`, help, labelNames, registers });
    const histogram = (name: string, help: string) =>
      new Histogram({ name: `codelab_llm_proxy_${name}_seconds`, help, labelNames: ['provider', 'model'], buckets: BUCKETS, registers });
    this.requests = counter('requests', 'Model requests that came to an end, by outcome.', ['provider', 'model', 'outcome']);
    this.retries = counter('retries', 'Requests sent to a provider again, by the failure before.', ['code']);
    this.fallbacks = counter('fallbacks', 'Requests that went on to another upstream.', ['from', 'to']);
    this.breakers = new Gauge({
      name: 'codelab_llm_proxy_breaker_state',
      help: 'Whether an upstream is asked: 0 yes, 1 one request tries, 2 no. Missing: it never failed.',
      labelNames: ['upstream'],
      registers,
    });
    this.tokens = counter('tokens', 'Tokens used; input counts cached_input too.', ['model', 'direction']);
    this.cost = counter('cost_usd', 'Dollars spent, where prices are known.', ['model']);
    this.firstToken = histogram('first_token', 'From the claim of a request to the first piece of its answer.');
    this.duration = histogram('request', 'From the claim of a request to its end.');
    this.running = new Gauge({ name: 'codelab_llm_proxy_running_requests', help: 'Model requests being served now.', registers });
  }

  begun(): void {
    this.running.inc();
  }

  /** `outcome` is missing where the queue failed. */
  ended(outcome: StepOutcome | undefined): void {
    this.running.dec();
    if (!outcome) return;
    const model = this.models.of(outcome.model);
    const labels = { provider: outcome.provider, model };
    this.requests.inc({ ...labels, outcome: outcome.outcome });
    this.duration.observe(labels, outcome.durationMs / 1_000);
    if (outcome.firstTokenMs !== undefined) this.firstToken.observe(labels, outcome.firstTokenMs / 1_000);
    const { inputTokens = 0, outputTokens = 0, cachedInputTokens = 0, costUsd = 0 } = outcome.usage ?? {};
    this.tokens.inc({ model, direction: 'input' }, inputTokens);
    this.tokens.inc({ model, direction: 'cached_input' }, cachedInputTokens);
    this.tokens.inc({ model, direction: 'output' }, outputTokens);
    this.cost.inc({ model }, costUsd);
  }

  retried(code: LlmErrorCode): void {
    this.retries.inc({ code });
  }

  fellBack(from: string, to: string): void {
    this.fallbacks.inc({ from, to });
  }

  breaker(upstream: string, state: BreakerState): void {
    this.breakers.set({ upstream }, BREAKER_VALUES[state]);
  }
}

/** Models with a label of their own. Their names come from users: without a bound anybody could fill the registry. */
const MAX_MODELS = 100;

/** The labels of models, of which there are only so many. */
export class LabelBound {
  private readonly known = new Set<string>();

  /** The label of a model: its name, or `other`. */
  of(model: string): string {
    if (this.known.size < MAX_MODELS) this.known.add(model);
    return this.known.has(model) ? model : 'other';
  }
}
