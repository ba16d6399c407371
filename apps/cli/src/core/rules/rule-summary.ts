import type { LooseRule } from './describe-rule.js';

/** One rule, as the list shows it. */
export interface RuleSummary {
  readonly id: string;
  /** Who goes by it: the servers, or the local policy of this machine, which asks whatever the servers say. */
  readonly keeper: 'servers' | 'this machine';
  readonly scope: 'session' | 'project' | 'user';
  readonly rule: LooseRule;
  /** The session or the workspace that it is bound to. */
  readonly place: string;
  readonly createdAtMs: number;
}

const SCOPES = ['session', 'project', 'user'] as const;

/** Reads what REST says of a rule; what it doesn't say is empty. */
export function readRuleSummary(value: unknown): RuleSummary {
  const fields = toFields(value);
  const text = (name: string): string => (typeof fields[name] === 'string' ? fields[name] : '');
  const created = fields['created_at_ms'];
  return {
    id: text('rule_id'),
    keeper: 'servers',
    scope: SCOPES.find((scope) => scope === fields['scope']) ?? 'user',
    rule: toFields(fields['rule']),
    place: text('session_id') || text('workspace_id'),
    createdAtMs: typeof created === 'number' ? created : 0,
  };
}

const toFields = (value: unknown): Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null ? (value as Readonly<Record<string, unknown>>) : {};
