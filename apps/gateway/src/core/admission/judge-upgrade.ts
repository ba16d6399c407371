import { judgeSource, type SourceRules } from '@codelab/auth';
import { SESSION_ID } from '@codelab/bus';
import { refuse, type Refusal } from '@codelab/protocol';

/** What an upgrade request says. */
export interface UpgradeRequest {
  /** Path and query. */
  readonly url: string;
  readonly host?: string | undefined;
  readonly origin?: string | undefined;
  readonly authorization?: string | undefined;
  readonly protocols?: string | undefined;
}

/** A request that may go on to authentication, or why not, with the HTTP status that says so. */
export type JudgedUpgrade =
  | { readonly ok: true; readonly sessionId: string; readonly token?: string }
  | { readonly ok: false; readonly status: 400 | 401 | 403 | 404; readonly refusal: Refusal };

/** Asks for a session that nobody has yet. */
export const NEW_SESSION = 'new';
/** What the server selects of the subprotocols that a client offers. */
export const SUBPROTOCOL = 'codelab.v1';
/** What a client is told whose request comes from elsewhere, and which setting helps. */
const FOREIGN = {
  host: 'this gateway is not known by the name in the Host header: list it in CODELAB_ALLOWED_HOSTS',
  origin: 'this origin is not allowed: list it in GATEWAY_ALLOWED_ORIGINS',
} as const;
const BEARER_PROTOCOL = 'codelab.bearer.';
const BASE = 'ws://gateway';
const PATH = /^\/ws\/([^/]*)\/?$/;

const refused = (status: 400 | 401 | 403 | 404, refusal: Refusal): JudgedUpgrade => ({ ok: false, status, refusal });

/** Judges an upgrade request by all but its token, which is only found here (docs/specification/wire.md#connecting). */
export function judgeUpgrade(request: UpgradeRequest, sources: SourceRules): JudgedUpgrade {
  const url = URL.canParse(request.url, BASE) ? new URL(request.url, BASE) : undefined;
  const sessionId = PATH.exec(url?.pathname ?? '')?.[1];
  if (url === undefined || sessionId === undefined) {
    return refused(404, refuse('INVALID_FIELD', 'there is nothing here: connect to /ws/{session_id}, or /ws/new for a fresh session'));
  }
  if (url.searchParams.has('token')) {
    return refused(
      400,
      refuse('INVALID_FIELD', 'a token never goes into a URL: send it as Authorization: Bearer, subprotocol or auth frame'),
    );
  }
  if (!SESSION_ID.test(sessionId)) {
    return refused(400, refuse('INVALID_FIELD', 'session_id: 1 to 64 characters of A-Z a-z 0-9 _ -, or new'));
  }
  const source = judgeSource(request, sources);
  if (source !== 'welcome') return refused(403, refuse('FORBIDDEN', FOREIGN[source]));
  const token = findToken(request);
  if (token === null) return refused(401, refuse('TOKEN_INVALID', 'Authorization must be Bearer and a token'));
  return { ok: true, sessionId, token };
}

/** `undefined`: there is none. `null`: what is there is no token. */
function findToken({ authorization, protocols = '' }: UpgradeRequest): string | null | undefined {
  if (authorization !== undefined) return /^Bearer +(\S+)$/i.exec(authorization)?.[1] ?? null;
  return protocols
    .split(',')
    .map((protocol) => protocol.trim())
    .find((protocol) => protocol.startsWith(BEARER_PROTOCOL))
    ?.slice(BEARER_PROTOCOL.length);
}
