import { workspaceExecutor, type RunContext, type ToolArguments, type ToolExecutor, type ToolOutcome } from '@codelab/client';
import { maskSecretsInJson, summariseResult } from '@codelab/tools';
import type { JsonObject } from '@codelab/tools';
import { openWorkspace, readAllowedSecrets } from '@codelab/workspace';
import type { Ask, CodeIndexOptions, Workspace } from '@codelab/workspace';
import type { SessionEvent } from '@codelab/client/view';
import { CommandError } from '../../core/command-error.js';
import { chosenKernel } from '../user-config/read-settings.js';
import { describeResult } from '../../core/session/describe-result.js';

export interface LocalExecutorParts {
  /** The canonical path of the workspace. */
  readonly root: string;
  readonly dataDir: string;
  /** Where the person keeps instructions, rules and agents of their own. */
  readonly configDir?: string;
  readonly ask: Ask;
  /** How the code is indexed; without it there is no index. */
  readonly index?: CodeIndexOptions | undefined;
  /** Hears when each call begins and ends, for the screen. */
  readonly tell: (event: SessionEvent) => void;
}

/** The user's files, and the tools that run on them. */
export interface LocalExecutor {
  readonly executor: ToolExecutor;
  readonly workspace: Workspace;
}

/** Masks that are told of in one call, and the longest result that is searched for them. */
const MAX_MASKS = 3;
const MAX_SEARCHED = 2_000_000;

/** Tools whose change is shown as a diff. */
const CHANGES_TEXT: ReadonlySet<string> = new Set(['write_file', 'apply_patch', 'editor.edit', 'editor.write']);

/** The status of a command that failed; null for a signal, undefined for what succeeded or is no command. */
function failedExit({ exit_code: code }: JsonObject): number | null | undefined {
  return code === null || (typeof code === 'number' && code !== 0) ? code : undefined;
}

/** Opens the user's files. Throws `CommandError` if the folder can't be a workspace. */
export async function localExecutor({ root, dataDir, configDir, ask, tell, index }: LocalExecutorParts): Promise<LocalExecutor> {
  const workspace = await openWorkspace({ root, dataDir, ask, index, kernel: chosenKernel() }).catch((error: Error) => {
    throw new CommandError(error.message, 2, { cause: error });
  });
  /** A call that nobody was asked about has had no preview: without one nobody would see what it changes. */
  const tellChange = async (toolName: string, args: JsonObject, { callId, sessionId }: RunContext): Promise<void> => {
    const shown = await workspace.preview(toolName, args, sessionId).catch(() => undefined); // the call itself says what is wrong
    if (shown?.preview.kind === 'diff') tell({ kind: 'call_previewed', callId, preview: shown.preview, atMs: Date.now() });
  };
  const run = async (toolName: string, args: ToolArguments, context: RunContext): Promise<ToolOutcome> => {
    const { callId } = context;
    if (CHANGES_TEXT.has(toolName)) await tellChange(toolName, args as JsonObject, context);
    tell({ kind: 'call_started', callId, atMs: Date.now() });
    const outcome = await workspace.run(toolName, args as JsonObject, {
      ...context,
      onOutput(stream, data) {
        context.onOutput(stream, data);
        tell({ kind: 'call_printed', callId, stream, data, atMs: Date.now() });
      },
    });
    const masks = outcome.ok ? await findMasks(outcome.result, dataDir) : [];
    const summary = outcome.ok ? summariseResult(toolName, outcome.result) : undefined;
    tell({
      kind: 'call_finished',
      callId,
      error: outcome.ok ? undefined : outcome.error,
      summary,
      exitCode: outcome.ok ? failedExit(outcome.result) : undefined,
      result: outcome.ok ? describeResult(outcome.result) : undefined,
      masks: masks.length === 0 ? undefined : masks,
      atMs: Date.now(),
    });
    return outcome;
  };
  return {
    workspace,
    executor: { ...workspaceExecutor(workspace, { configDir }), run },
  };
}

/** What will stand in the place of the secrets of a result, so that the user learns what the model doesn't. The client does the masking. */
async function findMasks(result: JsonObject, dataDir: string): Promise<readonly string[]> {
  const text = JSON.stringify(result);
  if (text.length > MAX_SEARCHED) return [];
  const allowed = await readAllowedSecrets(dataDir).catch(() => new Set<string>()); // the client says what is wrong with the file
  const { found } = maskSecretsInJson(text, allowed);
  return [...new Set(found.map(({ kind, fingerprint }) => `[secret ${kind} ${fingerprint}]`))].slice(0, MAX_MASKS);
}
