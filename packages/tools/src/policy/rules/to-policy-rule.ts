import type { Rule } from '@codelab/protocol';
import type { PolicyRule, RuleFile } from '../policy-session.js';

/** A rule of the wire, which `parseRule` took, as the policy takes it. One with a file without digest allows nothing. */
export function toPolicyRule(rule: Rule, { ruleId, scope, madeAtMs }: Pick<PolicyRule, 'ruleId' | 'scope' | 'madeAtMs'>): PolicyRule {
  const { effect = 'ask', files, expires_at_ms: expiresAtMs, ...rest } = rule;
  return {
    ...rest,
    effect,
    scope,
    ruleId,
    madeAtMs,
    files: files?.map(({ path, sha256 = '' }) => ({ path, sha256 })),
    expiresAtMs,
  };
}

/**
 * Gives the files of a rule the digests that the executor reported with the preview of the call decided on.
 *
 * @returns the rule, or a sentence that names the file whose content nobody saw
 */
export function bindRule(rule: Rule, operands: readonly RuleFile[]): Rule | string {
  if (rule.files === undefined) return rule;
  const digests = new Map(operands.map(({ path, sha256 }) => [path, sha256]));
  const files = rule.files.map(({ path, sha256 }) => ({ path, sha256: sha256 ?? digests.get(path) }));
  const unseen = files.find(({ sha256 }) => sha256 === undefined);
  if (unseen !== undefined) return `the rule is bound to ${unseen.path}, and the preview of the call doesn't say what it holds`;
  return { ...rule, files: files };
}
