import { LIMITS } from '@codelab/protocol';
import { MAX_RULES_OF_HOLDER } from '../rule-store.js';

/** Bounds that the scripts keep, by the names that they use. */
export const SCRIPT_LIMITS = {
  MAX_INBOX_ENTRIES: LIMITS.MAX_INBOX_ENTRIES,
  MAX_INBOX_BYTES: LIMITS.MAX_INBOX_BYTES,
  MAX_QUEUED_MESSAGES: LIMITS.MAX_QUEUED_MESSAGES,
  /** Frames that a client can be brought up to date with; a client that is further behind gets a snapshot. */
  MAX_LOG_ENTRIES: 10_000,
  MAX_LOG_BYTES: 32 * 1024 * 1024,
  /** What travels on a channel itself; of anything larger only the number does. */
  MAX_ANNOUNCED_BYTES: 16 * 1024,
  /** Calls whose end is remembered, so that a repeated result is known as one. */
  MAX_TOMBSTONES: 1_024,
  /** Messages whose answer is remembered. */
  MAX_REMEMBERED_MESSAGES: 1_024,
  /** Rules of one holder: a session, a workspace, a person. Each is looked at for each call. */
  MAX_RULES_OF_HOLDER,
  /** Rules of a person in all, those of their workspaces included. */
  MAX_RULES: 1_000,
  /** Rows of an audit trail; the oldest goes. */
  MAX_AUDIT_ROWS: 1_000,
  /** Steps whose names are remembered, so that a removed session leaves none behind. */
  MAX_REMEMBERED_STEPS: 64,
} as const;

/** A lease without renewal. */
export const LEASE_MS = 5_000;
/** A claim of a model request without renewal. With the poll of the others a dead consumer is followed within 5 s. */
export const CLAIM_MS = 4_000;
/** How often leases and claims are renewed. */
export const RENEW_MS = 1_500;
/** How long the record of a finished model request is kept for a runtime that reads it late. */
export const FINISHED_STEP_MS = 10 * 60_000;
/** How often readers compare what they have with the store (G3). */
export const COMPARE_MS = 2_000;
/** A session that nobody writes to is removed after this time: 30 days. */
export const SESSION_TTL_MS = 30 * 24 * 60 * 60_000;
/** A command without an answer: Redis hangs, and the caller should know. */
export const COMMAND_TIMEOUT_MS = 5_000;
