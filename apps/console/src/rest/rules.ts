import { ask, type Answer } from './ask.js';

export type Scope = 'session' | 'project' | 'user';
export type Effect = 'allow' | 'ask' | 'deny';

/** What a rule is about. A call has to fit all that is there. */
export interface RuleFields {
  readonly effect?: Effect;
  readonly tool: string;
  readonly path?: string;
  readonly host?: string;
  readonly command?: readonly string[];
  readonly exact?: boolean;
  readonly expires_at_ms?: number;
}

/** A rule that counts. */
export interface KeptRule {
  readonly rule_id: string;
  readonly scope: Scope;
  readonly rule: RuleFields;
  /** What it does, as a sentence. */
  readonly description: string;
  readonly session_id?: string;
  readonly workspace_id?: string;
  readonly created_at_ms: number;
  readonly by: string;
  readonly expires_at_ms?: number;
}

/** A rule to be made. */
export interface NewRule {
  readonly scope: Scope;
  readonly rule: RuleFields;
  readonly session_id?: string;
  readonly workspace_id?: string;
}

export const addRule = (rule: NewRule): Promise<Answer<KeptRule>> => ask('POST', '/api/v1/rules', rule);

export const removeRule = (ruleId: string): Promise<Answer<{ readonly removed: number }>> =>
  ask('DELETE', `/api/v1/rules/${encodeURIComponent(ruleId)}`);
