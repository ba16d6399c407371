import type { LeaseFence, ModelQueue, RuleStore, SessionAlerts, SessionRef, SessionStore, Sid, WakeQueue } from '@codelab/bus';
import type { Tracing } from '@codelab/tracing';
import type { Clock } from '@codelab/clock';
import type { KnownModels } from '../model/known-models.js';
import type { RuntimeLimits } from '../turn/runtime-limits.js';
import type { BeginTrace } from '../tracing/turn-trace.js';
import type { NewId } from '../turn/step-context.js';
import type { SessionState } from '../turn/turn-state.js';
import type { SessionFacts } from './session-facts.js';
import type { ServerToolSource } from '../server-tools/server-tool.js';
import type { TurnEvent } from '../turn/step-builder.js';

/** Where events are logged, as fields; pino fits. Never with a prompt, a file or a key in them. */
export interface EventLog {
  info(fields: object): void;
  warn(fields: object): void;
  error(fields: object): void;
}

/** Why a commit was not taken. */
export type CommitFailure = 'fenced' | 'stale' | 'unavailable';

/** What is counted. */
export interface RuntimeMeter {
  /** A step's events, after its commit. */
  count(events: readonly TurnEvent[], nowMs: number): void;
  commitFailed(why: CommitFailure): void;
}

/** A session as its holder knows it after a step. */
export interface Followed {
  readonly ref: SessionRef;
  readonly facts: SessionFacts;
  /** Absent when it was taken. */
  readonly before?: SessionState;
  readonly after: SessionState;
}

/** Looks after the children that work for sessions, and after what came of them. */
export interface TaskFollower {
  /** Never throws, and waits for nothing. */
  follow(session: Followed): void;
}

/** A session whose lease this process holds. */
export interface Held extends Followed {
  readonly leaseFence: LeaseFence;
}

/** Runs the calls whose tools are the servers' own. */
export interface ServerCallRunner {
  /** Never throws, and waits for nothing. */
  follow(session: Held): void;
  /** Whether a call of the session is being run: it isn't parked then. */
  isRunning(sid: Sid): boolean;
  /** Ends what runs of a session so that another process can go on. */
  handOver(sid: Sid): Promise<void>;
  /** The session is held no longer. */
  drop(sid: Sid): void;
}

/** Everything that sessions of a runtime need, and how they behave. */
export interface RuntimePorts {
  readonly store: SessionStore;
  readonly rules: RuleStore;
  readonly alerts: SessionAlerts;
  readonly models: ModelQueue;
  readonly wakes: WakeQueue;
  /** Missing: models are known by their names alone. */
  readonly known?: Pick<KnownModels, 'find'>;
  /** Missing: nobody runs calls of `task`. */
  readonly tasks?: TaskFollower;
  /** Missing: the servers have no tools of their own. */
  readonly serverTools?: ServerToolSource;
  readonly serverCalls?: ServerCallRunner;
  readonly clock: Clock;
  readonly newId: NewId;
  readonly log: EventLog;
  readonly meter: RuntimeMeter;
  /** Missing: nothing is traced. */
  readonly tracing?: Tracing;
  readonly beginTrace?: BeginTrace;
  readonly limits: RuntimeLimits;
  /** Names this process among the lease holders. */
  readonly worker: string;
  /** How long a session without work stays in memory, in milliseconds. */
  readonly lingerMs: number;
  /** Sessions in memory. */
  readonly maxHotSessions: number;
  /** Whether the store can't be written to, or not be listened to. */
  readonly isAway: () => boolean;
}
