import type { Owner, SessionRef } from './session-ref.js';

/** How far a rule reaches. `project`: the workspaces of one id, whatever their name. */
export type RuleScope = 'session' | 'project' | 'user';

/** What a rule is bound to. */
export type RuleHolder =
  | { readonly scope: 'session'; readonly session: SessionRef }
  | { readonly scope: 'project'; readonly owner: Owner; readonly workspaceId: string }
  | { readonly scope: 'user'; readonly owner: Owner };

/** A rule that is kept. */
export interface StoredRule {
  readonly ruleId: string;
  readonly scope: RuleScope;
  /** JSON text of a `Rule` with its effect, and with the digests of its files. */
  readonly rule: string;
  readonly sessionId?: string;
  readonly workspaceId?: string;
  readonly createdAtMs: number;
  /** Who made it. */
  readonly by: string;
  /** When it ends; 0: never. */
  readonly expiresAtMs: number;
}

/** A rule to keep. */
export interface NewRule {
  /** JSON text of a `Rule`: the same rule has the same text. */
  readonly rule: string;
  readonly by: string;
  /** When it ends; 0: never. */
  readonly expiresAtMs: number;
  /** The call whose decision it was made of. */
  readonly decided?: { readonly sessionId: string; readonly callId: string; readonly toolName: string };
}

/** Answer of `keep`. `known`: the same rule was there; it counts as the latest now, and there is no second one. */
export type Kept =
  | { readonly kind: 'kept' | 'known'; readonly ruleId: string }
  | { readonly kind: 'refused'; readonly code: 'FULL' | 'SESSION_NOT_FOUND' };

/** The rules of one moment. */
export interface RuleSnapshot {
  readonly rules: readonly StoredRule[];
  /**
   * Names this state of the rules, for a commit to compare. Absent where that can't be done, so that the snapshot counts for one step only:
   * in a cluster, where they stand in another slot, and where one of them will end by itself.
   */
  readonly version?: string;
}

/** Rules that one holder can have. */
export const MAX_RULES_OF_HOLDER = 200;

/**
 * The rules that humans made, durable. A rule and its audit row are one step. Whoever judges a call reads the rules for it, so that a
 * revoked rule is gone for the next call (H1). A session's rules live and die with it; a person's are their own (S1).
 * Methods throw `BusError` when Redis is away.
 */
export interface RuleStore {
  keep(holder: RuleHolder, rule: NewRule): Promise<Kept>;
  /** Revokes a rule; answers how many are gone: 0 where this person has none of this id. */
  revoke(owner: Owner, ruleId: string, by: string): Promise<number>;
  /** What calls of a session may be judged by: its rules and those of its person, whatever workspace these are for. One round trip. */
  readFor(ref: SessionRef): Promise<readonly StoredRule[]>;
  /** The same, for who keeps them until a commit says that they have changed. */
  snapshot(ref: SessionRef): Promise<RuleSnapshot>;
  /** A person's rules, newest first: all, those of a scope, those of one session. */
  list(owner: Owner, filter: { readonly scope?: RuleScope; readonly session?: SessionRef }): Promise<readonly StoredRule[]>;
}
