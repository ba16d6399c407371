import type { ToolExecutor } from '@codelab/client';
import type { JsonObject } from '@codelab/tools';
import { openWorkspace } from '@codelab/workspace';
import type { Ask } from '@codelab/workspace';
import { CommandError } from '../../core/command-error.js';
import { summariseResult } from '../../core/session/describe-call.js';
import type { SessionEvent } from '../../core/session/session-event.js';

export interface LocalExecutorParts {
  /** The canonical path of the workspace. */
  readonly root: string;
  readonly dataDir: string;
  readonly ask: Ask;
  /** Hears when each call begins and ends, for the screen. */
  readonly tell: (event: SessionEvent) => void;
}

/** Runs the tools on the user's files. Throws `CommandError` if the folder can't be a workspace. */
export async function localExecutor({ root, dataDir, ask, tell }: LocalExecutorParts): Promise<ToolExecutor> {
  const workspace = await openWorkspace({ root, dataDir, ask }).catch((error: Error) => {
    throw new CommandError(error.message, 2, { cause: error });
  });
  return {
    tools: workspace.tools,
    preview: (toolName, args) => workspace.preview(toolName, args as JsonObject),
    async run(toolName, args, context) {
      const { callId } = context;
      tell({ kind: 'call_started', callId, atMs: Date.now() });
      const outcome = await workspace.run(toolName, args as JsonObject, context);
      const summary = outcome.ok ? summariseResult(toolName, outcome.result) : undefined;
      tell({
        kind: 'call_finished',
        callId,
        ...(outcome.ok ? {} : { error: outcome.error }),
        ...(summary === undefined ? {} : { summary }),
        atMs: Date.now(),
      });
      return outcome;
    },
  };
}
