import { LIMITS } from '@codelab/protocol';
import { MAX_RULES_OF_HOLDER } from '../rule-store.js';
import { MAX_SERVER_TOOLS } from '../server-tools.js';

/** Bounds that the scripts keep, by the names that they use. */
export const SCRIPT_LIMITS = {
  MAX_INBOX_ENTRIES: LIMITS.MAX_INBOX_ENTRIES,
  MAX_INBOX_BYTES: LIMITS.MAX_INBOX_BYTES,
  MAX_QUEUED_MESSAGES: LIMITS.MAX_QUEUED_MESSAGES,
  /** Frames that a client can be brought up to date with; a client that is further behind gets a snapshot. */
  MAX_LOG_ENTRIES: 10_000,
  MAX_LOG_BYTES: 32 * 1024 * 1024,
  /** Frames by which a client may be ahead of the log and be believed: a store that is set back lost its end. Who says more has another log, or none. */
  MAX_FRAMES_AHEAD: 64,
  /** What travels on a channel itself; of anything larger only the number does. */
  MAX_ANNOUNCED_BYTES: 16 * 1024,
  /** Calls whose end is remembered, so that a repeated result is known as one. */
  MAX_CLOSED_CALLS: 1_024,
  /** Messages whose answer is remembered. */
  MAX_REMEMBERED_MESSAGES: 1_024,
  /** Rules of one holder: a session, a workspace, a person. Each is looked at for each call. */
  MAX_RULES_OF_HOLDER,
  /** Rules of a person in all, those of their workspaces included. */
  MAX_RULES: 1_000,
  /** Tools by URL of a person. */
  MAX_SERVER_TOOLS,
  /** Rows of an audit trail; the oldest goes. */
  MAX_AUDIT_ROWS: 1_000,
  /** Pieces of a sliding window: what leaves it leaves a piece at a time. */
  RATE_BUCKETS: 20,
  /** Rows of a person's usage of one day: models and sessions are named by callers. Over it the rest is one row. */
  MAX_USAGE_ROWS: 10_000,
  /** Rows of a person's log of tool calls; the oldest goes. */
  MAX_TOOL_CALLS: 10_000,
  /** Processes that write a person's usage, and how long one without a write is remembered: a day. */
  MAX_WRITERS: 100,
  WRITER_MS: 24 * 60 * 60_000,
  /** What a session without content takes, about. */
  SESSION_BYTES: 2_048,
  /** Items of the history that a claim of a model request brings along; of more the consumer reads all. */
  MAX_CLAIMED_ITEMS: 100,
  /** What a child was is kept for an hour after its turn; its audit trail as long as any. */
  CHILD_TTL_MS: 60 * 60_000,
  /** The longest stream, and the largest log in bytes, that go along when a session at rest is put away: it is the many small ones that count. */
  MAX_RESTING_ENTRIES: 200,
  MAX_RESTING_LOG_BYTES: 64 * 1024,
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
/** Children of a session that are known by name, those that ended long ago go first. */
export const MAX_KNOWN_CHILDREN = 128;
/** How often the process that opened a child says that it still waits for it. */
export const HOLD_RENEW_MS = 10_000;
/** A session that nobody writes to is removed after this time: 30 days. */
export const SESSION_TTL_MS = 30 * 24 * 60 * 60_000;
/** How long a turn waits for somebody who does nothing: 30 days. */
export const PARKED_TTL_MS = 30 * 24 * 60 * 60_000;
/** By how much a text that sessions share outlives the last of them at least. */
export const BLOB_SPARE_MS = 7 * 24 * 60 * 60_000;
/** A string of this length stands once in the store, whatever has it: about what a name of it, its key and its users take a hundred times. */
export const LONG_STRING_UNITS = 16 * 1024;
/** A connection without an answer: Redis hangs, and the caller should know. */
export const COMMAND_TIMEOUT_MS = 5_000;
/** A command without an answer on a connection that has others: so long is the queue before it at most. */
export const BUSY_TIMEOUT_MS = 30_000;
/** How often the life of the store, its clock, and whether it takes writes are looked at. */
export const CHECK_STORE_MS = 2_000;
/** How long what a session takes waits to be counted for its owner. */
export const WEIGH_MS = 500;
/** How old a sum may be that a quota is judged by. */
export const SUM_AGE_MS = 1_000;
/** How often everything is counted anew: sessions that expired are taken out then. */
export const RECOUNT_MS = 5 * 60_000;
/** Limits of rates are for a minute. */
export const RATE_WINDOW_MS = 60_000;
/** A reservation without renewal: its process died. */
export const RESERVATION_MS = 60_000;
/** How long what was used waits to be stored, at most. */
export const USAGE_FLUSH_MS = 1_000;
/** Usage of a day: 400 days, so that a year can be compared with the one before. */
export const USAGE_TTL_MS = 400 * 24 * 60 * 60_000;
/** A row of the log of tool calls: 30 days. */
export const TOOL_CALL_TTL_MS = 30 * 24 * 60 * 60_000;
