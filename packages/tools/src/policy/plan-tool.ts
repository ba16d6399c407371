import type { ToolDefinition } from '../tools/tool-definition.js';
import type { PolicyRow } from './policy-row.js';
import type { PolicySession } from './policy-session.js';

/** How a session's `mode` is judged; one that is not known counts as the default. In `plan` agents only read, until a human has accepted their plan. */
export function judgedMode(mode: string): Pick<PolicySession, 'mode' | 'plans'> {
  if (mode === 'plan') return { mode: 'medium', plans: true };
  return { mode: mode === 'strict' || mode === 'permissive' ? mode : 'medium' };
}

/** Puts a plan before the human: the only way out of the mode `plan`. The servers run it; no client has it. */
export const PLAN_TOOL: ToolDefinition = {
  name: 'submit_plan',
  description:
    'Ends the planning: shows your plan to the user, who accepts it or says what to change. Accepted, you carry it out at once. Call it when you ' +
    'know what to change and how to verify it, not for answers to questions.',
  parameters: {
    type: 'object',
    required: ['plan'],
    properties: {
      plan: {
        type: 'string',
        minLength: 1,
        description: 'Markdown: what will change, file by file and in order, how it will be verified, and what is left open.',
      },
    },
    additionalProperties: false,
  },
  since: '2.1',
  group: 'user',
  access: 'readonly',
  idempotency: 'safe',
  deadlineMs: 60_000,
};

/** A human reads every plan: no rule and no mode accepts one. */
export const PLAN_POLICY: PolicyRow = {
  modes: { medium: 'ask', strict: 'ask', permissive: 'ask' },
  risk: 'low',
  does: 'asks whether its plan is to be carried out',
  touches: 'nothing',
  alwaysAsks: true,
};
