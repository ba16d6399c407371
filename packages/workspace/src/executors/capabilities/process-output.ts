import { MAX_STATUS_OUTPUT_BYTES } from '@codelab/tools';
import type { Executor } from '../executor.js';

/** Reads the output of a process of the session (docs/specification/tools.md#capabilities). */
export const processOutput: Executor<'process.output'> = {
  run: ({ process_id: processId, offset = 0, limit = MAX_STATUS_OUTPUT_BYTES, wait_ms: waitMs = 0 }, { processes, sessionId, signal }) =>
    processes.output(processId, { sessionId, offset, limit, waitMs, signal }),
};
