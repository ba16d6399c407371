/** A histogram as it stands: how many observations were at most each bound. */
export interface ReportedHistogram {
  readonly name: string;
  readonly help: string;
  /** Cumulative, smallest bound first; the last one is without bound (`null`). */
  readonly buckets: readonly { readonly le: number | null; readonly count: number }[];
  readonly sum: number;
  readonly count: number;
}

/** A setting as it counts in a process. A secret has no value, only whether it is set. */
export interface ReportedSetting {
  readonly name: string;
  readonly meaning: string;
  readonly value?: string;
  readonly secret?: true;
  readonly isSet: boolean;
}

/** What one process of a service says of itself. Numbers of the whole process, nothing of anybody's sessions. */
export interface ServiceReport {
  /** `gateway`, `agent-runtime`, `llm-proxy`. */
  readonly service: string;
  /** Names the process; another one after a restart. */
  readonly replica: string;
  readonly version: string;
  /** Unix milliseconds, by the clock of that process. */
  readonly startedAtMs: number;
  readonly atMs: number;
  /** What it waits for before it is ready; none: it is. */
  readonly waitingFor: readonly string[];
  /** Gauges and counters by name. */
  readonly numbers: Readonly<Record<string, number>>;
  readonly histograms: readonly ReportedHistogram[];
  readonly settings: readonly ReportedSetting[];
}

/** How long a report counts, in milliseconds: a process that says nothing more is gone. */
export const SERVICE_REPORT_TTL_MS = 15_000;

/** How often a process reports. */
export const SERVICE_REPORT_PAUSE_MS = 5_000;

/** Work that waits in Redis, by kind. */
export interface QueueDepth {
  readonly queue: 'sessions' | 'models';
  readonly shard: number;
  /** Entries: sessions with work, or with a deadline to come; model requests that wait or run. */
  readonly depth: number;
  /** Of those: sessions whose time has come. Of model requests: those that nobody has taken yet. */
  readonly waiting: number;
  /** How long the oldest of `waiting` has waited, in milliseconds; 0 for none. */
  readonly lagMs: number;
}

/**
 * What the services say of themselves, because no service calls another: each process for itself and for a while. Methods throw `BusError`
 * when Redis is away.
 */
export interface ServiceReports {
  publish(report: ServiceReport): Promise<void>;
  /** This process is gone. */
  withdraw(replica: string): Promise<void>;
  /** Those that count now, by service and age. */
  read(): Promise<readonly ServiceReport[]>;
  /** How much waits, in each part of the queues where anything does. */
  readQueues(): Promise<readonly QueueDepth[]>;
}
