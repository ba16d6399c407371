import { ask, type Answer } from './ask.js';

/** How long things took: how many were at most each bound. */
export interface Histogram {
  readonly name: string;
  readonly help: string;
  /** Cumulative, smallest bound first; the last one has none. */
  readonly buckets: readonly { readonly le: number | null; readonly count: number }[];
  readonly sum: number;
  readonly count: number;
}

/** A setting as it counts in a process. Of a secret only whether it is set is told. */
export interface Setting {
  readonly name: string;
  readonly meaning: string;
  readonly value?: string;
  readonly secret?: boolean;
  readonly is_set: boolean;
}

/** What one process says of itself, every few seconds. */
export interface ServiceReport {
  readonly service: string;
  readonly replica: string;
  readonly version: string;
  readonly started_at_ms: number;
  readonly at_ms: number;
  /** What it waits for before it is ready. */
  readonly waiting_for: readonly string[];
  readonly numbers: Readonly<Record<string, number>>;
  readonly histograms: readonly Histogram[];
  /** Only for those who may operate the services. */
  readonly settings?: readonly Setting[];
}

/** Work that waits in Redis. */
export interface QueueDepth {
  readonly queue: string;
  readonly shard: number;
  readonly depth: number;
  readonly waiting: number;
  readonly lag_ms: number;
}

export interface Services {
  readonly services: readonly ServiceReport[];
  readonly queues: readonly QueueDepth[];
}

export const readServices = (): Promise<Answer<Services>> => ask('GET', '/api/v1/services');
