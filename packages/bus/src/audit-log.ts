import type { ApprovalOutcome } from '@codelab/protocol';
import type { Owner, SessionRef } from './session-ref.js';

/** What was decided: by the policy about a call to come, by somebody about a call that waited, about a rule. */
export type AuditOutcome = 'allowed' | 'asked' | 'denied' | ApprovalOutcome | 'rule_created' | 'rule_removed';

/** One decision: names, digests and what it was about, never whole arguments or the contents of files. */
export interface AuditRow {
  /** Where the trail is not the session's own: the session in which it was decided. */
  readonly sessionId?: string;
  readonly turnId?: string;
  readonly callId?: string;
  readonly toolName?: string;
  readonly argsSha256?: string;
  /** What was decided on, secrets masked: paths, the head of a command, what a rule does. */
  readonly target?: string;
  readonly outcome: AuditOutcome;
  /** A subject, `executor` or `policy`. */
  readonly by: string;
  readonly reason?: string;
  readonly ruleId?: string;
}

/** A row of the trail as it is read. */
export interface AuditEntry extends AuditRow {
  readonly atMs: number;
  /** A program asked for it, through llm-proxy, or an agent at work on a part of the task; `sessionId` is the session that it used. */
  readonly origin?: 'proxy' | 'task';
}

/** A part of a trail, newest first. */
export interface AuditPage {
  readonly entries: readonly AuditEntry[];
  /** Where the next part begins; absent for the last. */
  readonly next?: string;
}

/** What an audit cursor looks like. */
export const AUDIT_CURSOR = /^\d{1,16}-\d{1,16}\.[A-Za-z0-9_-]{0,64}$/;

/**
 * Who decided what. Rows are written by the scripts that make a decision true, so there is none without the other; the last 1,000 of each
 * session are kept as long as the session, of a child as long as of any session.
 */
export interface AuditLog {
  /** Rows of one session, of its last 128 children, and what was decided in it about rules of the person. */
  readSession(ref: SessionRef, page: { readonly before?: string; readonly limit: number }): Promise<AuditPage>;
  /** Rows of the sessions that a person used last and of their children, in one order, and of their rules. */
  readPerson(owner: Owner, page: { readonly before?: string; readonly limit: number }): Promise<AuditPage>;
}
