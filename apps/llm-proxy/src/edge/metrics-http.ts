import { Counter, Gauge, Histogram, type Registry } from 'prom-client';
import type { RequestFacts } from '../core/serve/route.js';
import { LabelBound } from './metrics.js';

/** Seconds: our own time is fractions of a millisecond, and what is above a second is a fault. */
const OVERHEAD_BUCKETS = [0.0002, 0.0005, 0.001, 0.002, 0.005, 0.01, 0.025, 0.05, 0.1, 0.5, 1];
/** Seconds: a local model begins in milliseconds, a thinking one in minutes. */
const WAIT_BUCKETS = [0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60, 120, 300];
const TOKENS_PER_SECOND_BUCKETS = [1, 5, 10, 20, 40, 60, 80, 120, 200, 400, 1_000];

/** An answer in less says nothing about the speed of a model. */
const MIN_SECONDS_OF_SPEED = 0.05;

const LABELS = ['dialect', 'upstream', 'model'] as const;
type Label = (typeof LABELS)[number];

interface Series {
  readonly overhead: Histogram.Internal<Label>;
  readonly firstByte: Histogram.Internal<Label>;
  readonly duration: Histogram.Internal<Label>;
  readonly speed: Histogram.Internal<Label>;
}

/** What the metrics see of a request that has ended. */
export interface MeasuredRequest {
  readonly facts: RequestFacts;
  readonly status: number;
  readonly durationMs: number;
}

/** The metrics of the HTTP API, `codelab_llm_proxy_http_…`. */
export class HttpMetrics {
  private readonly histograms: Readonly<Record<keyof Series, Histogram<Label>>>;
  private readonly requests: Counter;
  private readonly tokens: Counter;
  private readonly cost: Counter;
  private readonly running: Gauge;
  private readonly models = new LabelBound();
  private readonly series = new Map<string, Series>();

  constructor(registry: Registry) {
    const registers = [registry];
    const histogram = (name: string, help: string, buckets: number[]) =>
      new Histogram({ name: `codelab_llm_proxy_http_${name}`, help, labelNames: [...LABELS], buckets, registers });
    const counter = (name: string, help: string, labelNames: string[]) =>
      new Counter({ name: `codelab_llm_proxy_http_${name}_total`, help, labelNames, registers });
    this.histograms = {
      overhead: histogram(
        'overhead_seconds',
        'Time of our own in a request: all of it but the time in which an upstream was asked.',
        OVERHEAD_BUCKETS,
      ),
      firstByte: histogram('first_byte_seconds', 'From the arrival of a request to the first byte of its answer.', WAIT_BUCKETS),
      duration: histogram('request_seconds', 'From the arrival of a request to the end of its answer.', WAIT_BUCKETS),
      speed: histogram(
        'tokens_per_second',
        'Output tokens by the time from the first byte of a stream to its end.',
        TOKENS_PER_SECOND_BUCKETS,
      ),
    };
    this.requests = counter('requests', 'Requests that came to an end, by status and why they failed.', [
      'dialect',
      'upstream',
      'status',
      'outcome',
    ]);
    this.tokens = counter('tokens', 'Tokens used; input counts cached_input too.', ['model', 'direction']);
    this.cost = counter('cost_usd', 'Dollars spent, where prices are known.', ['model']);
    this.running = new Gauge({ name: 'codelab_llm_proxy_http_running_requests', help: 'HTTP requests being served now.', registers });
  }

  begun(): void {
    this.running.inc();
  }

  ended({ facts, status, durationMs }: MeasuredRequest): void {
    this.running.dec();
    const { dialect = 'none', upstream = 'none', error = 'answered' } = facts;
    this.requests.inc({ dialect, upstream, status, outcome: error });
    if (facts.model === undefined) return;
    const model = this.models.of(facts.model);
    const series = this.seriesOf(dialect, upstream, model);
    series.duration.observe(durationMs / 1_000);
    if (facts.firstByteMs !== undefined) series.firstByte.observe(facts.firstByteMs / 1_000);
    if (facts.upstreamMs !== undefined) series.overhead.observe(Math.max(0, durationMs - facts.upstreamMs) / 1_000);
    if (facts.usage) this.use(model, facts.usage);
    const seconds = ((facts.upstreamMs ?? 0) - (facts.upstreamFirstByteMs ?? 0)) / 1_000;
    if (facts.stream && facts.usage && seconds >= MIN_SECONDS_OF_SPEED) series.speed.observe(facts.usage.outputTokens / seconds);
  }

  private use(model: string, { inputTokens, outputTokens, cachedInputTokens = 0, costUsd = 0 }: NonNullable<RequestFacts['usage']>): void {
    this.tokens.inc({ model, direction: 'input' }, inputTokens);
    this.tokens.inc({ model, direction: 'cached_input' }, cachedInputTokens);
    this.tokens.inc({ model, direction: 'output' }, outputTokens);
    this.cost.inc({ model }, costUsd);
  }

  /** Looked up once for each set of labels: that costs more than the counting. */
  private seriesOf(dialect: string, upstream: string, model: string): Series {
    const key = `${dialect}\n${upstream}\n${model}`;
    const known = this.series.get(key);
    if (known) return known;
    const labels = { dialect, upstream, model };
    const { overhead, firstByte, duration, speed } = this.histograms;
    const series: Series = {
      overhead: overhead.labels(labels),
      firstByte: firstByte.labels(labels),
      duration: duration.labels(labels),
      speed: speed.labels(labels),
    };
    this.series.set(key, series);
    return series;
  }
}
