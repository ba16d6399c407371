import { SdkError, SdkErrorCode, SdkHttpError, UnauthorizedError } from '@modelcontextprotocol/client';
import { cleanLine } from '../lists/clean-text.js';
import { LoginNeeded } from '../oauth/login-needed.js';

/** Why a connection was not made. */
export class ConnectFailure extends Error {
  override readonly name = 'ConnectFailure';

  constructor(
    readonly kind: 'failed' | 'needs_login',
    message: string,
    options?: ErrorOptions,
  ) {
    super(message, options);
  }
}

/** Where a program comes from that is not there. */
const HINTS: Readonly<Record<string, string>> = {
  npx: 'It comes with Node.js: install that from https://nodejs.org.',
  npm: 'It comes with Node.js: install that from https://nodejs.org.',
  node: 'Install Node.js from https://nodejs.org.',
  bunx: 'It comes with Bun: install that from https://bun.sh.',
  bun: 'Install Bun from https://bun.sh.',
  deno: 'Install Deno from https://deno.com.',
  uvx: 'It comes with uv: install that from https://docs.astral.sh/uv.',
  uv: 'Install uv from https://docs.astral.sh/uv.',
  pipx: 'Install pipx from https://pipx.pypa.io.',
  python: 'Install Python from https://www.python.org, or call it "python3".',
  python3: 'Install Python from https://www.python.org.',
  docker: 'Install Docker from https://docs.docker.com/get-docker, and start it.',
  podman: 'Install Podman from https://podman.io.',
  java: 'Install a Java runtime, for example from https://adoptium.net.',
  dotnet: 'Install .NET from https://dotnet.microsoft.com.',
  go: 'Install Go from https://go.dev.',
  cargo: 'Install Rust from https://rustup.rs.',
};

/** How the command of a server that can't be started is told. */
export function describeMissing(command: string, code: string | undefined): string {
  const name = command.split(/[\\/]/).at(-1) ?? command;
  const shown = JSON.stringify(cleanLine(command, 100));
  if (code === 'EACCES') return `${shown} may not be executed: make it executable, or name another command.`;
  if (code !== 'ENOENT') return `${shown} could not be started (${code ?? 'unknown error'}).`;
  return `${shown} is not there. ${HINTS[name.replace(/\.(exe|cmd)$/i, '')] ?? 'Install it, or write its whole path as the command.'}`;
}

/** Errors that say that nothing was sent. */
const NOT_SENT = new Set([
  ...['ECONNREFUSED', 'ENOTFOUND', 'EAI_AGAIN', 'EHOSTUNREACH', 'ENETUNREACH', 'UND_ERR_CONNECT_TIMEOUT'],
  ...['CERT_HAS_EXPIRED', 'DEPTH_ZERO_SELF_SIGNED_CERT', 'SELF_SIGNED_CERT_IN_CHAIN', 'ERR_TLS_CERT_ALTNAME_INVALID'],
  ...['UNABLE_TO_VERIFY_LEAF_SIGNATURE', 'UNABLE_TO_GET_ISSUER_CERT_LOCALLY'],
]);

/** The codes of an error and what caused it. */
export function codesOf(error: unknown): readonly string[] {
  const codes: string[] = [];
  for (let at = error, depth = 0; at instanceof Error && depth < 6; at = at.cause, depth += 1) {
    const { code } = at as { readonly code?: unknown };
    if (typeof code === 'string') codes.push(code);
    if (at instanceof AggregateError) codes.push(...at.errors.flatMap(codesOf));
  }
  return codes;
}

/** Whether an error says that a request never left. */
export const wasNotSent = (error: unknown): boolean => codesOf(error).some((code) => NOT_SENT.has(code));

/** The HTTP status that an error is about. */
export function statusOf(error: unknown): number | undefined {
  for (let at = error, depth = 0; at instanceof Error && depth < 6; at = at.cause, depth += 1) {
    if (SdkHttpError.isInstance(at)) return at.status;
    const { data, code } = at as { readonly data?: { readonly status?: unknown } | null; readonly code?: unknown };
    if (typeof data?.status === 'number') return data.status;
    if (at.name === 'SseError' && typeof code === 'number') return code;
  }
  return undefined;
}

/** Whether an error says that a login is missing. */
export function isLoginMissing(error: unknown): boolean {
  let at = error;
  for (let depth = 0; at instanceof Error && depth < 6; depth += 1) {
    const { cause }: Error = at;
    if (at instanceof LoginNeeded || UnauthorizedError.isInstance(at)) return true;
    at = cause;
  }
  return statusOf(error) === 401;
}

/** What went wrong with a server at a URL, as a sentence. Nothing of the request is in it. */
export function describeRemote(url: string, error: unknown): string {
  const { origin } = new URL(url);
  const status = statusOf(error);
  if (status === 403) return `${origin} refuses us (403): check the headers, or the rights of the login.`;
  if (status === 404) return `${origin} has nothing at this path (404): check the URL.`;
  if (status !== undefined && status >= 300 && status < 400) return `${origin} redirects elsewhere, which is not followed: check the URL.`;
  if (status !== undefined) return `${origin} answers ${status} instead of speaking MCP.`;
  const code = codesOf(error).find((each) => /^E[A-Z_]+$/.test(each) && !each.startsWith('ERA_'));
  if (code === 'ECONNREFUSED') return `Nothing listens at ${origin}.`;
  if (code === 'ENOTFOUND' || code === 'EAI_AGAIN') return `The host of ${origin} is not known.`;
  if (isTimeout(error)) return `${origin} did not answer in time.`;
  return `${origin} could not be spoken to: ${cleanLine(rootMessage(error), 200)}.`;
}

export const isTimeout = (error: unknown): boolean => SdkError.isInstance(error) && error.code === SdkErrorCode.RequestTimeout;

/** The sentence of the innermost cause, without the dot at its end. */
export function rootMessage(error: unknown): string {
  let at = error;
  for (let depth = 0; depth < 6 && at instanceof Error && at.cause instanceof Error; depth += 1) at = at.cause;
  return (at instanceof Error ? at.message : String(at)).replace(/\.$/, '');
}
