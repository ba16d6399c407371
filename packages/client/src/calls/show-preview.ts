import { decodeClientFrame, encodeFrame, LIMITS, type ClientFrameOf, type ToolErrorCode } from '@codelab/protocol';
import { maskSecrets } from '@codelab/tools';
import { hasTool, type CallTask } from './call-task.js';
import type { CallPorts } from './call-ports.js';
import type { CallPreview } from './tool-executor.js';

/** Files that a frame names; a call that depends on more is still checked against all of them here. */
const MAX_OPERANDS = 256;

/** Characters that a frame carries: a quarter of what the wire allows, which counts them in any encoding. */
const MAX_PREVIEW_CHARACTERS = LIMITS.MAX_FILE_BYTES / 4;

/** Why a call can't be done. */
export type CallFault = NonNullable<CallPreview['fault']>;

/**
 * Faults of the call itself: the model that made it can mend them. Any other, such as a right that is missing on this machine, a human may see
 * to before they decide.
 */
const OF_THE_CALL: ReadonlySet<ToolErrorCode> = new Set([
  ...(['FILE_NOT_FOUND', 'FILE_TOO_LARGE', 'INVALID_PATH', 'PATH_OUTSIDE_WORKSPACE', 'ENCODING_ERROR', 'CONFLICT'] as const),
  ...(['PATCH_APPLY_FAILED', 'INVALID_ARGUMENTS', 'TOOL_NOT_FOUND', 'GIT_NOT_INITIALIZED'] as const),
]);

/** What leaves this machine has its secrets masked, those too that a model may see: the approvers are other people's screens (L1). */
const toFrame = (callId: string, { preview, operands }: CallPreview, known: readonly string[]): ClientFrameOf<'tool_preview'> => {
  const { text } = maskSecrets(preview.text, new Set(), known);
  return {
    type: 'tool_preview',
    call_id: callId,
    preview: {
      kind: preview.kind,
      text: text.length > MAX_PREVIEW_CHARACTERS ? `${text.slice(0, MAX_PREVIEW_CHARACTERS)}\n… cut` : text,
    },
    operands: operands?.slice(0, MAX_OPERANDS),
  };
};

/** What the executor says that a call would do; `undefined` where it says nothing, or the call was given up meanwhile. */
const compute = async (
  task: CallTask,
  { executor, onProblem, place }: CallPorts,
  signal: AbortSignal,
): Promise<CallPreview | undefined> => {
  const { shown, frame } = task;
  if (shown === undefined || executor === undefined || !hasTool(executor, frame.tool_name)) return undefined;
  try {
    const preview = await executor.preview(frame.tool_name, shown.args, signal, place().sessionId);
    return signal.aborted || task.shown !== shown ? undefined : preview;
  } catch (error) {
    if (!signal.aborted) onProblem('preview.failed', `${frame.tool_name}: ${error instanceof Error ? error.message : String(error)}`);
    return undefined;
  }
};

/**
 * Computes what a call would do and keeps it, with the files as they are now, beside the call: the effect is bound to them (H2), also
 * after a restart. Without a preview the human decides on the arguments alone.
 */
export async function preparePreview(task: CallTask, ports: CallPorts, signal: AbortSignal): Promise<void> {
  if (task.preview !== undefined) return;
  const preview = await compute(task, ports, signal);
  if (preview === undefined || task.shown === undefined) return;
  task.preview = preview;
  task.binding = { argsSha256: task.shown.sha256, operands: preview.operands ?? [] };
  if (faultOf(task) === undefined) ports.journal()?.previewed(task.callId, task.binding.argsSha256, task.binding.operands);
}

/**
 * The files that the effect of `task.shown` is bound to, once it may run. Edited arguments may touch other files than those that were
 * shown: a file that was shown stays bound to what it was then, another one to what it is now.
 */
export async function bindOperands(task: CallTask, ports: CallPorts, signal: AbortSignal): Promise<void> {
  const { binding, shown } = task;
  if (binding === undefined || shown === undefined || binding.argsSha256 === shown.sha256) return;
  const operands = (await compute(task, ports, signal))?.operands;
  if (operands === undefined) {
    delete task.binding;
    return;
  }
  const seen = new Map(binding.operands.map(({ path, sha256 }) => [path, sha256]));
  task.binding = { argsSha256: shown.sha256, operands: operands.map(({ path, sha256 }) => ({ path, sha256: seen.get(path) ?? sha256 })) };
}

/** The fault of the call itself that its preview has found. */
export const faultOf = ({ preview }: CallTask): CallFault | undefined =>
  preview?.fault !== undefined && OF_THE_CALL.has(preview.fault.code) ? preview.fault : undefined;

/** What was found counts no more, and nothing is bound to it. */
export function forgetPreview(task: CallTask): void {
  delete task.preview;
  delete task.binding;
}

/** Shows the preview to the other approvers of the session. */
export function sendPreview(task: CallTask, ports: CallPorts): void {
  if (task.preview === undefined) return;
  const frame = toFrame(task.callId, task.preview, ports.knownSecrets());
  const decoded = decodeClientFrame(encodeFrame(frame));
  if (decoded.ok) ports.send(frame);
  else ports.onProblem('preview.failed', decoded.message);
}
