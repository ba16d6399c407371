import type { Executor } from '../executor.js';

/** Ends a lasting shell of the session (docs/specification/tools.md#capabilities). */
export const shellRestart: Executor<'shell.restart'> = {
  run: async ({ shell_id: shellId }, { shells, sessionId }) => {
    await shells.end({ sessionId, shellId });
    return {};
  },
};
