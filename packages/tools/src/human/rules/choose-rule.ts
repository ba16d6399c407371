import type { Approval, RuleProposal } from '@codelab/protocol';
import { judgeCommand } from '../../commands/judge-command.js';
import { parsePatch } from '../../patch/parse-patch.js';
import { PatchError } from '../../patch/patch-error.js';
import { pathsOfPatch } from '../../patch/patch.js';

/** Of a call that waits: what a rule about it needs. */
export interface DecidedCall {
  readonly toolName: string;
  /** JSON text. */
  readonly args: string;
  readonly approval?: Approval | undefined;
}

/** Tools whose one path says what they would do something to. */
const PATH_TOOLS: ReadonlySet<string> = new Set(['read_file', 'write_file', 'create_directory', 'delete_file', 'list_files']);
const COMMAND_TOOLS: ReadonlySet<string> = new Set(['run_command', 'run_persistent']);

/** The rule that refuses exactly this from now on: this tool on this path, or this command. None where there is no such thing. */
export function refusalRule({ toolName, args }: DecidedCall): RuleProposal | undefined {
  const path = pathOf(toolName, readArguments(args));
  if (path !== undefined && path !== '' && !/[*?]/.test(path))
    return { allows: `${toolName} on ${path} is refused.`, rule: { effect: 'deny', tool: toolName, path } };
  const { command } = readArguments(args);
  if (!COMMAND_TOOLS.has(toolName) || typeof command !== 'string') return undefined;
  const { commands } = judgeCommand(command);
  const [only] = commands;
  return commands.length === 1 && only!.literal
    ? { allows: `The command ${command} is refused.`, rule: { effect: 'deny', tool: toolName, command: [...only!.words], exact: true } }
    : undefined;
}

function pathOf(toolName: string, { path, diff }: Readonly<Record<string, unknown>>): string | undefined {
  if (PATH_TOOLS.has(toolName)) return typeof path === 'string' ? path : undefined;
  if (toolName !== 'apply_patch' || typeof diff !== 'string') return undefined;
  try {
    const paths = pathsOfPatch(parsePatch(diff));
    return paths.length === 1 ? paths[0] : undefined;
  } catch (error) {
    if (error instanceof PatchError) return undefined;
    throw error;
  }
}

function readArguments(args: string): Readonly<Record<string, unknown>> {
  try {
    const value = JSON.parse(args) as unknown;
    return typeof value === 'object' && value !== null ? (value as Readonly<Record<string, unknown>>) : {};
  } catch {
    return {}; // shown as they came, and not understood
  }
}

export const RULE_SCOPES = ['session', 'project', 'user'] as const;
export type RuleScope = (typeof RULE_SCOPES)[number];

/** How far a rule reaches, in words: "for this conversation". */
export const SCOPE_WORDS: Readonly<Record<RuleScope, string>> = {
  session: 'this conversation',
  project: 'this folder',
  user: 'everywhere',
};

/** A decision that is to be remembered: which rule is made of it, and how far it reaches. The narrowest of both is picked first. */
export interface RuleChoice {
  readonly decision: 'approve' | 'reject';
  readonly proposals: readonly RuleProposal[];
  readonly picked: number;
  readonly scope: RuleScope;
}

/** Begins to choose; undefined where there is no rule to be made. */
export function chooseRule(call: DecidedCall, decision: RuleChoice['decision']): RuleChoice | undefined {
  const refusal = decision === 'reject' ? refusalRule(call) : undefined;
  const proposals = decision === 'approve' ? (call.approval?.proposals ?? []) : refusal ? [refusal] : [];
  return proposals.length === 0 ? undefined : { decision, proposals, picked: 0, scope: 'session' };
}

/** What goes with the decision: `hitl_decision.remember`. */
export const rememberedBy = ({
  proposals,
  picked,
  scope,
}: RuleChoice): { readonly scope: RuleScope; readonly rule: Record<string, unknown> } => ({
  scope,
  rule: { ...proposals[picked]!.rule },
});
