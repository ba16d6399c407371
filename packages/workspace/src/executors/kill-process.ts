import type { Executor } from './executor.js';

/** Ends a process of `run_persistent` (docs/specification/tools.md#kill_process); no other can be named. */
export const killProcess: Executor<'kill_process'> = {
  run: ({ process_id: processId }, { processes }) => processes.end(processId),
};
