import type { RuleScope, StoredRule } from '../../rule-store.js';
import { toFields, toNumber } from '../connection/decode-fields.js';

/** A rule as its hash holds it. */
export interface RuleText {
  readonly scope: RuleScope;
  readonly rule: string;
  readonly session_id?: string;
  readonly workspace_id?: string;
  readonly created_at_ms: number;
  readonly by: string;
}

/** The rules of a hash `…:rules` that have not expired at `nowMs`. */
export function decodeRules(reply: unknown, nowMs: number): readonly StoredRule[] {
  const fields = toFields(reply);
  return Object.entries(fields).flatMap(([field, text]) => {
    if (!field.endsWith(':r')) return [];
    const ruleId = field.slice(0, -2);
    const expiresAtMs = toNumber(fields[`${ruleId}:x`]);
    if (expiresAtMs > 0 && expiresAtMs <= nowMs) return [];
    const { scope, rule, session_id, workspace_id, created_at_ms, by } = JSON.parse(text) as RuleText;
    const bound = {
      sessionId: session_id,
      workspaceId: workspace_id,
    };
    return [{ ruleId, scope, rule, ...bound, createdAtMs: created_at_ms, by, expiresAtMs }];
  });
}
