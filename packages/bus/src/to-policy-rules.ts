import { isJsonObject, parseRule, toPolicyRule, type PolicyRule } from '@codelab/tools';
import type { StoredRule } from './rule-store.js';

/**
 * The rules that calls of a session are judged by: its own, those of its person, those for the workspace that its executor works on, by
 * the id of it; the latest last, as the policy wants them. A rule that this release can't read allows nothing, and asks where it would
 * have asked or denied (H1).
 * @param workspaceId '' for none
 */
export const toPolicyRules = (stored: readonly StoredRule[], workspaceId: string): readonly PolicyRule[] =>
  stored
    .filter(({ scope, workspaceId: bound }) => scope !== 'project' || (workspaceId !== '' && bound === workspaceId))
    .sort((one, other) => one.createdAtMs - other.createdAtMs)
    .flatMap(readRule);

const readRule = ({ ruleId, scope, rule, createdAtMs: madeAtMs }: StoredRule): readonly PolicyRule[] => {
  const value = JSON.parse(rule) as unknown;
  const parsed = parseRule(value, 'allow');
  if (parsed.ok) return [toPolicyRule(parsed.rule, { ruleId, scope, madeAtMs })];
  if (!isJsonObject(value) || value['effect'] === 'allow') return [];
  return [{ ruleId, scope, effect: 'ask', tool: typeof value['tool'] === 'string' ? value['tool'] : '*' }];
};
