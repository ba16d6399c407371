import type { ServerTool } from '@codelab/bus';
import { type Egress, type EgressAnswer, EgressError, type EgressFailure } from '@codelab/egress';
import type { ToolErrorCode } from '@codelab/protocol';
import { maskSecrets, maskSecretsInJson } from '@codelab/tools';

/** What came of a tool by URL: the JSON text of `tool_result.result`, or its `error`. */
export type UrlResult =
  | { readonly ok: true; readonly result: string }
  | { readonly ok: false; readonly code: ToolErrorCode | 'HTTP_ERROR'; readonly message: string };

/** 1 MB: what a model could read of it is less. */
export const MAX_ANSWER_BYTES = 1024 * 1024;
/** Of the words of a server that refused, in characters. */
const MAX_SHOWN = 4_096;

const CODES: Readonly<Record<EgressFailure, ToolErrorCode | 'HTTP_ERROR'>> = {
  forbidden: 'PERMISSION_DENIED',
  timeout: 'TIMEOUT',
  too_large: 'FILE_TOO_LARGE',
  failed: 'HTTP_ERROR',
  cancelled: 'CANCELLED',
};

const NOTHING_ALLOWED: ReadonlySet<string> = new Set();

/**
 * Runs a tool by URL: `POST {"arguments": …}`, the arguments as they were written. A JSON object that is answered goes to the model as it is
 * (`{"output": […]}`), anything else as `{"output": …}`; any status but 2xx is an error that the model reads. Secrets in it are masked, as in
 * results of an IDE. Never throws.
 */
export async function callByUrl(
  tool: ServerTool,
  args: string,
  { egress, signal }: { egress: Pick<Egress, 'fetch'>; signal: AbortSignal },
): Promise<UrlResult> {
  try {
    const answer = await egress.fetch({
      ...{ url: tool.url, method: 'POST', timeoutMs: tool.timeoutMs, maxBytes: MAX_ANSWER_BYTES, signal },
      headers: { accept: 'application/json, text/plain', ...tool.headers, 'content-type': 'application/json' },
      body: `{"arguments":${args}}`,
    });
    return answer.status >= 200 && answer.status < 300 ? { ok: true, result: toResult(answer) } : refused(tool, answer);
  } catch (error) {
    if (!(error instanceof EgressError)) throw error;
    return { ok: false, code: CODES[error.failure], message: `The tool ${tool.name} gave no answer: ${error.message}.` };
  }
}

function toResult({ text, contentType }: EgressAnswer): string {
  const json = parse(text);
  if (json === undefined || !/^$|json/.test(contentType)) return JSON.stringify({ output: maskSecrets(text, NOTHING_ALLOWED).text });
  const masked = maskSecretsInJson(text.trim(), NOTHING_ALLOWED).text;
  const isObject = typeof json === 'object' && json !== null && !Array.isArray(json);
  return isObject ? masked : `{"output":${masked}}`;
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined; // not JSON: then it is text
  }
}

function refused(tool: ServerTool, { status, text }: EgressAnswer): UrlResult {
  const words = maskSecrets(text.trim().slice(0, MAX_SHOWN), NOTHING_ALLOWED).text;
  const said = words === '' ? '.' : `: ${words}`;
  return { ok: false, code: 'HTTP_ERROR', message: `The server of the tool ${tool.name} answered with status ${String(status)}${said}` };
}
