import type { ToolExecutor } from '@codelab/client';
import type { ChaosEventBody } from '../../recording/chaos-event.js';

/** Where the events of an observer go. */
export interface ObserverRecord {
  readonly observer: string;
  readonly session: string;
  readonly record: (event: ChaosEventBody) => void;
}

/** The executor, with a record of each call that it is given to run. */
export const recordRuns = (executor: ToolExecutor, { observer, session, record }: ObserverRecord): ToolExecutor => ({
  get tools() {
    return executor.tools;
  },
  preview: executor.preview.bind(executor),
  findDoubt: executor.findDoubt?.bind(executor),
  readFacts: executor.readFacts,
  run: async (tool, args, context) => {
    const about = { kind: 'run', observer, session, callId: context.callId, tool } as const;
    record({ ...about, what: 'begin', args });
    const outcome = await executor.run(tool, args, context);
    record({ ...about, what: 'end', ok: outcome.ok, error: outcome.ok ? undefined : outcome.error.code });
    return outcome;
  },
});
