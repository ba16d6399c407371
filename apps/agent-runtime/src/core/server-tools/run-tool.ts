import { JsonText, type ToolErrorCode } from '@codelab/protocol';
import { type JsonObject, maskSecrets, maskSecretsInJson } from '@codelab/tools';
import type { ServerOutcome, ServerRun, ServerTool } from './server-tool.js';

/** What a `tool_result` frame says: JSON text of the result, or an error. */
export type ToolResult =
  | { readonly ok: true; readonly result: string }
  | { readonly ok: false; readonly error: { readonly code: ToolErrorCode; readonly message: string } };

/** 4 MB: a result with a picture or two. More is no result that a model reads. */
export const MAX_RESULT_BYTES = 4 * 1024 * 1024;

/** Levels of a result: as many as a result of a client can have. Whoever writes a much deeper one runs out of stack. */
const MAX_DEPTH = 60;

/** Of the words of an error, in characters. */
const MAX_MESSAGE = 8_192;

const NOTHING_ALLOWED: ReadonlySet<string> = new Set();

const failed = (code: ToolErrorCode, message: string): ToolResult => ({ ok: false, error: { code, message } });

/**
 * Runs a tool once. Whatever it does, a result comes: what it throws, a result that is no JSON, one that is too long. Secrets are masked, as
 * in results of clients (L1). Rejects only when `run.signal` is aborted, and then at once, whether the tool listens or not.
 */
export async function runTool(tool: ServerTool, args: JsonObject, run: ServerRun): Promise<ToolResult> {
  const { name } = tool.definition;
  const outcome = await orAborted(run.signal, async () => {
    try {
      return await tool.run(args, run);
    } catch {
      // what it says is for nobody but its author: it may name addresses and keys
      return failed('TOOL_FAILED', `The tool ${name} failed by a fault of the service.`) as ServerOutcome;
    }
  });
  if (!outcome.ok) {
    const { code, message } = outcome.error;
    return failed(code, maskSecrets(message.slice(0, MAX_MESSAGE), NOTHING_ALLOWED).text);
  }
  const text = toText(outcome.result);
  if (text === undefined) return failed('TOOL_FAILED', `The tool ${name} answered nothing that can be written as JSON.`);
  if (Buffer.byteLength(text) > MAX_RESULT_BYTES) {
    return failed('FILE_TOO_LARGE', `The tool ${name} answered more than 4 MB. Ask it for less. It may have taken effect.`);
  }
  if (isDeep(text))
    return failed('TOOL_FAILED', `The tool ${name} answered with JSON that is nested deeper than ${String(MAX_DEPTH)} levels.`);
  return { ok: true, result: maskSecretsInJson(text, NOTHING_ALLOWED).text };
}

/** Whether JSON is nested deeper than a result may be. */
function isDeep(json: string): boolean {
  let depth = 0;
  for (const [token] of json.matchAll(/"(?:[^"\\]|\\.)*"|[[{]|[\]}]/g)) {
    if (token === '[' || token === '{') depth += 1;
    else if (token === ']' || token === '}') depth -= 1;
    if (depth > MAX_DEPTH) return true;
  }
  return false;
}

const toText = (result: unknown): string | undefined => {
  try {
    if (result instanceof JsonText) return result.text;
    return JSON.stringify(result);
  } catch {
    return undefined;
  }
};

/** What `work` comes to, unless the signal fires first. */
async function orAborted<T>(signal: AbortSignal, work: () => Promise<T>): Promise<T> {
  signal.throwIfAborted();
  return new Promise<T>((resolve, reject) => {
    const stop = (): void => reject(signal.reason as Error);
    signal.addEventListener('abort', stop, { once: true });
    work()
      .then(resolve, reject)
      .finally(() => signal.removeEventListener('abort', stop));
  });
}
