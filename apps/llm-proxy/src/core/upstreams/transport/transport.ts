import { EnvHttpProxyAgent, Pool, type Dispatcher } from 'undici';
import type { Leaving } from '../upstream.js';
import type { Timeouts } from './deadlines.js';
import type { SettingNames } from './to-llm-error.js';
import { UpstreamRequest, type UpstreamAnswer } from './upstream-request.js';

/** The proxy that upstreams are reached through, as the usual variables say it. */
export interface ProxySettings {
  readonly httpProxy?: string;
  readonly httpsProxy?: string;
  readonly noProxy?: string;
}

export interface TransportOptions {
  readonly baseUrl: string;
  /** Sent with every request, the key among them. */
  readonly headers: Readonly<Record<string, string>>;
  readonly timeouts: Timeouts;
  readonly settings: SettingNames;
  readonly proxy?: ProxySettings;
}

/** One request to an upstream. */
export interface Post {
  /** Below the path of the base URL, such as `/chat/completions`. */
  readonly path: string;
  /** Without `?`; added to that of the base URL. */
  readonly query?: string;
  /** JSON text; left out, it is a GET. */
  readonly body?: string | Buffer;
  readonly headers?: Readonly<Record<string, string>>;
  readonly signal: Leaving;
  readonly inOnePiece?: boolean;
  readonly watchBytes?: boolean;
}

/** How long an unused connection is kept where the server doesn't say: a conversation's next request finds it again. */
const KEEP_ALIVE_MS = 30_000;

/**
 * Requests to one server, over connections that are kept; as many at a time as are asked, one on each connection. Follows no redirect,
 * repeats nothing.
 */
export class Transport {
  private readonly dispatcher: Dispatcher;
  private readonly origin: string;
  private readonly path: string;
  private readonly search: string;
  private readonly options: TransportOptions;
  private readonly headers: readonly string[];

  constructor(options: TransportOptions) {
    const url = new URL(options.baseUrl);
    this.options = options;
    this.origin = url.origin;
    this.path = url.pathname.replace(/\/+$/, '');
    this.search = url.search.slice(1);
    // our own deadlines know first token, idle and total: undici's two are switched off
    const connections = {
      connect: { timeout: options.timeouts.connectMs },
      headersTimeout: 0,
      bodyTimeout: 0,
      pipelining: 1,
      keepAliveTimeout: KEEP_ALIVE_MS,
    };
    this.dispatcher = hasProxy(options.proxy)
      ? new EnvHttpProxyAgent({ ...connections, noProxy: '', ...options.proxy })
      : new Pool(url.origin, connections);
    const headers = { 'content-type': 'application/json', 'accept-encoding': 'identity', ...options.headers };
    this.headers = Object.entries(headers).flat();
  }

  /** Sends a request and resolves with the head of its answer, whatever its status. Throws `LlmError`. */
  post(post: Post): Promise<UpstreamAnswer> {
    const { timeouts, settings } = this.options;
    const { path, query, body, headers, signal, inOnePiece = false, watchBytes = false } = post;
    const request = new UpstreamRequest({ timeouts, settings, signal, inOnePiece, watchBytes });
    const search = [this.search, query ?? ''].filter((text) => text !== '').join('&');
    const options: Dispatcher.DispatchOptions = {
      origin: this.origin,
      path: `${this.path}${path}${search === '' ? '' : `?${search}`}`,
      method: body === undefined ? 'GET' : 'POST',
      headers: headers ? [...this.headers, ...Object.entries(headers).flat()] : [...this.headers],
      body: body ?? null,
    };
    if (!signal.aborted) this.dispatch(options, request);
    return request.answer;
  }

  /** Closes every connection, those in use too. */
  async close(): Promise<void> {
    await this.dispatcher.destroy();
  }

  private dispatch(options: Dispatcher.DispatchOptions, request: UpstreamRequest): void {
    try {
      this.dispatcher.dispatch(options, request);
    } catch (error) {
      request.fail(error); // undici refused the options: a header with a line break, a destroyed pool
    }
  }
}

const hasProxy = (proxy: ProxySettings | undefined): proxy is ProxySettings =>
  proxy?.httpProxy !== undefined || proxy?.httpsProxy !== undefined;
