import { dangerous, reads } from '../policy/policy-row.js';
import { DEFAULT_COMMAND_MS, MAX_COMMAND_MS } from '../tools/run-command.js';
import { answer, defineTool, takes } from '../tools/tool-definition.js';
import { shown, textOf } from '../tools/wording.js';

const RUNS = { ...dangerous('runs code in a kernel', 'processes'), alwaysAsks: true } as const;
const STOPS = { ...reads('stops code in a kernel'), risk: 'medium', touches: 'processes' } as const;

/** Runs code in a notebook kernel (docs/specification/tools.md#capabilities). What it does can't be told from its text, so it always asks. */
export const kernelExecute = defineTool({
  name: 'kernel.execute',
  since: '2.1',
  group: 'process',
  access: 'write',
  description: 'Runs code in the kernel of the workspace, in which variables carry over.',
  parameters: takes(['code'], {
    code: { type: 'string', minLength: 1, maxLength: 1_048_576, description: 'The code.' },
    timeout_ms: {
      type: 'integer',
      minimum: 1,
      maximum: MAX_COMMAND_MS,
      default: DEFAULT_COMMAND_MS,
      description: 'Then it is interrupted.',
    },
  }),
  result: answer(['outputs'], {
    outputs: {
      type: 'array',
      items: answer(['type'], {
        type: { type: 'string', description: '"stdout", "stderr", or a media type.' },
        text: { type: 'string' },
        data: { type: 'string', description: 'base64' },
      }),
    },
    error: answer(['name', 'value'], { name: { type: 'string' }, value: { type: 'string' } }),
  }),
  essential: ['outputs'],
  errors: ['TIMEOUT', 'CANCELLED', 'PERMISSION_DENIED', 'DENIED_BY_POLICY', 'INVALID_ARGUMENTS'],
  limits: ['60 s unless "timeout_ms" says otherwise, at most 600 s'],
  deadlineMs: MAX_COMMAND_MS + 5_000,
  policy: RUNS,
  paths: 'unknown',
  tooWide: 'code for a kernel always asks',
  target: (args) => textOf(args, 'code'),
  describe: (args) => shown(args, 'code'),
});

const stop = <const Name extends string>(name: Name, description: string) =>
  defineTool({
    ...{ name, description, since: '2.1', group: 'process', access: 'write' },
    parameters: takes([], {}),
    result: answer([], {}),
    ...{ essential: [], errors: ['PERMISSION_DENIED', 'INVALID_ARGUMENTS'], limits: [], policy: STOPS, paths: 'none', describe: () => '' },
  });

export const kernelInterrupt = stop('kernel.interrupt', 'Stops the code that runs in the kernel.');
export const kernelRestart = stop('kernel.restart', 'Starts the kernel anew, without its variables.');
