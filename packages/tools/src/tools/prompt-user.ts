import { asksHuman } from '../policy/policy-row.js';
import { HUMAN_DEADLINE_MS, answer, defineTool, takes } from './tool-definition.js';
import { shown } from './wording.js';

/** Asks the human to choose one of several actions → `{action}` (docs/specification/tools.md#prompt_user). An answer approves nothing (H3). */
export const promptUser = defineTool({
  name: 'prompt_user',
  since: '1.0',
  group: 'user',
  access: 'readonly',
  description: 'Asks the user to choose one of the given actions. Use it when the answer decides what you do next.',
  parameters: takes(['message', 'actions'], {
    message: { type: 'string', description: 'The question.' },
    actions: {
      type: 'array',
      items: { type: 'string', minLength: 1 },
      minItems: 1,
      description: 'What the user can choose from.',
    },
  }),
  result: answer(['action'], { action: { type: 'string' } }),
  essential: ['action'],
  errors: ['PERMISSION_DENIED', 'DENIED_BY_POLICY', 'CANCELLED', 'INVALID_ARGUMENTS'],
  limits: [],
  deadlineMs: HUMAN_DEADLINE_MS,
  policy: asksHuman('asks a question'),
  paths: 'none',
  describe: (args) => shown(args, 'message'),
  summarise: ({ action }) => (typeof action === 'string' ? `“${action}”` : undefined),
});
