import { isIP } from 'node:net';
import { Agent, request, type Dispatcher } from 'undici';
import type { EgressAllow } from './egress-allow.js';
import { EgressError, notPublic } from './egress-error.js';
import { bareHost, guardedConnect, mayReach, portOf, type Resolve } from './guarded-connect.js';

/** What is asked of a server whose URL somebody else wrote. */
export interface EgressRequest {
  readonly url: string;
  readonly method: 'GET' | 'POST';
  /** Sent to the origin of `url` only, never behind a redirect that leaves it. */
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string;
  /** For everything: resolving, connecting, redirects and the answer. */
  readonly timeoutMs: number;
  readonly maxBytes: number;
  readonly signal: AbortSignal;
}

export interface EgressAnswer {
  readonly status: number;
  /** Lower case, without parameters; `''` without one. */
  readonly contentType: string;
  /** The body as UTF-8. */
  readonly text: string;
}

export interface EgressOptions {
  readonly allow: EgressAllow;
  /** Default: the system's. */
  readonly resolve?: Resolve;
}

/** Redirects that are followed. */
export const MAX_REDIRECTS = 3;
const CONNECT_TIMEOUT_MS = 10_000;
const REDIRECTS: ReadonlySet<number> = new Set([301, 302, 303, 307, 308]);
/** These two repeat the request as it was; the others become a GET, as in browsers. */
const REPEATING: ReadonlySet<number> = new Set([307, 308]);

/**
 * The one way out to addresses that users and models name. http and https only; public addresses only, but for those that the operator
 * allows; each redirect is judged like the first address; time and size are bounded. Throws `EgressError`.
 */
export class Egress {
  private readonly agent: Agent;
  private readonly allow: EgressAllow;

  constructor({ allow, resolve }: EgressOptions) {
    this.allow = allow;
    const connect = guardedConnect({ allow, timeoutMs: CONNECT_TIMEOUT_MS, resolve });
    // the one deadline of a request covers what undici's timers would
    this.agent = new Agent({ connect, headersTimeout: 0, bodyTimeout: 0, maxResponseSize: -1, keepAliveTimeout: 1_000, allowH2: false });
  }

  /** Refuses what could never be fetched, before anybody tries: another scheme, a password, a private address. A name is looked up later. */
  check(url: string): void {
    const { hostname, protocol, port } = toTarget(url);
    const address = bareHost(hostname);
    if (isIP(address) === 0 || mayReach({ hostname: address, address, port: portOf(port, protocol) }, this.allow)) return;
    throw notPublic(address);
  }

  async fetch(asked: EgressRequest): Promise<EgressAnswer> {
    const deadline = AbortSignal.timeout(asked.timeoutMs);
    const signal = AbortSignal.any([deadline, asked.signal]);
    try {
      return await this.follow(asked, signal);
    } catch (error) {
      throw toEgressError(error, asked, deadline);
    }
  }

  /** Closes every connection, those in use too. */
  async close(): Promise<void> {
    await this.agent.destroy();
  }

  private async follow(asked: EgressRequest, signal: AbortSignal): Promise<EgressAnswer> {
    let url = toTarget(asked.url);
    let sent: Pick<EgressRequest, 'method' | 'headers' | 'body'> = asked;
    for (let redirects = 0; ; redirects += 1) {
      const { method, body, headers = {} } = sent;
      const answer = await request(url, { dispatcher: this.agent, method, headers: { ...headers }, body: body ?? null, signal });
      const { location } = answer.headers;
      if (!REDIRECTS.has(answer.statusCode) || typeof location !== 'string') return await read(answer, asked.maxBytes);
      answer.body.on('error', () => undefined).destroy(); // nothing of it is wanted
      if (redirects === MAX_REDIRECTS) throw new EgressError('failed', `more than ${String(MAX_REDIRECTS)} redirects`);
      const next = toTarget(location, url);
      if (url.protocol === 'https:' && next.protocol === 'http:') throw new EgressError('forbidden', 'a redirect from https to http');
      sent = redirected(sent, answer.statusCode, next.origin === url.origin);
      url = next;
    }
  }
}

function redirected(sent: Pick<EgressRequest, 'method' | 'headers' | 'body'>, status: number, staysHere: boolean): typeof sent {
  const contentType = sent.headers?.['content-type'];
  const headers = staysHere ? (sent.headers ?? {}) : contentType === undefined ? {} : { 'content-type': contentType };
  if (REPEATING.has(status) || sent.method === 'GET') return { ...sent, headers };
  return { method: 'GET', headers: Object.fromEntries(Object.entries(headers).filter(([name]) => name !== 'content-type')) };
}

/** Whether a URL may be asked for at all, before its host is looked up. */
export function toTarget(text: string, base?: URL): URL {
  if (!URL.canParse(text, base?.href)) throw new EgressError('forbidden', 'the URL is not valid');
  const url = new URL(text, base);
  if (url.protocol !== 'http:' && url.protocol !== 'https:')
    throw new EgressError('forbidden', `${url.protocol} is neither http: nor https:`);
  if (url.username !== '' || url.password !== '') throw new EgressError('forbidden', 'the URL carries a password; put it into a header');
  return url;
}

async function read({ statusCode, headers, body }: Dispatcher.ResponseData, maxBytes: number): Promise<EgressAnswer> {
  const pieces: Buffer[] = [];
  let bytes = 0;
  for await (const piece of body as AsyncIterable<Buffer>) {
    bytes += piece.length;
    if (bytes > maxBytes) throw new EgressError('too_large', `the answer is over ${String(maxBytes)} bytes`); // leaving the loop closes it
    pieces.push(piece);
  }
  const type = headers['content-type'];
  const contentType = (typeof type === 'string' ? type : '').split(';', 1)[0]!.trim().toLowerCase();
  return { status: statusCode, contentType, text: Buffer.concat(pieces).toString('utf8') };
}

/** The boundary to undici: what it says of a failure names addresses, so it goes no further. */
function toEgressError(error: unknown, { timeoutMs, signal }: EgressRequest, deadline: AbortSignal): EgressError {
  if (error instanceof EgressError) return error;
  if (signal.aborted) return new EgressError('cancelled', 'the request was cancelled');
  if (deadline.aborted) return new EgressError('timeout', `no whole answer within ${String(timeoutMs)} ms`);
  return new EgressError('failed', 'the server could not be reached, or broke off');
}
