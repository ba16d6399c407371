import { MAX_RULES_OF_HOLDER, type NewRule, type RuleHolder, type StoredRule } from '@codelab/bus';
import type { Rule } from '@codelab/protocol';
import { canonicalJson } from '@codelab/tools';

/** Longer than any rule that a person means; each is read for each call. */
const MAX_RULE_CHARACTERS = 16 * 1024;

/** The text under which a rule is kept: the same rule has the same text. */
export const textOfRule = (rule: Rule): string => canonicalJson({ ...rule });

/** Why a rule can't be kept, as a sentence; `undefined` if it can. Its files must have their digests. */
export function faultOfRule(rule: Rule, nowMs: number): string | undefined {
  const text = textOfRule(rule);
  if (text.length > MAX_RULE_CHARACTERS) {
    return `the rule has ${String(text.length)} characters; the limit is ${String(MAX_RULE_CHARACTERS)}`;
  }
  if (rule.expires_at_ms !== undefined && rule.expires_at_ms <= nowMs) return 'expires_at_ms: this time is over';
  const unbound = rule.files?.find(({ sha256 }) => sha256 === undefined);
  return unbound === undefined ? undefined : `files: ${unbound.path} has no sha256, so nothing would be bound to it`;
}

/** Whether a holder has all the rules that it may have, and this one is not among them. */
export function isFull(stored: readonly StoredRule[], holder: RuleHolder, rule: Rule): boolean {
  const own = stored.filter(
    ({ scope, workspaceId }) => scope === holder.scope && (holder.scope !== 'project' || workspaceId === holder.workspaceId),
  );
  return own.length >= MAX_RULES_OF_HOLDER && own.every((known) => known.rule !== textOfRule(rule));
}

/** What a person whose rules are too many is told. */
export const FULL = `there are ${String(MAX_RULES_OF_HOLDER)} rules of this scope already, which is the limit: revoke some first`;

/** A rule as the store takes it. */
export const toNewRule = (rule: Rule, by: string): NewRule => ({ rule: textOfRule(rule), by, expiresAtMs: rule.expires_at_ms ?? 0 });
