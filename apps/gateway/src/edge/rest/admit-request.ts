import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { isUtf8 } from 'node:buffer';
import { LIMITS, refuse, type Refusal } from '@codelab/protocol';
import { judgeSource, type Authenticate, type Authenticated, type Identity, type SourceRules } from '@codelab/auth';
import type { Admitted, BrowserSignIns, Refused, WatchSignIn } from '../../core/console/browser-sign-ins.js';
import { isStoreAway, UNAVAILABLE } from '../../core/refusals.js';
import type { GatewayStats } from '../../core/stats.js';
import { toPageRequest, type IsTrusted } from '../console/page-request.js';
import { sendRefusal } from './send-refusal.js';

/** A request that was let in. */
export interface RestRequest extends IncomingMessage {
  readonly identity: Identity;
  /** The body as it came; '' without one. */
  readonly bodyText: string;
  /** Of a request that came by a cookie. */
  readonly watchSignIn?: WatchSignIn;
}

/** What decides who is let in. */
export interface RestAdmission {
  readonly authenticate: Authenticate;
  readonly sources: SourceRules;
  /** Told of every socket that brought a good token. */
  readonly sockets: { admit(socket: Socket): void };
  readonly stats: GatewayStats;
  /** Whose browser it is, where a request brings no token. */
  readonly browsers: Pick<BrowserSignIns, 'judge'>;
  readonly isTrusted: IsTrusted;
}

type Middleware = (request: IncomingMessage, response: ServerResponse, next: (error?: unknown) => void) => void;

/** What anyone may read: the description of the routes. */
const OPEN_PATH = '/openapi.json';

/**
 * Stands before every route of REST: origin and token first, the body only then (G1). There is no CORS: a page of another origin gets
 * nothing, unless it is listed.
 */
export const admitRequests =
  (admission: RestAdmission): Middleware =>
  (request, response, next) => {
    if (request.url?.split('?', 1)[0] === OPEN_PATH) return next();
    admit(admission, request).then(
      (admitted) => {
        if (!('ok' in admitted)) return next(void Object.assign(request, admitted));
        admission.stats.refusals.add(admitted.code);
        response.setHeader('connection', 'close'); // what is left of the body is not read
        if (admitted.clear !== undefined) response.setHeader('set-cookie', admitted.clear);
        sendRefusal(response, admitted);
      },
      (error: unknown) => (isStoreAway(error) ? sendRefusal(response, UNAVAILABLE) : next(error)),
    );
  };

async function admit(
  admission: RestAdmission,
  request: IncomingMessage,
): Promise<Pick<RestRequest, 'identity' | 'bodyText' | 'watchSignIn'> | Refused> {
  const { origin, host, authorization } = request.headers;
  if (judgeSource({ origin, host }, admission.sources) !== 'welcome')
    return refuse('FORBIDDEN', 'this origin is not allowed: see GATEWAY_ALLOWED_ORIGINS');
  if (new URL(request.url ?? '', 'http://gateway').searchParams.has('token')) {
    return refuse('INVALID_FORMAT', 'a token never goes into a URL: send it as Authorization: Bearer');
  }
  const authenticated: Admitted | Refused =
    authorization === undefined ? await admitBrowser(admission, request) : await admitBearer(admission, authorization);
  if (!authenticated.ok) return authenticated;
  admission.sockets.admit(request.socket);
  const { identity, watch: watchSignIn } = authenticated;
  if (!identity.scopes.includes('session')) return refuse('FORBIDDEN', 'this token lacks the scope session');
  const bodyText = await readBody(request);
  return typeof bodyText === 'string' ? { identity, bodyText, watchSignIn } : bodyText;
}

async function admitBearer({ authenticate }: RestAdmission, authorization: string): Promise<Authenticated> {
  const token = /^Bearer +(\S+)$/i.exec(authorization)?.[1];
  return token === undefined ? refuse('TOKEN_INVALID', 'Authorization must be Bearer and a token') : authenticate(token);
}

async function admitBrowser({ browsers, isTrusted }: RestAdmission, request: IncomingMessage): Promise<Admitted | Refused> {
  const judged = await browsers.judge(toPageRequest(request, isTrusted));
  if (judged.kind === 'none') return refuse('UNAUTHORIZED', 'send Authorization: Bearer and a token');
  return judged.kind === 'signed_in'
    ? { ok: true, identity: judged.identity, watch: judged.watch }
    : { ...judged.refusal, clear: judged.clear };
}

async function readBody(request: IncomingMessage): Promise<string | Refusal> {
  const chunks: Buffer[] = [];
  let bytes = 0;
  for await (const chunk of request as AsyncIterable<Buffer>) {
    bytes += chunk.length;
    if (bytes > LIMITS.MAX_FRAME_BYTES) return refuse('FRAME_TOO_LARGE', 'a body is at most 10 MB');
    chunks.push(chunk);
  }
  const body = Buffer.concat(chunks);
  return isUtf8(body) ? body.toString('utf8') : refuse('INVALID_FORMAT', 'the body is not UTF-8');
}
