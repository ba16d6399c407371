import type { Approvals } from './approvals.js';
import type { CallTask, CheckedArguments } from './call-task.js';
import type { LocalFloor } from './local-floor.js';
import { bindOperands, preparePreview, type PreviewPorts } from './show-preview.js';

/** What clearing a call needs. */
export interface ClearancePorts extends PreviewPorts {
  readonly floor: LocalFloor | undefined;
}

/** Whether a call may run here. */
export type Clearance = { readonly allowed: true } | { readonly allowed: false; readonly why: string };

const floorAsks = (toolName: string, { args }: CheckedArguments, { floor, onProblem }: ClearancePorts): boolean => {
  try {
    return floor?.judge(toolName, args) === 'ask';
  } catch (error) {
    onProblem('floor.failed', error instanceof Error ? error.message : String(error));
    return true; // a floor that can't tell is no leave to run
  }
};

/**
 * What stands between the servers' leave and the run: this client's own floor, and the files that the decision is bound to (H2).
 * `task.shown` are the arguments to run.
 */
export async function clearCall(
  task: CallTask,
  args: CheckedArguments,
  approvals: Approvals,
  ports: ClearancePorts,
  signal: AbortSignal,
): Promise<Clearance> {
  const { tool_name: toolName } = task.frame;
  if (task.approvedSha256 === args.sha256 || !floorAsks(toolName, args, ports)) {
    await bindOperands(task, ports, signal);
    return { allowed: true };
  }
  if (task.binding?.argsSha256 !== args.sha256) delete task.preview; // it shows other arguments, or none that this process has seen
  await preparePreview(task, ports, signal);
  if (signal.aborted) return { allowed: false, why: '' };
  const { approved, feedback } = await approvals.confirm(task);
  return approved ? { allowed: true } : { allowed: false, why: feedback ?? '' };
}
