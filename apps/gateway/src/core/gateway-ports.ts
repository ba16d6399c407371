import type { AuditLog, ChildSessions, RuleStore, SessionStore, SessionStreams } from '@codelab/bus';
import type { Clock } from '@codelab/clock';
import type { Semaphore } from 'async-mutex';
import type { Logger } from 'pino';
import type { OutboxBudget } from './outbox/outbox-budget.js';
import type { OutboxLimits } from './outbox/outbox.js';
import type { StoreAbsence } from './connection/store-absence.js';
import type { OutputMasks } from './handlers/output-masks.js';
import type { SessionHub } from './session/session-hub.js';
import type { SharedTools } from './opening/shared-tools.js';
import type { SteadyClock } from './steady-clock.js';
import type { FrameTraces } from './tracing/frame-traces.js';
import type { GatewayStats } from './stats.js';
import type { Authenticate } from '@codelab/auth';

/** What the core needs of the world; one object for the whole process. */
export interface GatewayPorts {
  readonly store: SessionStore;
  readonly absence: StoreAbsence;
  readonly rules: RuleStore;
  readonly audit: AuditLog;
  readonly children: ChildSessions;
  readonly streams: Pick<SessionStreams, 'open'>;
  readonly hub: SessionHub;
  readonly authenticate: Authenticate;
  /** The time of day, for what is stored, shown or compared with a token. */
  readonly clock: Clock;
  readonly steady: SteadyClock;
  /** The time by the store's clock, for what runtimes reckon with: nobody who sets that of this machine moves it. */
  readonly storeClock: Pick<Clock, 'now'>;
  readonly stats: GatewayStats;
  readonly logger: Logger;
  readonly budget: OutboxBudget;
  /** The output of running tools, as others may see it. */
  readonly masks: OutputMasks;
  /** What connections hold of `hello.tools`. */
  readonly sharedTools: SharedTools;
  /**
   * Bounds how many sessions are opened at the same time. When a gateway dies its clients come back all at once: opened one after the other
   * their sessions are there as soon, and the memory that an opening takes is needed for a few of them only (G4).
   */
  readonly openings: Semaphore;
  readonly limits: GatewayLimits;
  /** Absent where tracing is off. */
  readonly traces?: FrameTraces;
}

/** Bounds of one connection. */
export interface GatewayLimits {
  readonly outbox: OutboxLimits;
  /** A socket that takes nothing for this long, although something waits, is closed with 4002. */
  readonly stalledMs: number;
  /** How long a client may take for its first `auth` frame. */
  readonly authTimeoutMs: number;
  /** Silence after which a client is taken for a seed client. */
  readonly seedAfterMs: number;
  /** Bad frames that a connection may send at once; it regains one each `badFrameRefillMs`. */
  readonly badFrames: number;
  readonly badFrameRefillMs: number;
}
