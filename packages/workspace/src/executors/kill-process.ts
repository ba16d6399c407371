import type { KillProcessArguments } from '@codelab/tools';
import type { Executor } from './executor.js';

/** Ends a process of `run_persistent` (docs/specification/tools.md#kill_process); no other can be named. */
export const killProcess: Executor<KillProcessArguments> = {
  run: ({ process_id: processId }, { processes }) => processes.end(processId),
};
