import type { StoredRule } from '@codelab/bus';
import type { Rule } from '@codelab/protocol';
import { describeRule } from '@codelab/tools';

/** A rule as REST shows it. */
export function presentRule({ ruleId, scope, rule, sessionId, workspaceId, createdAtMs, by, expiresAtMs }: StoredRule) {
  const parsed = JSON.parse(rule) as Rule; // kept by this service, which had checked it
  return {
    rule_id: ruleId,
    scope,
    rule: parsed,
    description: describeRule(parsed),
    session_id: sessionId,
    workspace_id: workspaceId,
    created_at_ms: createdAtMs,
    by,
    ...(expiresAtMs === 0 ? {} : { expires_at_ms: expiresAtMs }),
  };
}
