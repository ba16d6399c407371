import { reads } from '../policy/policy-row.js';
import { answer, defineTool, takes } from './tool-definition.js';
import { endingOf, joined, shown, textOf } from './wording.js';

/** Ends a process of `run_persistent` → `{success, process_id, status, exit_code?, signal?}` (docs/specification/tools.md#kill_process). */
export const killProcess = defineTool({
  name: 'kill_process',
  since: '2.0',
  group: 'process',
  access: 'write',
  description: 'Ends a process that run_persistent started, with everything that it started itself.',
  parameters: takes(['process_id'], {
    process_id: { type: 'string', pattern: '^[A-Za-z0-9._-]{1,64}$', description: 'The name of the process.' },
  }),
  result: answer(['success', 'process_id', 'status'], {
    success: { const: true },
    process_id: { type: 'string' },
    status: { type: 'string', enum: ['exited', 'killed', 'lost'], description: '"exited" and "lost": it had ended before.' },
    exit_code: { type: ['integer', 'null'] },
    signal: { type: 'string' },
  }),
  essential: ['success'],
  errors: ['INVALID_ARGUMENTS', 'PERMISSION_DENIED'],
  limits: ['only processes of this workspace', '2 s to end by itself, then it is killed'],
  policy: { ...reads('stops a process'), risk: 'medium', touches: 'processes' },
  paths: 'none',
  target: (args) => textOf(args, 'process_id'),
  describe: (args) => shown(args, 'process_id'),
  summarise: (result) => joined(textOf(result, 'status'), endingOf(result)),
});
