import { reads } from '../policy/policy-row.js';
import { DEFAULT_DEADLINE_MS, defineTool } from './tool-definition.js';
import { endingOf, joined, shown, textOf } from './wording.js';

/** Ends a process of `run_persistent` → `{success, process_id, status, exit_code?, signal?}` (docs/specification/tools.md#kill_process). */
export const killProcess = defineTool({
  name: 'kill_process',
  since: '2.0',
  group: 'process',
  access: 'write',
  idempotency: 'unsafe',
  description: 'Ends a process that run_persistent started, with everything that it started itself.',
  parameters: {
    type: 'object',
    properties: { process_id: { type: 'string', pattern: '^[A-Za-z0-9._-]{1,64}$', description: 'The name of the process.' } },
    required: ['process_id'],
    additionalProperties: false,
  },
  result: {
    type: 'object',
    properties: {
      success: { const: true },
      process_id: { type: 'string' },
      status: { type: 'string', enum: ['exited', 'killed', 'lost'], description: '"exited" and "lost": it had ended before.' },
      exit_code: { type: ['integer', 'null'] },
      signal: { type: 'string' },
    },
    required: ['success', 'process_id', 'status'],
  },
  essential: ['success'],
  errors: ['INVALID_ARGUMENTS', 'PERMISSION_DENIED'],
  limits: ['only processes of this workspace', '2 s to end by itself, then it is killed'],
  deadlineMs: DEFAULT_DEADLINE_MS,
  policy: { ...reads('stops a process'), risk: 'medium', touches: 'processes' },
  paths: 'none',
  target: (args) => textOf(args, 'process_id'),
  describe: (args) => shown(args, 'process_id'),
  summarise: (result) => joined(textOf(result, 'status'), endingOf(result)),
});
