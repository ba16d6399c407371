import { failed } from '../continue/items.js';
import { canonicalError } from '../table/composite.js';
import { defineRow } from '../table/row.js';
import { takes } from '../table/takes.js';

/** `restart_kernel`: the notebook kernel without its variables. */
export const restartKernel = defineRow({
  name: 'restart_kernel',
  displayName: 'Restart kernel',
  description: 'Ends the notebook kernel of run_cell; the next cell has a new one, without variables and with modules as they are now.',
  parameters: takes([], {}),
  policy: 'allow',
  readonly: false,
  idempotency: 'unsafe',
  needs: ['kernel.execute', 'kernel.restart'],
  stands: 'kernel.restart',
  next: (_args, [outcome]) => {
    if (outcome === undefined) return { call: { tool: 'kernel.restart', args: {} } };
    return outcome.ok ? { text: 'Kernel restarted.' } : failed(canonicalError(outcome.code, outcome.message));
  },
});
