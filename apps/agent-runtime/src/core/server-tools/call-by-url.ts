import { setTimeout as delay } from 'node:timers/promises';
import type { ServerTool as RegisteredTool } from '@codelab/bus';
import { type Egress, type EgressAnswer, EgressError, type EgressFailure } from '@codelab/egress';
import { JsonText, type ToolErrorCode } from '@codelab/protocol';
import { maskSecrets, maskSecretsInJson, resolveSecrets, type SecretSource } from '@codelab/tools';
import { hideInJson, hideValues, sentValues } from './hide-values.js';
import type { ServerOutcome } from './server-tool.js';

/** 1 MB: what a model could read of it is less. */
export const MAX_ANSWER_BYTES = 1024 * 1024;

/** Of the words of a server that refused, in characters. */
const MAX_SHOWN = 4_096;

/** Pauses before a safe call is repeated. */
const PAUSES_MS = [250, 1_000];

/** What passes: the server is overloaded, restarts, or can't be reached for a moment. */
const PASSING: ReadonlySet<number> = new Set([429, 502, 503, 504]);

const CODES: Readonly<Record<EgressFailure, ToolErrorCode>> = {
  forbidden: 'PERMISSION_DENIED',
  timeout: 'TIMEOUT',
  too_large: 'FILE_TOO_LARGE',
  failed: 'HTTP_ERROR',
  cancelled: 'CANCELLED',
};

const NOTHING_ALLOWED: ReadonlySet<string> = new Set();

/** What calling by URL needs. */
export interface ByUrlPorts {
  readonly egress: Pick<Egress, 'fetch'>;
  readonly secrets: SecretSource;
  readonly signal: AbortSignal;
}

const failed = (code: ToolErrorCode, message: string): ServerOutcome => ({ ok: false, error: { code, message } });

/**
 * Runs a tool by URL: `POST {"arguments": …}`, the arguments as they were written. A JSON object that is answered stays as it is
 * (`{"output": […]}`), anything else becomes `{"output": …}`; any status but 2xx is an error that the model reads. Secrets in it are masked, as
 * in results of a client, and so are the values of the headers that were sent. A call that may be repeated is, after what passes. Never throws.
 */
export async function callByUrl(tool: RegisteredTool, args: string, ports: ByUrlPorts): Promise<ServerOutcome> {
  const headers: Record<string, string> = {};
  const used: string[] = [];
  for (const [name, value] of Object.entries(tool.headers)) {
    const resolved = resolveSecrets(value, new URL(tool.url), ports.secrets);
    if (!resolved.ok)
      return failed('TOOL_FAILED', `The tool ${tool.name} can't be called: its header ${name} names a secret, but ${resolved.message}.`);
    headers[name] = resolved.text;
    used.push(...resolved.secrets);
  }
  const hidden = sentValues(used, headers);
  const giveUpAtMs = performance.now() + tool.timeoutMs;
  const tries = tool.idempotency === 'safe' ? PAUSES_MS.length + 1 : 1;
  for (let place = 0; ; place += 1) {
    const { outcome, passes } = await callOnce(tool, args, {
      ...ports,
      headers,
      hidden,
      timeoutMs: Math.max(Math.ceil(giveUpAtMs - performance.now()), 1),
    });
    const pauseMs = PAUSES_MS[place] ?? Infinity;
    if (!passes || place + 1 >= tries || performance.now() + pauseMs >= giveUpAtMs) return outcome;
    await delay(pauseMs, undefined, { signal: ports.signal }).catch(() => undefined); // aborted: the next try says so
  }
}

interface Once extends ByUrlPorts {
  readonly headers: Readonly<Record<string, string>>;
  /** What was sent and nobody should read in an answer that echoes it. */
  readonly hidden: readonly string[];
  readonly timeoutMs: number;
}

async function callOnce(
  tool: RegisteredTool,
  args: string,
  once: Once,
): Promise<{ readonly outcome: ServerOutcome; readonly passes: boolean }> {
  const { egress, signal, headers, hidden, timeoutMs } = once;
  try {
    const answer = await egress.fetch({
      ...{ url: tool.url, method: 'POST', timeoutMs, maxBytes: MAX_ANSWER_BYTES, signal },
      headers: { accept: 'application/json, text/plain', ...headers, 'content-type': 'application/json' },
      body: `{"arguments":${args}}`,
    });
    const isOk = answer.status >= 200 && answer.status < 300;
    return {
      outcome: isOk ? { ok: true, result: toResult(answer, hidden) } : refused(tool, answer, hidden),
      passes: PASSING.has(answer.status),
    };
  } catch (error) {
    if (!(error instanceof EgressError)) throw error;
    const said = error.failure === 'timeout' ? `no whole answer within ${String(tool.timeoutMs)} ms` : error.message;
    const outcome = failed(CODES[error.failure], `The tool ${tool.name} gave no answer: ${said}.`);
    return { outcome, passes: error.failure === 'failed' };
  }
}

function toResult({ text, contentType }: EgressAnswer, hidden: readonly string[]): JsonText {
  const json = parse(text);
  if (json === undefined || !/^$|json/.test(contentType)) {
    return new JsonText(JSON.stringify({ output: maskSecrets(hideValues(text, hidden), NOTHING_ALLOWED).text }));
  }
  const masked = maskSecretsInJson(hideInJson(text.trim(), hidden), NOTHING_ALLOWED).text;
  const isObject = typeof json === 'object' && json !== null && !Array.isArray(json);
  return new JsonText(isObject ? masked : `{"output":${masked}}`);
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined; // not JSON: then it is text
  }
}

function refused(tool: RegisteredTool, { status, text }: EgressAnswer, hidden: readonly string[]): ServerOutcome {
  const words = maskSecrets(hideValues(text.trim(), hidden).slice(0, MAX_SHOWN), NOTHING_ALLOWED).text; // half of a key would be found by nobody
  return failed(
    'HTTP_ERROR',
    `The server of the tool ${tool.name} answered with status ${String(status)}${words === '' ? '.' : `: ${words}`}`,
  );
}
