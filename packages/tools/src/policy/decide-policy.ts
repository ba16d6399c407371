import { isCanonicalTool } from '../canonical-tools.js';
import type { JsonObject } from '../json.js';
import type { ToolDefinition } from '../tool-definition.js';
import { findAgentLimit } from './agent-limits.js';
import { findAlwaysAskReason, findSecretReason } from './always-ask.js';
import { pathsOfCall } from './call-paths.js';
import { matchGlob } from './match-glob.js';
import type { PolicyDecision, PolicyRule, PolicySession } from './policy-session.js';
import { rowOf, type PolicyRow } from './policy-table.js';

type Paths = readonly string[] | undefined;

const isLiving = ({ effect, expiresAtMs }: PolicyRule, nowMs: number | undefined): boolean => {
  if (expiresAtMs === undefined) return true;
  return nowMs === undefined ? effect !== 'allow' : nowMs < expiresAtMs;
};

/** What a rule says of a call, or nothing. Where the paths are not known, a rule about paths can only make a human look. */
const effectOf = (rule: PolicyRule, toolName: string, paths: Paths): PolicyRule['effect'] | undefined => {
  if (rule.tool !== '*' && rule.tool !== toolName) return undefined;
  const { path: glob, effect } = rule;
  if (glob === undefined) return effect;
  if (effect === 'allow') {
    const all = paths !== undefined && paths.length > 0 && paths.every((path) => matchGlob(glob, path, { ignoreCase: false }));
    return all ? 'allow' : undefined;
  }
  if (paths === undefined) return 'ask';
  return paths.some((path) => matchGlob(glob, path, { ignoreCase: true })) ? effect : undefined;
};

/** The strongest effect of the rules that are about the call: deny beats ask beats allow. */
const effectOfRules = (toolName: string, paths: Paths, { rules = [], nowMs }: PolicySession): PolicyRule['effect'] | undefined => {
  const effects = rules.filter((rule) => isLiving(rule, nowMs)).map((rule) => effectOf(rule, toolName, paths));
  return (['deny', 'ask', 'allow'] as const).find((effect) => effects.includes(effect));
};

const findSensitivePath = (row: PolicyRow | undefined, toolName: string, paths: Paths): string | undefined => {
  if (row === undefined || toolName === 'apply_patch_review') return undefined;
  if (paths === undefined) return toolName === 'apply_patch' ? 'the files of the patch are not known' : undefined;
  const reasonOf = row.touches === 'nothing' ? findSecretReason : findAlwaysAskReason;
  for (const path of paths) {
    const reason = reasonOf(path);
    if (reason !== undefined) return `${path}: ${reason}`;
  }
  return undefined;
};

/**
 * Decides whether a call runs, waits for a human, or is refused (H1). Pure, and the only place that decides; its inputs are the call, the
 * server's configuration and the human's own rules, so nothing that a workspace file, a model or a tool's description says can lower an
 * answer. The order is final: the agent's limits, which only narrow; rules that deny; rules that ask; what no rule allows (paths that always
 * ask, and in `strict` commands, deletions, commits and branches); rules that allow; the table of the mode. A name that is not canonical
 * is a foreign tool, and asks.
 *
 * @param tool the definition, where this release has one; a canonical name is judged by the table with or without it
 * @param args valid arguments of the tool
 */
export function decidePolicy(tool: ToolDefinition | undefined, toolName: string, args: JsonObject, session: PolicySession): PolicyDecision {
  const name = tool?.name ?? toolName;
  const canonical = isCanonicalTool(name);
  const row = canonical ? rowOf(name, args) : undefined;
  const paths = canonical ? pathsOfCall(name, args) : undefined;
  const limit = findAgentLimit(session.agent, { row, tool: name, paths });
  if (limit !== undefined) return { kind: 'deny', reason: limit };
  const effect = effectOfRules(name, paths, session);
  if (effect === 'deny') return { kind: 'deny', reason: `a rule forbids ${name}` };
  const does = row === undefined ? `${name} is a tool of another program` : row.does;
  const risk = row?.risk ?? 'medium';
  if (effect === 'ask') return { kind: 'ask', reason: `${does}; a rule asks for it`, risk };
  const sensitive = findSensitivePath(row, name, paths);
  if (sensitive !== undefined) return { kind: 'ask', reason: `${does}; ${sensitive}`, risk: 'high' };
  if (session.mode === 'strict' && row?.strictAlwaysAsks) return { kind: 'ask', reason: does, risk };
  if (effect === 'allow' || row?.modes[session.mode] === 'allow') return { kind: 'allow' };
  return { kind: 'ask', reason: does, risk };
}
