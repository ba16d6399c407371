import type { ToolExecutor } from '@codelab/client';
import type { SessionEvent } from '@codelab/client/view';
import { isJsonObject, summariseResult, type JsonObject } from '@codelab/tools';

/** Characters of a result that are kept for people. */
const MAX_RESULT = 64_000;

/** Fields that are text by themselves. */
const TEXTS = ['stdout', 'stderr', 'output', 'content', 'diff'];

/** The run of an executor, told to the view: when each call begins, what it prints, what came out of it. */
export function tellRun(run: ToolExecutor['run'], tell: (event: SessionEvent) => void): ToolExecutor['run'] {
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
    const result = outcome.ok && isJsonObject(outcome.result) ? outcome.result : undefined;
    tell({
      ...{ kind: 'call_finished', callId, atMs: Date.now() },
      error: outcome.ok ? undefined : outcome.error,
      summary: result && summariseResult(toolName, result),
      exitCode: result && failedExit(result),
      result: result && describe(result),
    });
    return outcome;
  };
}

/** The status of a command that failed; null for a signal. */
const failedExit = ({ exit_code: code }: JsonObject): number | null | undefined =>
  code === null || (typeof code === 'number' && code !== 0) ? code : undefined;

function describe(result: JsonObject): string {
  const texts = TEXTS.map((name) => result[name]).filter((value): value is string => typeof value === 'string' && value !== '');
  const text = texts.length > 0 ? texts.join('\n') : JSON.stringify(result, null, 2);
  return text.length > MAX_RESULT ? `${text.slice(0, MAX_RESULT)}\n⋯` : text;
}
