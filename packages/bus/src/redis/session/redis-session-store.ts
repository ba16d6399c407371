import type { SessionStore } from '../../session-store.js';
import { sessionCommit } from './session-commit.js';
import { sessionDeliveries } from './session-deliveries.js';
import { sessionLeases } from './session-leases.js';
import { sessionMembership } from './session-membership.js';
import { sessionReads } from './session-reads.js';
import type { SessionScripts } from './session-scripts.js';
import { sessionWorkspace } from './session-workspace.js';

/** The sessions, in Redis. */
export const createRedisSessionStore = (scripts: SessionScripts, sessionTtlMs: number): SessionStore => ({
  ...sessionMembership(scripts, sessionTtlMs),
  ...sessionWorkspace(scripts),
  ...sessionReads(scripts),
  ...sessionDeliveries(scripts),
  ...sessionLeases(scripts),
  ...sessionCommit(scripts),
});
