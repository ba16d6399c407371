import { defineClientFrame } from '../define-frame.js';
import { Carried, Choice, Digest, Flag, Integer, Loose, Nested, schemaOf, Text } from '../fields.js';
import type { JsonText } from '../json-text.js';
import { Rule } from './rule.js';

/** A rule that the human makes of the decision. */
export class Remember {
  @Choice('How far the rule reaches.', ['session', 'project', 'user']) scope!: 'session' | 'project' | 'user';
  /** Carried whole, since a rule that lost a field it doesn't know would allow more than was said: whoever keeps rules refuses it. */
  @Loose('The rule, as the approval proposed it or as the human wrote it. Unknown fields are refused here.', {
    schema: { ...schemaOf(Rule), additionalProperties: false },
  })
  rule!: Readonly<Record<string, unknown>>;
}

/** Decides one call; the only thing that approves (H3). */
export class HitlDecision {
  @Text('The call.', { min: 1, max: 128 }) call_id!: string;
  @Choice('What was decided.', ['approve', 'edit', 'reject']) decision!: 'approve' | 'edit' | 'reject';
  @Carried('The arguments to run instead, with `edit`.', { optional: true }) modified_args?: JsonText;
  @Text('Words for the model.', { optional: true, max: 10_000 }) feedback?: string;
  @Flag('Rejected for lack of a human: the model reads DENIED_BY_POLICY, not DENIED_BY_USER (H3).', { optional: true })
  no_human?: boolean;
  @Digest('The digest of the call decided on (H2).', { optional: true }) args_sha256?: string;
  @Integer(
    'The question decided on, `approval.question` of the call; 1 where that is absent. A decision on an earlier one decides nothing (H2).',
    {
      ...{ optional: true, min: 1 },
    },
  )
  question?: number;
  @Nested('Makes a rule of it.', Remember, { optional: true }) remember?: Remember;
}

export const hitlDecision = defineClientFrame({
  type: 'hitl_decision',
  body: HitlDecision,
  id: 'call_id',
  answeredBy: 'approval_resolved',
  summary: 'Approves, edits or rejects one call.',
  constraints: [
    {
      if: { properties: { decision: { const: 'edit' } } },
      then: { properties: { modified_args: { type: 'object' } }, required: ['modified_args'] },
      else: { properties: { modified_args: { type: 'null' } } },
    },
    { if: { properties: { no_human: { const: true } }, required: ['no_human'] }, then: { properties: { decision: { const: 'reject' } } } },
  ],
  check: ({ decision, modified_args, no_human }) => {
    if (decision === 'edit' && modified_args === undefined) return { missing: 'modified_args', because: 'with the decision edit' };
    if (decision !== 'edit' && modified_args !== undefined) return 'modified_args goes with edit, and only with edit';
    return no_human === true && decision !== 'reject' ? 'no_human goes with reject, and only with reject' : undefined;
  },
});
