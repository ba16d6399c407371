import type { RuleProposal } from '@codelab/protocol';
import type { PolicyMode, PolicyRow, Risk } from './policy-row.js';

export type { PolicyMode, Risk };

/** A file and the lower-case hex SHA-256 that its content must have. */
export interface RuleFile {
  readonly path: string;
  readonly sha256: string;
}

/** What a human decided once for calls to come. Rules come from a human or from server configuration, never from a workspace or a model. */
export interface PolicyRule {
  /** The name by which decisions and the audit cite it. */
  readonly ruleId?: string;
  readonly effect: 'allow' | 'ask' | 'deny';
  /** A tool's name on the wire, `*` for every tool, or for tools from outside the beginning of their names and `*`. */
  readonly tool: string;
  /**
   * A glob on the paths of the call: `*` and `?` within a segment, `**` over segments. An `allow` needs all paths to match, `ask` and
   * `deny` need one. A call whose paths are not known (a command, a patch that cannot be read) is never allowed by such a rule.
   */
  readonly path?: string;
  /** Of `web.fetch`: the host of its address, or `*.example.com` for every host below one. */
  readonly host?: string;
  /** The first words of a command, or with `exact` all of them. An `allow` needs a rule for each command of a line that isn't harmless. */
  readonly command?: readonly string[];
  readonly exact?: boolean;
  /** An `allow` counts only while these files have this content, which the executor sees to. Of several such rules the last one counts. */
  readonly files?: readonly RuleFile[];
  /** An `allow` that holds for turns of the proxy, too. */
  readonly proxy?: boolean;
  /** How far the rule reaches. Whoever collects the rules of a session has seen to that; it decides nothing here. */
  readonly scope: 'session' | 'project' | 'user';
  /** Unix time at which a human made it: an `allow` doesn't count for a tool that became another one later (`changedAtMs`). */
  readonly madeAtMs?: number;
  /** Unix time after which the rule is gone. */
  readonly expiresAtMs?: number;
}

/** What a decision may look at beside the call. */
export interface PolicySession {
  readonly mode: PolicyMode;
  /** The agent mode; it can only narrow what is allowed. */
  readonly agent: string;
  /** Agents for whom this one works: it may do nothing that one of them may not. */
  readonly within?: readonly string[];
  /** The session is in the mode `plan`: nothing but what reads. */
  readonly plans?: boolean;
  /** Whatever would run unasked is asked about. */
  readonly asks?: boolean;
  /** How a tool of the servers themselves is judged, which no client has and no definition tells of. */
  readonly row?: PolicyRow;
  readonly rules?: readonly PolicyRule[];
  /** The time to hold `expiresAtMs` against. Without it an expiring `allow` counts as gone, an expiring `ask` or `deny` as living. */
  readonly nowMs?: number;
  /** Another program started the turn through the proxy: only rules that say so allow. */
  readonly origin?: 'proxy';
  /** The executor verifies `tool_call.operands` right before the effect. Without it a rule with files allows nothing. */
  readonly checksFiles?: boolean;
  /** The executor knows the specification alone, as it never said `hello`: what always asks there asks, whatever rules and mode say. */
  readonly isSeed?: boolean;
}

export type PolicyDecision =
  /** `operands`: the files of the rule that allows it, for the executor to verify. */
  | { readonly kind: 'allow'; readonly ruleId?: string; readonly operands?: readonly RuleFile[] }
  /** `proposals`: rules that would have spared the question, narrowest first. */
  | { readonly kind: 'ask'; readonly reason: string; readonly risk: Risk; readonly proposals?: readonly RuleProposal[] }
  | { readonly kind: 'deny'; readonly reason: string; readonly ruleId?: string };
