import type { Operand } from '@codelab/protocol';
import { about, toToolError } from '../../to-tool-error.js';
import { ToolFailure } from '../../tool-failure.js';
import { checkOperands } from './check-operands.js';
import type { FilePlan } from './file-change.js';
import type { OpenFiles } from './open-files.js';
import { PendingChange } from './pending-change.js';
import type { ResolveOptions } from '../paths/resolve-path.js';
import type { WorkspaceRoot } from '../paths/workspace-root.js';

/** A record of what is about to happen, from which a crash can be repaired. */
export interface CommitRecord {
  /** All of it happened. */
  readonly done: () => Promise<void>;
  /** Nothing of it happened. */
  readonly drop: () => Promise<void>;
}

export interface CommitOptions {
  /** What an editor holds open: text goes through it. */
  readonly openFiles?: OpenFiles | undefined;
  readonly links: ResolveOptions['links'];
  readonly signal: AbortSignal;
  /** What an approver was shown. The plan must still be about these files with this content (H2). */
  readonly operands?: readonly Operand[] | undefined;
  /**
   * Keeps what is about to be lost, before anything is written.
   *
   * @param temporaries where new content waits for its place, as paths in the workspace
   */
  readonly keep: (temporaries: readonly string[]) => Promise<CommitRecord>;
}

/** Undoes a commit that failed half way. */
const rollBack = async (pending: readonly PendingChange[], record: CommitRecord | undefined, cause: unknown): Promise<void> => {
  const stuck: string[] = [];
  for (const each of [...pending].reverse()) {
    await each.takeBack().catch(() => stuck.push(each.change.path.text)); // reported below
    await each.discard();
  }
  if (stuck.length === 0) return record?.drop().catch(() => undefined); // likewise: nothing happened, whatever the record says
  const { code } = toToolError(cause);
  throw new ToolFailure(
    'OUTCOME_UNKNOWN',
    `The change failed half way (${code}); these files are changed and could not be put back: ${stuck.join(', ')}.`,
    { cause },
  );
};

/**
 * Carries out a plan, all of it or nothing. Every file is compared with what the plan saw; what will be lost is kept; all new content is
 * written beside its files and made durable; then names change, one atomic step each (W2). What fails half way is taken back at once, and
 * after a crash when the workspace is next opened (`repairWorkspace`).
 *
 * @throws ToolFailure; nothing is changed, unless its code is `OUTCOME_UNKNOWN`
 */
export async function commitChanges(root: WorkspaceRoot, plan: FilePlan, options: CommitOptions): Promise<void> {
  const { links, signal, operands, keep, openFiles } = options;
  if (operands !== undefined) checkOperands(plan, operands);
  const conflict = operands === undefined ? 'CONFLICT' : 'APPROVAL_MISMATCH';
  const writesFirst = [...plan.changes].sort((one, other) => Number(one.after === undefined) - Number(other.after === undefined));
  const pending: PendingChange[] = [];
  const forEach = async (step: (each: PendingChange) => Promise<void>): Promise<void> => {
    for (const each of pending) await about(each.change.path.text, () => step(each));
  };
  let record: CommitRecord | undefined;
  try {
    for (const change of writesFirst) {
      signal.throwIfAborted();
      pending.push(await about(change.path.text, () => PendingChange.find(change, { root, links, conflict, openFiles })));
    }
    record = await keep(pending.flatMap(({ temporary }) => temporary ?? []));
    await forEach((each) => each.prepare());
    signal.throwIfAborted();
    await forEach((each) => each.takeEffect());
  } catch (error) {
    await rollBack(pending, record, error);
    throw error;
  } finally {
    await Promise.all(pending.map((each) => each.close()));
  }
  await record.done().catch(() => undefined); // the effect is there; the record is set right when the workspace is next opened
}
