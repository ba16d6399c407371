import type { Row } from './row.js';

/** What decides whether a row is offered, beside the agent that asks. */
export interface RowFilter {
  /** Whether the executor has a canonical tool or a capability. */
  readonly has: (name: string) => boolean;
  /** Rows of policy `setting` that a setting turns on, by name. */
  readonly enabled?: readonly string[];
}

/** Whether a row can be offered: all that it needs is there (vocabularies, rule 2). */
export const isOffered = ({ name, needs, policy }: Row, { has, enabled = [] }: RowFilter): boolean =>
  needs.every((need) => (typeof need === 'string' ? has(need) : need.some(has))) && (policy !== 'setting' || enabled.includes(name));
