import { reads } from '../policy/policy-row.js';
import { answer, defineTool, takes } from '../tools/tool-definition.js';
import { endingOf, joined, shown, textOf } from '../tools/wording.js';

/** Reads the output of a process that the session started, by bytes (docs/specification/tools.md#capabilities). */
export const processOutput = defineTool({
  name: 'process.output',
  since: '2.1',
  group: 'process',
  access: 'readonly',
  description: 'Reads what a process of run_persistent has written, from a byte offset. Only processes of the session.',
  parameters: takes(['process_id'], {
    process_id: { type: 'string', pattern: '^[A-Za-z0-9._-]{1,64}$', description: 'The name of the process.' },
    offset: { type: 'integer', minimum: 0, default: 0, description: 'The "next_offset" of the answer before.' },
    limit: { type: 'integer', minimum: 1, maximum: 262_144, default: 65_536, description: 'At most so many bytes.' },
    wait_ms: {
      type: 'integer',
      minimum: 0,
      maximum: 30_000,
      default: 0,
      description: 'Waits so many milliseconds at most for the end of the process, or for as many bytes as are wanted.',
    },
  }),
  result: answer(['data', 'next_offset', 'first_offset', 'state'], {
    data: { type: 'string', description: 'Both streams as they came; what is not UTF-8 is replaced.' },
    next_offset: { type: 'integer', description: 'Where to go on, in bytes.' },
    first_offset: { type: 'integer', description: 'Where "data" begins: later than asked if the log was trimmed.' },
    state: { type: 'string', enum: ['running', 'exited', 'killed'] },
    exit_code: { type: 'integer', description: 'Once it ended, if it is known.' },
  }),
  essential: ['data', 'next_offset', 'state'],
  errors: ['INVALID_ARGUMENTS', 'PERMISSION_DENIED'],
  limits: ['64 KiB unless "limit" says otherwise, at most 256 KiB', '8 MiB of output kept of a process'],
  policy: reads('reads the output of a process'),
  paths: 'none',
  target: (args) => textOf(args, 'process_id'),
  describe: (args) => shown(args, 'process_id'),
  summarise: (result) => joined(textOf(result, 'state'), endingOf(result)),
});
