import { workspaceExecutor, type RunContext, type ToolExecutor } from '@codelab/client';
import type { JsonObject } from '@codelab/tools';
import { openWorkspace } from '@codelab/workspace';
import type { Ask, CodeIndexOptions, OpenFiles, Terminals, Workspace } from '@codelab/workspace';
import type { SessionEvent } from '@codelab/client/view';
import { CommandError } from '../../core/command-error.js';
import { chosenKernel } from '../user-config/read-settings.js';
import { watchRun } from './watch-executor.js';

export interface LocalExecutorParts {
  /** The canonical path of the workspace. */
  readonly root: string;
  readonly dataDir: string;
  /** Where the person keeps instructions, rules and agents of their own. */
  readonly configDir?: string;
  readonly ask: Ask;
  /** How the code is indexed; without it there is no index. */
  readonly index?: CodeIndexOptions | undefined;
  /** What an editor holds open. */
  readonly openFiles?: OpenFiles | undefined;
  /** Where commands that were decided on run for the user to see. */
  readonly terminals?: Terminals | undefined;
  /** Hears when each call begins and ends, for the screen. */
  readonly tell: (event: SessionEvent) => void;
}

/** The user's files, and the tools that run on them. */
export interface LocalExecutor {
  readonly executor: ToolExecutor;
  readonly workspace: Workspace;
}

/** Tools whose change is shown as a diff. */
const CHANGES_TEXT: ReadonlySet<string> = new Set(['write_file', 'apply_patch', 'editor.edit', 'editor.write']);

/** Opens the user's files. Throws `CommandError` if the folder can't be a workspace. */
export async function localExecutor({ configDir, tell, ...parts }: LocalExecutorParts): Promise<LocalExecutor> {
  const workspace = await openWorkspace({ ...parts, kernel: chosenKernel() }).catch((error: Error) => {
    throw new CommandError(error.message, 2, { cause: error });
  });
  /** A call that nobody was asked about has had no preview: without one nobody would see what it changes. */
  const tellChange = async (toolName: string, args: JsonObject, { callId, sessionId }: RunContext): Promise<void> => {
    const shown = await workspace.preview(toolName, args, sessionId).catch(() => undefined); // the call itself says what is wrong
    if (shown?.preview.kind === 'diff') tell({ kind: 'call_previewed', callId, preview: shown.preview, atMs: Date.now() });
  };
  const watched = watchRun((toolName, args, context) => workspace.run(toolName, args as JsonObject, context), {
    dataDir: parts.dataDir,
    tell,
  });
  const run: ToolExecutor['run'] = async (toolName, args, context) => {
    if (CHANGES_TEXT.has(toolName)) await tellChange(toolName, args as JsonObject, context);
    return watched(toolName, args, context);
  };
  return {
    workspace,
    executor: { ...workspaceExecutor(workspace, { configDir }), run },
  };
}
