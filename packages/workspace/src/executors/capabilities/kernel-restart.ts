import type { Executor } from '../executor.js';

/** Stops the cell of the session that runs (docs/notebooks.md). */
export const kernelInterrupt: Executor<'kernel.interrupt'> = {
  run: (_args, { kernels, sessionId }) => {
    kernels.interrupt(sessionId);
    return Promise.resolve({});
  },
};

/** Ends the kernel of the session; the next cell has a new one (docs/notebooks.md). */
export const kernelRestart: Executor<'kernel.restart'> = {
  run: async (_args, { kernels, sessionId }) => {
    await kernels.restart(sessionId);
    return {};
  },
};
