import { systemShell } from '@codelab/workspace';
import {
  basePolicyOf,
  decidePolicy,
  findTool,
  isCanonicalTool,
  isForLocalHuman,
  type JsonObject,
  namesTool,
  type PolicyDecision,
  type PolicyRule,
} from '@codelab/tools';
import type { Operand, RuleProposal } from '@codelab/protocol';
import type { RememberedRule } from '../approvals/approval-request.js';
import type { LocalPolicyConfig } from './policy-file.js';
import type { ToolArguments } from '../calls/tool-executor.js';

/** Where a call comes from; rules of sessions and projects hold there alone. */
export interface CallPlace {
  readonly sessionId: string;
  readonly workspaceId?: string;
  /** A program wants the call: of the rules that allow only those count that say so. */
  readonly origin?: 'proxy';
}

/** What this client's own rules say of a call that the servers let run. */
export type LocalVerdict =
  /**
   * It runs unasked. `approved`: a human decided on it. `yes`: the servers' word counts here for everything. `by_rule`: a rule made at this
   * client allows it. `by_servers`: their word counts for this one. `no`: it is harmless, and nobody's word counts.
   */
  | { readonly kind: 'run'; readonly approved: 'yes' | 'by_rule' | 'by_servers' | 'no'; readonly operands?: readonly Operand[] }
  /** It runs only after a decision for exactly its arguments: one made at this client, or where `anybody` counts, by any approver. */
  | {
      readonly kind: 'ask';
      readonly counts: 'here' | 'anybody';
      readonly reason: string;
      readonly risk: 'low' | 'medium' | 'high';
      readonly proposals?: readonly RuleProposal[];
    }
  /** It does not run, whoever approves it. */
  | { readonly kind: 'deny'; readonly reason: string };

/** A decision of this client's human that is to be remembered. */
export interface RememberedDecision {
  readonly place: CallPlace;
  readonly decided: 'allow' | 'deny';
  readonly remember: RememberedRule;
  /** The files of the call decided on, as they were then. */
  readonly operands: readonly Operand[];
}

/**
 * What this client wants to be asked about itself, whatever the servers say (H2's limit: the digest protects against swaps and races,
 * not against a hostile server). It can only ask more, never less. Its inputs are the call and the user's own files, so nothing that a
 * workspace, a server or a tool's description says can lower it.
 */
export interface LocalPolicy {
  judge(toolName: string, args: ToolArguments, place: CallPlace): Promise<LocalVerdict>;
  /**
   * Makes a rule of a decision, so that it is not asked again. Without it nothing is remembered here.
   *
   * @throws Error with a sentence for the user, if it is no rule, or can't be kept
   */
  remember?(memory: RememberedDecision): Promise<void>;
}

/** What a local policy judges by, at this moment. */
export interface PolicyInputs {
  readonly config: LocalPolicyConfig;
  /** Those that hold at the place of the call, oldest first. */
  readonly rules: readonly PolicyRule[];
  readonly nowMs: number;
  readonly origin?: CallPlace['origin'];
  /** A shell that reads lines as they are judged runs the commands of this client. `cmd.exe` is none: nothing that it runs goes unasked. */
  readonly posixShell: boolean;
}

const COMMANDS: ReadonlySet<string> = new Set(['run_command', 'run_persistent']);

const startsCommand = (toolName: string, args: ToolArguments): boolean =>
  COMMANDS.has(toolName) && isCanonicalTool(toolName) && basePolicyOf(toolName, args as JsonObject).touches === 'processes';

/** Judges one call: asked is what asks in the most permissive mode, unless the human made a rule of it here. */
export function judgeLocally(
  toolName: string,
  args: ToolArguments,
  { config, rules, nowMs, origin, posixShell }: PolicyInputs,
): LocalVerdict {
  const { approvals = 'local', ask = [] } = config;
  const decide = (by: readonly PolicyRule[]): PolicyDecision =>
    decidePolicy(findTool(toolName), toolName, args as JsonObject, {
      ...{ mode: 'permissive', agent: 'coder', rules: by, nowMs, checksFiles: true, origin },
    }); // arguments come out of JSON
  const asking = ask.some((one) => one === '*' || namesTool(one, toolName, isCanonicalTool(toolName)))
    ? [{ effect: 'ask', tool: toolName, scope: 'user' } as const]
    : [];
  const narrowing = [...rules.filter(({ effect }) => effect !== 'allow'), ...asking];
  const decision = decide([...rules, ...asking]);
  if (decision.kind === 'deny') return { kind: 'deny', reason: decision.reason };
  if (!posixShell && startsCommand(toolName, args)) {
    const reason =
      'cmd.exe would run it, which reads a line in other ways than it was judged; with Git Bash installed it need not be asked';
    return { kind: 'ask', counts: approvals === 'anywhere' ? 'anybody' : 'here', reason, risk: 'high' };
  }
  if (decision.kind === 'allow') {
    if (decision.ruleId === undefined)
      return { kind: 'run', approved: approvals === 'local' && COMMANDS.has(toolName) ? 'no' : 'by_servers' };
    return { kind: 'run', approved: 'by_rule', operands: decision.operands };
  }
  const [bare, narrowed] = [decide([]), decide(narrowing)];
  const isOwnWish = narrowed.kind === 'ask' && (bare.kind !== 'ask' || bare.reason !== narrowed.reason);
  if (approvals === 'anywhere' && !isOwnWish) return { kind: 'run', approved: 'yes' };
  const counts = isOwnWish || isForLocalHuman(toolName, args as JsonObject) ? 'here' : 'anybody'; // arguments come out of JSON
  const { reason, risk, proposals } = decision;
  return { kind: 'ask', counts, reason, risk, proposals };
}

/** Whether this client's commands are run by a shell that reads them as they are judged. */
export type AsksForShell = () => Promise<boolean>;

/** The shell of this machine, as far as it is known without a workspace: one that only the `PATH` names doesn't count. */
export const hasPosixShell: AsksForShell = async () => (await systemShell()).posix;

/** The local policy of a configuration, without a memory; that of an empty one asks about commands, deletions and paths that always ask. */
export const createLocalPolicy = (
  config: LocalPolicyConfig = {},
  now: () => number = Date.now,
  posixShell: AsksForShell = hasPosixShell,
): LocalPolicy => ({
  judge: async (toolName, args, { origin }) =>
    judgeLocally(toolName, args, { config, rules: [], nowMs: now(), posixShell: await posixShell(), origin }),
});
