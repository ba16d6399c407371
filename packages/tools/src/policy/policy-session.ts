/** How much is asked: `medium` is the default. */
export type PolicyMode = 'strict' | 'medium' | 'permissive';

/** What a human decided once for calls to come. Rules come from a human or from server configuration, never from a workspace or a model. */
export interface PolicyRule {
  readonly effect: 'allow' | 'ask' | 'deny';
  /** A tool's name on the wire, or `*` for every tool. */
  readonly tool: string;
  /**
   * A glob on the paths of the call: `*` and `?` within a segment, `**` over segments. An `allow` needs all paths to match, `ask` and
   * `deny` need one. A call whose paths are not known (a command, a patch that cannot be read) is never allowed by such a rule.
   */
  readonly path?: string;
  /** How far the rule reaches. Whoever collects the rules of a session has seen to that; it decides nothing here. */
  readonly scope: 'session' | 'project' | 'user';
  /** Unix time after which the rule is gone. */
  readonly expiresAtMs?: number;
}

/** What a decision may look at beside the call. */
export interface PolicySession {
  readonly mode: PolicyMode;
  /** The agent mode; it can only narrow what is allowed. */
  readonly agent: string;
  readonly rules?: readonly PolicyRule[];
  /** The time to hold `expiresAtMs` against. Without it an expiring `allow` counts as gone, an expiring `ask` or `deny` as living. */
  readonly nowMs?: number;
}

export type Risk = 'low' | 'medium' | 'high';

export type PolicyDecision =
  | { readonly kind: 'allow' }
  | { readonly kind: 'ask'; readonly reason: string; readonly risk: Risk }
  | { readonly kind: 'deny'; readonly reason: string };
