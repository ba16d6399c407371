import { isIP } from 'node:net';
import { Agent, request, type Dispatcher } from 'undici';
import { ACCEPT_ENCODING, readBody } from './decode-body.js';
import type { EgressAllow } from './egress-allow.js';
import { EgressError, notPublic } from './egress-error.js';
import { guardedFetch } from './fetch-like.js';
import { bareHost, guardedConnect, mayReach, portOf, type Resolve } from './guarded-connect.js';
import { nextTarget, redirected, REDIRECTS, toTarget } from './redirects.js';

/** What is asked of a server whose URL somebody else wrote. */
export interface EgressRequest {
  readonly url: string;
  readonly method: 'GET' | 'POST';
  /** Sent to the origin of `url` only, never behind a redirect that leaves it. */
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string;
  /** For everything: resolving, connecting, redirects and the answer. */
  readonly timeoutMs: number;
  /** Of the answer, as it came and decoded. */
  readonly maxBytes: number;
  readonly signal: AbortSignal;
  /** Redirects are followed (`follow`, the default), or are the answer (`tell`). */
  readonly redirects?: 'follow' | 'tell';
  /** An answer over `maxBytes` is cut there; without it, it is refused. */
  readonly cut?: boolean;
}

export interface EgressAnswer {
  readonly status: number;
  /** Lower case, without parameters; `''` without one. */
  readonly contentType: string;
  /** The body as UTF-8. */
  readonly text: string;
}

/** An answer as it is. */
export interface EgressPage {
  /** Where it came from in the end. */
  readonly url: string;
  readonly status: number;
  /** Lower-case names; several of one name are joined by `, `. */
  readonly headers: Readonly<Record<string, string>>;
  /** Where a redirect leads that was not followed. */
  readonly location?: string;
  /** Decoded, if it came compressed. */
  readonly bytes: Buffer;
  /** Whether there was more. */
  readonly isCut: boolean;
}

export interface EgressOptions {
  readonly allow: EgressAllow;
  /** Default: the system's. */
  readonly resolve?: Resolve;
}

const CONNECT_TIMEOUT_MS = 10_000;
/** What is said of a connection that ended before it answered. */
const BROKEN_OFF: ReadonlySet<string> = new Set(['UND_ERR_SOCKET', 'ECONNRESET', 'EPIPE']);
/** How long `fetchLike` waits for headers: the answer of a slow tool has none before it is there. */
const HEADERS_TIMEOUT_MS = 300_000;

/**
 * The one way out to addresses that users and models name. http and https only; public addresses only, but for those that the operator
 * allows; each redirect is judged like the first address; time and size are bounded. Throws `EgressError`.
 */
export class Egress {
  /** For what streams or brings its own loop, such as MCP over HTTP; bounded as {@link guardedFetch} says. */
  readonly fetchLike: typeof fetch;
  private readonly agent: Agent;
  private readonly streams: Agent;
  private readonly allow: EgressAllow;

  constructor({ allow, resolve }: EgressOptions) {
    this.allow = allow;
    const connect = guardedConnect({ allow, timeoutMs: CONNECT_TIMEOUT_MS, resolve });
    const options = { connect, bodyTimeout: 0, maxResponseSize: -1, keepAliveTimeout: 1_000, allowH2: false };
    // the one deadline of a request covers what undici's timers would
    this.agent = new Agent({ ...options, headersTimeout: 0 });
    this.streams = new Agent({ ...options, headersTimeout: HEADERS_TIMEOUT_MS });
    this.fetchLike = guardedFetch(this.streams);
  }

  /** Refuses what could never be fetched, before anybody tries: another scheme, a password, a private address. A name is looked up later. */
  check(url: string): void {
    const { hostname, protocol, port } = toTarget(url);
    const address = bareHost(hostname);
    if (isIP(address) === 0 || mayReach({ hostname: address, address, port: portOf(port, protocol) }, this.allow)) return;
    throw notPublic(address);
  }

  /** Whether the operator allows the host of a URL by its name or, where it is one, its address. */
  isListed(url: URL): boolean {
    const hostname = bareHost(url.hostname);
    return this.allow.allows({ hostname, address: isIP(hostname) === 0 ? '' : hostname, port: portOf(url.port, url.protocol) });
  }

  /** The answer as text. */
  async fetch(asked: EgressRequest): Promise<EgressAnswer> {
    const { status, headers, bytes } = await this.load(asked);
    const contentType = (headers['content-type'] ?? '').split(';', 1)[0]!.trim().toLowerCase();
    return { status, contentType, text: bytes.toString('utf8') };
  }

  /** The answer as it is, for what must know its headers, its charset or where it came from. */
  async load(asked: EgressRequest): Promise<EgressPage> {
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
    await Promise.all([this.agent.destroy(), this.streams.destroy()]);
  }

  /** A server may close a connection that was kept open just as it is used again: what may be repeated is asked once more, as browsers do. */
  private async ask(url: URL, options: Omit<Dispatcher.RequestOptions, 'origin' | 'path'>): Promise<Dispatcher.ResponseData> {
    const askOnce = (): Promise<Dispatcher.ResponseData> => request(url, { ...options, dispatcher: this.agent });
    return askOnce().catch((error: unknown) => {
      if (options.method !== 'GET' || !BROKEN_OFF.has((error as NodeJS.ErrnoException).code ?? '')) throw error;
      return askOnce();
    });
  }

  private async follow(asked: EgressRequest, signal: AbortSignal): Promise<EgressPage> {
    let url = toTarget(asked.url);
    let sent: Pick<EgressRequest, 'headers' | 'body'> & { readonly method: string } = asked;
    for (let redirects = 0; ; redirects += 1) {
      const { method, body, headers: given = {} } = sent;
      const answer = await this.ask(url, {
        ...{ method, signal, body: body ?? null },
        headers: { 'accept-encoding': ACCEPT_ENCODING, ...given },
      });
      const headers = toHeaders(answer.headers);
      const { location } = headers;
      const leads = location !== undefined && REDIRECTS.has(answer.statusCode);
      if (!leads || asked.redirects === 'tell') {
        const read = await readBody(answer.body, headers['content-encoding'] ?? '', {
          maxBytes: asked.maxBytes,
          cut: leads || (asked.cut ?? false),
        });
        const target = leads && URL.canParse(location, url.href) ? { location: new URL(location, url).href } : {};
        return { url: url.href, status: answer.statusCode, headers, ...target, ...read };
      }
      answer.body.on('error', () => undefined).destroy(); // nothing of it is wanted
      const next = nextTarget(location, url, redirects);
      sent = redirected(sent, answer.statusCode, next.origin === url.origin);
      url = next;
    }
  }
}

const toHeaders = (headers: Dispatcher.ResponseData['headers']): Record<string, string> =>
  Object.fromEntries(
    Object.entries(headers).flatMap(([name, value]) =>
      value === undefined ? [] : [[name, Array.isArray(value) ? value.join(', ') : value]],
    ),
  );

/** The boundary to undici: what it says of a failure names addresses, so it goes no further. */
function toEgressError(error: unknown, { timeoutMs, signal }: EgressRequest, deadline: AbortSignal): EgressError {
  if (error instanceof EgressError) return error;
  if (signal.aborted) return new EgressError('cancelled', 'the request was cancelled');
  if (deadline.aborted) return new EgressError('timeout', `no whole answer within ${String(timeoutMs)} ms`);
  return new EgressError('failed', 'the server could not be reached, or broke off');
}
