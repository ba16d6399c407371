import type { ToolExecutor } from '@codelab/client';
import type { SessionEvent } from '@codelab/client/view';
import { isJsonObject, maskSecretsInJson, summariseResult, type JsonObject } from '@codelab/tools';
import { readAllowedSecrets } from '@codelab/workspace';
import { describeMcpResult } from '../../core/mcp/describe-mcp-result.js';
import { describeResult } from '../../core/session/describe-result.js';

/** Masks that are told of in one call, and the longest result that is searched for them. */
const MAX_MASKS = 3;
const MAX_SEARCHED = 2_000_000;

/** The status of a command that failed; null for a signal and a cell that raised, undefined for what succeeded or is neither. */
function failedExit(toolName: string, { exit_code: code, error, timed_out: timedOut }: JsonObject): number | null | undefined {
  if (toolName === 'kernel.execute') return isJsonObject(error) || timedOut === true ? null : undefined;
  return code === null || (typeof code === 'number' && code !== 0) ? code : undefined;
}

/** The run of an executor, told to the screen: when each call begins, what it prints, what came out of it. */
export function watchRun(
  run: ToolExecutor['run'],
  { dataDir, tell }: { readonly dataDir: string; readonly tell: (event: SessionEvent) => void },
): ToolExecutor['run'] {
  return async (toolName, args, context) => {
    const { callId } = context;
    tell({ kind: 'call_started', callId, atMs: Date.now() });
    const outcome = await run(toolName, args, {
      ...context,
      onOutput(stream, data) {
        context.onOutput(stream, data);
        tell({ kind: 'call_printed', callId, stream, data, atMs: Date.now() });
      },
    });
    const result = outcome.ok ? (outcome.result as JsonObject) : undefined; // each of our tools gives an object
    const masks = result === undefined ? [] : await findMasks(result, dataDir);
    const words = result === undefined ? undefined : describeMcpResult(result);
    tell({
      kind: 'call_finished',
      callId,
      error: outcome.ok ? (words?.failed ? { code: 'TOOL_FAILED', message: words.summary } : undefined) : outcome.error,
      summary: words === undefined ? result && summariseResult(toolName, result) : words.failed ? undefined : words.summary,
      exitCode: result && failedExit(toolName, result),
      result: result && describeResult(words === undefined ? result : { output: words.text }),
      masks: masks.length === 0 ? undefined : masks,
      atMs: Date.now(),
    });
    return outcome;
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
