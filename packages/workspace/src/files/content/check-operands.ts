import type { Operand } from '@codelab/protocol';
import { ToolFailure } from '../../tool-failure.js';
import type { FilePlan } from './file-change.js';

/** The files that a plan would overwrite, remove or create, and those that it copies from, as they are now: what an approval is bound to. */
export const operandsOf = ({ changes, sources = [] }: FilePlan): Operand[] =>
  [...changes, ...sources].map(({ path, before }) => ({ path: path.text, sha256: before?.sha256 ?? '' }));

/**
 * Compares what a call is about to touch with what an approver was shown (H2): the same files, with the same content.
 *
 * @throws ToolFailure `APPROVAL_MISMATCH`, and then nothing has been done
 */
export function compareOperands(found: readonly Operand[], approved: readonly Operand[]): void {
  const shown = new Map(approved.map(({ path, sha256 }) => [path, sha256]));
  const fail = (path: string, what: string): never => {
    throw new ToolFailure('APPROVAL_MISMATCH', `${path} ${what} since it was approved; nothing was done.`);
  };
  for (const { path, sha256 } of found) {
    const before = shown.get(path);
    if (before === undefined) fail(path, 'has come into it');
    if (before !== sha256) fail(path, before === '' ? 'was created' : sha256 === '' ? 'was removed' : 'was changed');
    shown.delete(path);
  }
  for (const path of shown.keys()) fail(path, 'has gone from it');
}

/** The same for a plan of changes. */
export const checkOperands = (plan: FilePlan, approved: readonly Operand[]): void => compareOperands(operandsOf(plan), approved);
