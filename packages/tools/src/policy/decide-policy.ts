import type { RuleProposal } from '@codelab/protocol';
import type { JsonObject } from '../arguments/json.js';
import { readMcpToolName } from '../names/mcp-name.js';
import type { ToolDefinition } from '../tools/tool-definition.js';
import { findAgentLimit } from './agents.js';
import { findAllowance } from './rules/allowing-rules.js';
import { fitsHost } from '../secrets/secret-source.js';
import { findSensitive } from './find-sensitive.js';
import { readCall, type PolicyCall, type CommandCall } from './policy-call.js';
import type { PolicyDecision, PolicySession, Risk, PolicyRule } from './policy-session.js';
import { proposeFor } from './rules/propose-rules.js';
import { matchLoosely } from './rules/match-glob.js';
import { isAboutTool, isLiving } from './rules/rule-reach.js';

const PLANNING = 'in plan mode agents only read, until the user has accepted a plan';

/** How sure it is that a rule is about a call. */
type Hit = 'sure' | 'maybe' | undefined;

const programOf = (word: string): string => word.slice(word.lastIndexOf('/') + 1).toLowerCase();

const isAbout = (rule: readonly string[], { words, literal }: CommandCall['commands'][number]): Hit => {
  const [program, ...rest] = rule;
  const [first, ...operands] = words;
  if (first === undefined) return 'maybe';
  if (programOf(program ?? '') !== programOf(first)) return literal ? undefined : 'maybe';
  if (rest.every((word, index) => operands[index] === word)) return 'sure';
  let next = 0;
  for (const word of operands) if (word === rest[next]) next += 1;
  return next === rest.length || !literal ? 'maybe' : undefined; // `git -C . push` is a `git push`, too
};

const hitCommand = ({ command: words }: PolicyRule, { command }: PolicyCall): Hit => {
  if (words === undefined) return 'sure';
  if (command === undefined) return undefined;
  if (command.commands.length === 0) return 'maybe';
  const hits = command.commands.map((simple) => isAbout(words, simple));
  return hits.includes('sure') ? 'sure' : hits.includes('maybe') ? 'maybe' : undefined;
};

/** Where the paths are not known, a rule about paths can only make a human look; so can one about what may lie below them. */
const hitPath = ({ path: glob }: PolicyRule, { about, paths, command }: PolicyCall): Hit => {
  if (glob === undefined) return 'sure';
  const deep = about?.deep === true;
  const known = paths ?? command?.commands.flatMap((simple) => simple.paths) ?? [];
  const matches = known.map((path) => matchLoosely(glob, path));
  if (matches.some((match) => match === 'whole' || (deep && match === 'all below'))) return 'sure';
  return paths === undefined || (deep && matches.includes('some below')) ? 'maybe' : undefined;
};

/** Where the host is not known, a rule about one can only make a human look. */
const hitHost = ({ host }: PolicyRule, { host: called }: PolicyCall): Hit => {
  if (host === undefined) return 'sure';
  if (called === undefined) return 'maybe';
  return fitsHost(host, called) ? 'sure' : undefined;
};

/** The strongest that a rule that asks or denies says of the call: deny beats ask. */
function findNarrowingRule(call: PolicyCall, { rules = [], nowMs }: PolicySession): { deny: PolicyRule } | 'ask' | undefined {
  let ask = false;
  for (const rule of rules) {
    if (rule.effect === 'allow' || !isLiving(rule, nowMs) || !isAboutTool(rule, call)) continue;
    const hits = [hitCommand(rule, call), hitPath(rule, call), hitHost(rule, call)];
    if (hits.includes(undefined)) continue;
    if (rule.effect === 'deny' && !hits.includes('maybe')) return { deny: rule };
    ask = true;
  }
  return ask ? 'ask' : undefined;
}

/**
 * Decides whether a call runs, waits for a human, or is refused (H1). Pure, and the only place that decides; its inputs are the call, the
 * server's configuration and the human's own rules, so nothing that a workspace file, a model or a tool's description says can lower an
 * answer. The order is final: the limits of the agent and of the mode `plan`, which only narrow; rules that deny; commands that are never run; rules that ask; what no
 * rule allows (paths that always ask, code for a shell or kernel that lasts, in `strict` commands, deletions, commits and branches, for
 * a client of the specification alone every `run_command`); rules that allow; the table of the mode,
 * and in its place for commands what they do. A name that is not canonical is a foreign tool, and asks.
 *
 * @param tool the definition, where this release has one; a canonical name is judged by the table with or without it
 * @param args valid arguments of the tool
 */
export function decidePolicy(tool: ToolDefinition | undefined, toolName: string, args: JsonObject, session: PolicySession): PolicyDecision {
  if (tool !== undefined && tool.name !== toolName) return { kind: 'deny', reason: `${toolName} is not ${tool.name}` };
  const read = readCall(toolName, args);
  const call = session.row === undefined ? read : { ...read, row: session.row };
  const { row, command } = call;
  const limit = [session.agent, ...(session.within ?? [])].flatMap((agent) => findAgentLimit(agent, call) ?? [])[0];
  if (limit !== undefined) return { kind: 'deny', reason: limit };
  if (session.plans && row?.touches !== 'nothing') return { kind: 'deny', reason: PLANNING };
  const narrowing = findNarrowingRule(call, session);
  if (typeof narrowing === 'object') return denyBy(narrowing.deny.ruleId, toolName);
  if (command?.verdict === 'refuse') return { kind: 'deny', reason: `the command is never run: ${command.reason}` };
  const risk = row?.risk ?? 'medium';
  const does = describe(call, tool);
  if (narrowing === 'ask') return { kind: 'ask', reason: `${does}; a rule asks for it`, risk };
  const sensitive = findSensitive(call, args);
  if (sensitive !== undefined) return { kind: 'ask', reason: `${does}; ${sensitive}`, risk: 'high' };
  if (row?.alwaysAsks) return { kind: 'ask', reason: does, risk };
  if (session.mode === 'strict' && row?.strictAlwaysAsks) return { kind: 'ask', reason: does, risk };
  if (session.isSeed && row?.specificationAlwaysAsks) return { kind: 'ask', reason: does, risk };
  if (session.asks && !isQuestion(call)) return { kind: 'ask', reason: `${does}; the agent asks about everything`, risk };
  if (isAllowedByMode(call, session)) return { kind: 'allow' };
  const allowance = findAllowance(call, { ...session, rules: rulesFor(tool, session) });
  if (allowance !== undefined) return { kind: 'allow', ...allowance };
  return ask(does, risk, proposeFor(call, args, session));
}

/** The rules but for those that allowed the tool when it was another one: who describes it has said something else since (H2). */
const rulesFor = (tool: ToolDefinition | undefined, { rules = [] }: PolicySession): readonly PolicyRule[] => {
  const changedAtMs = tool?.changedAtMs;
  if (changedAtMs === undefined) return rules;
  return rules.filter(({ effect, madeAtMs = -Infinity }) => effect !== 'allow' || madeAtMs >= changedAtMs);
};

/** The human is in it anyway. */
const isQuestion = ({ tool }: PolicyCall): boolean => tool?.group === 'user';

const denyBy = (ruleId: string | undefined, toolName: string): PolicyDecision => ({
  kind: 'deny',
  reason: `a rule forbids ${toolName}`,
  ruleId,
});

const ask = (reason: string, risk: Risk, proposals: readonly RuleProposal[]): PolicyDecision => ({
  kind: 'ask',
  reason,
  risk,
  proposals: proposals.length === 0 ? undefined : proposals,
});

/** A harmless command runs unasked outside of `strict`, unless it runs code of the workspace: that takes a rule that binds its files. */
const isAllowedByMode = ({ row, command }: PolicyCall, { mode }: PolicySession): boolean => {
  if (row?.modes[mode] === 'allow') return true;
  if (command?.verdict !== 'automatic' || mode === 'strict' || command.commands.length === 0) return false;
  return command.commands.every(({ verdict, runs }) => verdict === 'automatic' && runs.length === 0);
};

const describe = ({ name, row, command }: PolicyCall, tool: ToolDefinition | undefined): string => {
  if (row === undefined) return `${name} ${whereFrom(name, tool?.source)}`;
  return command === undefined ? row.does : `${row.does}: ${command.reason}`;
};

const whereFrom = (name: string, source: ToolDefinition['source']): string => {
  if (source === 'http') return 'is a tool by URL: its arguments leave this machine';
  if (source !== 'mcp') return 'is a tool of another program';
  const server = readMcpToolName(name)?.server;
  return `is a tool of ${server === undefined ? 'an MCP server' : `the MCP server ${server}`}`;
};
