import { Counter, Gauge, Histogram, type Registry } from 'prom-client';
import type { LlmErrorCode } from '@codelab/llm';
import type { StepOutcome } from '../core/serve-step.js';

/** Models with a label of their own. Their names come from users: without a bound anybody could fill the registry. */
const MAX_MODELS = 100;

/** Seconds: a local model answers in milliseconds, a thinking one in minutes. */
const BUCKETS = [0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60, 120, 300];

/** The proxy's metrics, `codelab_llm_proxy_…`. */
export class ProxyMetrics {
  readonly #requests: Counter;
  readonly #retries: Counter;
  readonly #tokens: Counter;
  readonly #cost: Counter;
  readonly #firstToken: Histogram;
  readonly #duration: Histogram;
  readonly #running: Gauge;
  readonly #models = new Set<string>();

  constructor(registry: Registry) {
    const registers = [registry];
    const counter = (name: string, help: string, labelNames: string[]) =>
      new Counter({ name: `codelab_llm_proxy_${name}_total`, help, labelNames, registers });
    const histogram = (name: string, help: string) =>
      new Histogram({ name: `codelab_llm_proxy_${name}_seconds`, help, labelNames: ['provider', 'model'], buckets: BUCKETS, registers });
    this.#requests = counter('requests', 'Model requests that came to an end, by outcome.', ['provider', 'model', 'outcome']);
    this.#retries = counter('retries', 'Requests sent to a provider again, by the failure before.', ['code']);
    this.#tokens = counter('tokens', 'Tokens used; input counts cached_input too.', ['model', 'direction']);
    this.#cost = counter('cost_usd', 'Dollars spent, where prices are known.', ['model']);
    this.#firstToken = histogram('first_token', 'From the claim of a request to the first piece of its answer.');
    this.#duration = histogram('request', 'From the claim of a request to its end.');
    this.#running = new Gauge({ name: 'codelab_llm_proxy_running_requests', help: 'Model requests being served now.', registers });
  }

  begun(): void {
    this.#running.inc();
  }

  /** `outcome` is missing where the queue failed. */
  ended(outcome: StepOutcome | undefined): void {
    this.#running.dec();
    if (!outcome) return;
    const model = this.#toLabel(outcome.model);
    const labels = { provider: outcome.provider, model };
    this.#requests.inc({ ...labels, outcome: outcome.outcome });
    this.#duration.observe(labels, outcome.durationMs / 1_000);
    if (outcome.firstTokenMs !== undefined) this.#firstToken.observe(labels, outcome.firstTokenMs / 1_000);
    const { inputTokens = 0, outputTokens = 0, cachedInputTokens = 0, costUsd = 0 } = outcome.usage ?? {};
    this.#tokens.inc({ model, direction: 'input' }, inputTokens);
    this.#tokens.inc({ model, direction: 'cached_input' }, cachedInputTokens);
    this.#tokens.inc({ model, direction: 'output' }, outputTokens);
    this.#cost.inc({ model }, costUsd);
  }

  retried(code: LlmErrorCode): void {
    this.#retries.inc({ code });
  }

  #toLabel(model: string): string {
    if (this.#models.size < MAX_MODELS) this.#models.add(model);
    return this.#models.has(model) ? model : 'other';
  }
}
