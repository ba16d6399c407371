import type { Operand, ToolErrorCode } from '@codelab/protocol';
import type { Approvals } from '../approvals/approvals.js';
import type { CallTask, CheckedArguments } from './call-task.js';
import type { CallPlace, LocalVerdict, LocalPolicy } from '../local-policy/local-policy.js';
import { bindOperands, preparePreview, type PreviewPorts } from './show-preview.js';

/** What clearing a call needs. */
export interface ClearancePorts extends PreviewPorts {
  readonly localPolicy: LocalPolicy;
  readonly place: () => CallPlace;
}

/** Whether a call may run here, and as what. */
export type Clearance =
  | { readonly allowed: true; readonly approved: boolean; readonly operands?: readonly Operand[] }
  | { readonly allowed: false; readonly code: ToolErrorCode; readonly why: string };

type Asking = Extract<LocalVerdict, { kind: 'ask' }>;

const deny = (why: string): Clearance => ({ allowed: false, code: 'PERMISSION_DENIED', why });

const judge = async (
  { tool_name: toolName, origin }: CallTask['frame'],
  { args }: CheckedArguments,
  { localPolicy, place, onProblem }: ClearancePorts,
): Promise<LocalVerdict> => {
  try {
    return await localPolicy.judge(toolName, args, { ...place(), ...(origin && { origin }) });
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    onProblem('policy.failed', reason);
    return { kind: 'ask', counts: 'here', reason, risk: 'high' }; // a policy that can't tell is no leave to run
  }
};

/** The files of the decision and those of the rules that allow the call; they must agree. */
const allow = (task: CallTask, approved: boolean, ofRule: readonly Operand[] = []): Clearance => {
  const shown = task.binding?.operands;
  const all = [...(shown ?? []), ...(task.frame.operands ?? []), ...ofRule];
  const files = new Map<string, string>();
  for (const { path, sha256 } of all) {
    if ((files.get(path) ?? sha256) !== sha256) {
      const why = `${path} is not as it was when a human decided on it. Nothing was done.`;
      return { allowed: false, code: 'APPROVAL_MISMATCH', why };
    }
    files.set(path, sha256);
  }
  if (shown === undefined && files.size === 0) return { allowed: true, approved };
  return { allowed: true, approved, operands: [...files].map(([path, sha256]) => ({ path, sha256 })) };
};

/** The file that a rule of this client was made for and that has another content by now. */
const findChanged = async (
  task: CallTask,
  ofRule: readonly Operand[],
  ports: ClearancePorts,
  signal: AbortSignal,
): Promise<string | undefined> => {
  if (ofRule.length === 0) return undefined;
  await preparePreview(task, ports, signal);
  const now = new Map(task.preview?.operands?.map(({ path, sha256 }) => [path, sha256]));
  return ofRule.find(({ path, sha256 }) => now.has(path) && now.get(path) !== sha256)?.path;
};

const confirm = async (
  task: CallTask,
  verdict: Asking,
  approvals: Approvals,
  ports: ClearancePorts,
  signal: AbortSignal,
): Promise<Clearance> => {
  const { shown } = task;
  if (shown === undefined || task.binding?.argsSha256 !== shown.sha256) delete task.preview; // it shows other arguments, or none that this process has seen
  await preparePreview(task, ports, signal);
  if (signal.aborted) return deny('');
  const { approved, feedback = '', noHuman = false } = await approvals.confirm(task, verdict);
  if (approved) return allow(task, true);
  return noHuman ? { allowed: false, code: 'DENIED_BY_POLICY', why: feedback } : deny(feedback);
};

/**
 * What stands between the servers' leave and the run: this client's own local policy, and the files that the decision is bound to (H2).
 * `task.shown` are the arguments to run.
 */
export async function clearCall(
  task: CallTask,
  args: CheckedArguments,
  approvals: Approvals,
  ports: ClearancePorts,
  signal: AbortSignal,
): Promise<Clearance> {
  const { operands } = task.frame;
  const verdict = await judge(task.frame, args, ports);
  if (verdict.kind === 'deny') return deny(`${verdict.reason}.`);
  if (task.approvedSha256 === args.sha256) {
    await bindOperands(task, ports, signal);
    return allow(task, true);
  }
  if (verdict.kind === 'ask') {
    if (verdict.counts === 'here' || task.decided !== true) return confirm(task, verdict, approvals, ports, signal);
    await bindOperands(task, ports, signal);
    return allow(task, true);
  }
  const changed = await findChanged(task, verdict.operands ?? [], ports, signal);
  if (changed !== undefined) {
    const reason = `it was allowed while ${changed} had another content`;
    return confirm(task, { kind: 'ask', counts: 'here', reason, risk: 'medium' }, approvals, ports, signal);
  }
  await bindOperands(task, ports, signal);
  const byServers = task.decided === true || operands !== undefined;
  const byRule = verdict.approved === 'by_rule' && task.decided !== true;
  const approved = /^(yes|by_rule)$/.test(verdict.approved) || (verdict.approved === 'by_servers' && byServers);
  const doubt = approved && !byRule ? undefined : await ports.executor?.findDoubt?.(task.frame.tool_name, args.args, signal, byRule);
  if (doubt !== undefined) return confirm(task, { kind: 'ask', counts: 'here', reason: doubt, risk: 'medium' }, approvals, ports, signal);
  return allow(task, approved, verdict.operands);
}
