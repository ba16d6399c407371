import type { RememberedRule } from '@codelab/client';
import type { RuleProposal } from '@codelab/protocol';
import { PatchError, judgeCommand, parsePatch, pathsOfPatch } from '@codelab/tools';
import type { Key } from '../input/key.js';
import type { PendingCall } from './pending-call.js';

/** Tools whose one path says what they would do something to. */
const PATH_TOOLS: ReadonlySet<string> = new Set(['read_file', 'write_file', 'create_directory', 'delete_file', 'list_files']);
const COMMAND_TOOLS: ReadonlySet<string> = new Set(['run_command', 'run_persistent']);

/** The rule that refuses exactly this from now on: this tool on this path, or this command. None where there is no such thing. */
export function refusalRule({ toolName, args }: PendingCall): RuleProposal | undefined {
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

/** A decision that is to be remembered: which rule is made of it, and how far it reaches. The narrowest of both is picked first. */
export interface RuleChoice {
  readonly decision: 'approve' | 'reject';
  readonly proposals: readonly RuleProposal[];
  readonly picked: number;
  readonly scope: RuleScope;
}

export type RuleStep =
  | { readonly kind: 'choice'; readonly choice: RuleChoice }
  | { readonly kind: 'back' }
  | { readonly kind: 'decide'; readonly remember: RememberedRule };

/** Begins to choose; undefined where there is no rule to be made. */
export function chooseRule(call: PendingCall, decision: RuleChoice['decision']): RuleChoice | undefined {
  const refusal = decision === 'reject' ? refusalRule(call) : undefined;
  const proposals = decision === 'approve' ? (call.approval?.proposals ?? []) : refusal ? [refusal] : [];
  return proposals.length === 0 ? undefined : { decision, proposals, picked: 0, scope: 'session' };
}

/** What a key does to the choice. Only the letter that the panel names decides. */
export function stepRule(choice: RuleChoice, key: Key): RuleStep {
  const change = (next: Partial<RuleChoice>): RuleStep => ({ kind: 'choice', choice: { ...choice, ...next } });
  const move = (by: number): RuleStep => change({ picked: (choice.picked + by + choice.proposals.length) % choice.proposals.length });
  const reach = (by: number): RuleStep =>
    change({ scope: RULE_SCOPES[(RULE_SCOPES.indexOf(choice.scope) + by + RULE_SCOPES.length) % RULE_SCOPES.length]! });
  if (key.kind === 'text') {
    const scope = RULE_SCOPES.find((one) => one.startsWith(key.text));
    if (scope) return change({ scope });
    if (key.text === decidingKey(choice)) return decide(choice);
    const picked = Number(key.text) - 1;
    return picked >= 0 && picked < choice.proposals.length ? change({ picked }) : change({});
  }
  if (key.kind !== 'named') return change({});
  if (key.name === 'escape') return { kind: 'back' };
  if (key.name === 'up' || key.name === 'down') return move(key.name === 'up' ? -1 : 1);
  return key.name === 'left' || key.name === 'right' ? reach(key.name === 'left' ? -1 : 1) : change({});
}

/** The letter that decides. */
export const decidingKey = ({ decision }: RuleChoice): 'a' | 'r' => (decision === 'approve' ? 'a' : 'r');

const decide = ({ proposals, picked, scope }: RuleChoice): RuleStep => ({
  kind: 'decide',
  remember: { scope, rule: { ...proposals[picked]!.rule } },
});
