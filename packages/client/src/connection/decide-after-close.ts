import { CLOSE, type ErrorCode } from '@codelab/protocol';
import type { ClosedReason } from './connection-state.js';
import type { SocketClosing } from './socket.js';

/** What follows the end of a socket. */
export type AfterClose = { readonly kind: 'reconnect'; readonly why: string } | { readonly kind: 'stop'; readonly reason: ClosedReason };

const stop = (kind: ClosedReason['kind'], message: string): AfterClose => ({ kind: 'stop', reason: { kind, message } });

/** Statuses of a refused upgrade that pass by themselves, beside all of 500 and up: timeout, too early, too many. */
const PASSING_STATUSES: ReadonlySet<number> = new Set([408, 425, 429]);

const afterStatus = (status: number, url: string): AfterClose => {
  if (status >= 500 || PASSING_STATUSES.has(status)) return { kind: 'reconnect', why: `the gateway answered ${String(status)}` };
  if (status === 401)
    return stop(
      'unauthorized',
      `${url} does not know this token (401). Get the right one; \`codelab token\` prints that of a local stack.`,
    );
  if (status === 403) return stop('forbidden', `${url} does not allow this token or this client (403).`);
  if (status === 404) return stop('not_found', `${url} is no session endpoint (404). The address ends in /ws.`);
  return stop('refused', `${url} refused the connection (${String(status)}). Is it the address of a CodeLab gateway?`);
};

const KIND_OF_CODE: Readonly<Record<number, ClosedReason['kind']>> = {
  [CLOSE.UNAUTHORIZED.code]: 'unauthorized',
  [CLOSE.FORBIDDEN.code]: 'forbidden',
  [CLOSE.VERSION.code]: 'version',
};

/**
 * Whether a client comes back after its socket ended. Of our own codes 4000 to 4499 say yes and 4500 to 4999 no, known or not; 1000 is a
 * goodbye; whatever else ends a socket is an accident of the network.
 */
export function decideAfterClose(closing: SocketClosing, url: string): AfterClose {
  if (closing.unusable) return stop('refused', `${url} can not be connected to: ${closing.reason}`);
  if (closing.status !== undefined) return afterStatus(closing.status, url);
  const { code, reason } = closing;
  if (code === CLOSE.NORMAL.code) return stop('refused', `The gateway ended the connection: ${reason || 'no reason given'}.`);
  if (code >= 4500 && code < 5000) {
    return stop(KIND_OF_CODE[code] ?? 'refused', `The gateway ended the connection (${String(code)}): ${reason || 'no reason given'}.`);
  }
  return { kind: 'reconnect', why: reason === '' ? `the connection was lost (${String(code)})` : reason };
}

/** What a new connection would be told again. An expired token is not of them: the next connection asks for a new one. */
const KIND_OF_ERROR: Partial<Record<ErrorCode, ClosedReason['kind']>> = {
  UNAUTHORIZED: 'unauthorized',
  TOKEN_INVALID: 'unauthorized',
  FORBIDDEN: 'forbidden',
  SESSION_NOT_FOUND: 'not_found',
  SESSION_EXPIRED: 'not_found',
  QUOTA: 'refused',
  UNSUPPORTED_VERSION: 'version',
  INVALID_FORMAT: 'refused',
  INVALID_TYPE: 'refused',
  MISSING_FIELD: 'refused',
  INVALID_FIELD: 'refused',
  FRAME_TOO_LARGE: 'refused',
};

/**
 * Whether a client tries again after an `error` in the place of `welcome`. Many say nothing of its `hello`: one that came late finds that the
 * gateway took it for a seed client, and is told what such a one is told.
 */
export function decideAfterRefusal({ code, message }: { readonly code: ErrorCode; readonly message: string }): AfterClose {
  const kind = KIND_OF_ERROR[code];
  if (kind === undefined) return { kind: 'reconnect', why: message };
  return stop(kind, `The gateway refused the session (${code}): ${message}`);
}
