import { dangerous, reads } from '../policy/policy-row.js';
import { DEFAULT_COMMAND_MS, MAX_COMMAND_MS } from '../tools/run-command.js';
import { answer, defineTool, takes } from '../tools/tool-definition.js';
import { isJsonObject } from '../arguments/json.js';
import { joined, shown, textOf } from '../tools/wording.js';

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
        data: { type: 'string', description: 'base64 of an image, of at most 3 MB' },
        width: { type: 'integer', description: 'Of an image, in pixels.' },
        height: { type: 'integer', description: 'Of an image, in pixels.' },
      }),
    },
    error: answer(['name', 'value'], {
      name: { type: 'string' },
      value: { type: 'string' },
      traceback: { type: 'string', description: 'Without colours; its end says name and value, too.' },
    }),
    execution_count: { type: 'integer' },
    duration_ms: { type: 'integer' },
    timed_out: { type: 'boolean', description: 'It was stopped because it took too long.' },
    ended: { type: 'boolean', description: 'The kernel has ended with the cell: its variables are gone.' },
    started: { type: 'string', description: 'The kernel that was started for this cell: "Python 3.13.1 (/usr/bin/python3)".' },
    restarted: { type: 'boolean', description: 'Another kernel than the session had before: its variables are gone.' },
    truncated: { type: 'boolean', description: 'Something in the middle of the output was left out.' },
  }),
  essential: ['outputs'],
  errors: ['TIMEOUT', 'CANCELLED', 'CONFLICT', 'PERMISSION_DENIED', 'DENIED_BY_POLICY', 'INVALID_ARGUMENTS'],
  limits: [
    '60 s unless "timeout_ms" says otherwise, at most 600 s',
    '512 Ki characters of output: the first and the last half',
    '10 images, of at most 3 MB each and 4.5 MB together',
  ],
  deadlineMs: MAX_COMMAND_MS + 5_000,
  policy: RUNS,
  paths: 'unknown',
  tooWide: 'code for a kernel always asks',
  target: (args) => textOf(args, 'code'),
  describe: (args) => shown(args, 'code'),
  summarise: ({ outputs, error, timed_out: timedOut }) => {
    const images = Array.isArray(outputs) ? outputs.filter((output) => isJsonObject(output) && typeof output.data === 'string').length : 0;
    const ending = timedOut === true ? 'timed out' : isJsonObject(error) ? textOf(error, 'name') : undefined;
    return joined(ending, images === 0 ? undefined : images === 1 ? '1 image' : `${String(images)} images`);
  },
});

const stop = <const Name extends string, const Access extends 'readonly' | 'write'>(name: Name, access: Access, description: string) =>
  defineTool({
    ...{ name, description, since: '2.1', group: 'process', access },
    parameters: takes([], {}),
    result: answer([], {}),
    ...{ essential: [], errors: ['PERMISSION_DENIED', 'INVALID_ARGUMENTS'], limits: [], policy: STOPS, paths: 'none', describe: () => '' },
  });

/** It stops what another call does and changes nothing itself: as one that writes it would wait behind that call. */
export const kernelInterrupt = stop('kernel.interrupt', 'readonly', 'Stops the code that runs in the kernel. Its variables stay.');
export const kernelRestart = stop('kernel.restart', 'write', 'Starts the kernel anew, without its variables.');
