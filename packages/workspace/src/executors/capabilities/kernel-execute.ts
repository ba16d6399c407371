import { DEFAULT_COMMAND_MS, type ResultOf } from '@codelab/tools';
import { CellOutput, type CellError } from '../../kernel/cell-output.js';
import type { CellPart } from '../../kernel/cell-part.js';
import type { RanCell } from '../../kernel/kernels.js';
import { MAX_PREVIEW_CHARACTERS } from '../../limits.js';
import { NeedsApproval } from '../../processes/approval/needs-approval.js';
import { ToolFailure } from '../../tool-failure.js';
import type { CallContext, Executor } from '../executor.js';

type CellResult = ResultOf<'kernel.execute'>;

/** Runs a cell in the kernel of the session (docs/notebooks.md). An exception in it is a result; only a cell that didn't run is an error. */
export const kernelExecute: Executor<'kernel.execute'> = {
  watched: () => true,
  run: async ({ code, timeout_ms: timeoutMs = DEFAULT_COMMAND_MS }, context) => {
    if (!context.approved) throw new NeedsApproval('code for a kernel is always asked about');
    const output = listen(context);
    const began = performance.now();
    const { kernels, sessionId, signal } = context;
    const ran = await kernels.run(sessionId, { code, timeoutMs, signal, onEvent: output.add });
    const durationMs = Math.round(performance.now() - began);
    if ('cause' in ran.end && ran.end.cause === 'cancel') throw stoppedBy(signal, ran);
    return { ...toResult(ran, output), duration_ms: durationMs };
  },
  preview: ({ code }) => Promise.resolve({ preview: { kind: 'text', text: code.slice(0, MAX_PREVIEW_CHARACTERS) }, operands: [] }),
};

const listen = ({ callId, images, onOutput }: CallContext): CellOutput => {
  let count = 0;
  return new CellOutput({
    onText: onOutput,
    onImage: (type, image) => {
      count += 1;
      return images.keep(callId, count, type, image);
    },
  });
};

const stoppedBy = (signal: AbortSignal, { end }: RanCell): unknown =>
  signal.reason === 'timeout'
    ? new ToolFailure('TIMEOUT', 'The cell took too long and was stopped.')
    : new ToolFailure(
        'CANCELLED',
        `The cell was interrupted${end.kind === 'over' ? ', and its kernel with it: the variables are gone' : ''}.`,
      );

function toResult({ end, restarted, started }: RanCell, output: CellOutput): CellResult {
  const { parts, truncated } = output.end();
  return {
    outputs: parts.map(toOutput),
    error: output.error ?? deathOf(end),
    execution_count: end.kind === 'over' ? undefined : (end.count ?? undefined),
    timed_out: ('cause' in end && end.cause === 'timeout') || undefined,
    ended: end.kind === 'over' || undefined,
    started,
    restarted: restarted || undefined,
    truncated: truncated || undefined,
  };
}

const toOutput = ({ type, text, image }: CellPart): CellResult['outputs'][number] =>
  image === undefined ? { type, text } : { type, data: image.data, width: image.width, height: image.height };

const deathOf = (end: RanCell['end']): CellError | undefined => {
  if (end.kind !== 'over' || end.cause === 'timeout' || end.cause === 'cancel') return undefined;
  if (end.cause === 'restart') return { name: 'KernelRestarted', value: 'the kernel was restarted while the cell ran' };
  const how = end.code === null ? '' : end.code < 0 ? ` by signal ${String(-end.code)}` : ` with exit code ${String(end.code)}`;
  return { name: 'KernelDied', value: `the kernel ended${how} while the cell ran` };
};
