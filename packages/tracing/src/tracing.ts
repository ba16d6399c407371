import type { TraceContext } from './trace-context.js';

/** What spans say beside their names: ids, sizes, names and outcomes; never a prompt, an argument, a result or a secret. */
export type Attributes = Readonly<Record<string, string | number | boolean | readonly string[] | undefined>>;

export type SpanKind = 'internal' | 'server' | 'client' | 'producer' | 'consumer';

/** A span that is over. */
export interface RecordedSpan {
  readonly name: string;
  /** Default: `internal`. */
  readonly kind?: SpanKind;
  readonly context: TraceContext;
  /** The span that it stands below: its id. Absent for the root of a trace. */
  readonly parentSpanId?: string;
  /** Unix time in milliseconds, with a fraction where it is known. */
  readonly startMs: number;
  readonly endMs: number;
  readonly attributes?: Attributes;
  /** Why it failed, as a code: the span's status is an error then. */
  readonly error?: string;
  /** Other spans that led to it. */
  readonly links?: readonly TraceContext[];
}

/** Records the spans of a process. Where tracing is off there is none: whoever may trace holds `undefined` and pays nothing. */
export interface Tracing {
  /**
   * The context of a span that begins now, and whether it is recorded, as the sampler decides.
   *
   * @param parent absent: the span is the root of a trace
   * @param name of what it stands for (`contextNamed`); absent: the ids are random
   */
  begin(parent: TraceContext | undefined, name?: string): TraceContext;
  /** Records a span that is over; does nothing where its context isn't sampled. Never throws, waits for nothing. */
  record(span: RecordedSpan): void;
  /** Sends what was recorded, and ends. Never rejects. */
  close(): Promise<void>;
}
