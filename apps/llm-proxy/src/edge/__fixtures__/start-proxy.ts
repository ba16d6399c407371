import { startService, type RunningService } from '@codelab/service-shell';
import { Agent, fetch, type Response } from 'undici';
import { ProxyConfig } from '../config.js';
import { llmProxyService } from '../llm-proxy-service.js';
import { parseEvents, type SentEvent } from './parse-events.js';

/** The token that may do everything; `NARROW` may only list tools. */
export const TOKEN = 'all-token';
export const NARROW = 'narrow-token';

const TOKENS = `${TOKEN}=acme/alice,${NARROW}=acme/alice?scopes=tools:list`;

/** Nothing listens there: relays need no Redis. */
const NO_REDIS = 'unix:/nonexistent/redis.sock';

/** An answer, read to its end. */
export interface Answered {
  readonly status: number;
  readonly headers: Response['headers'];
  readonly text: string;
  /** The body as JSON. Throws where it is none. */
  json<T = Record<string, unknown>>(): T;
  /** The body as server-sent events. */
  events(): readonly SentEvent[];
}

export interface AskOptions {
  readonly method?: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly token?: string | null;
  readonly signal?: AbortSignal;
}

/** A proxy in this process, on a free port. */
export interface TestProxy extends RunningService<ProxyConfig> {
  /** Sends a request, the body as it is if it is a text, and resolves when the answer has begun. */
  send(path: string, body?: unknown, options?: AskOptions): Promise<Response>;
  /** Sends a request and reads the answer. */
  ask(path: string, body?: unknown, options?: AskOptions): Promise<Answered>;
}

export async function startProxy(overrides: Partial<ProxyConfig> = {}): Promise<TestProxy> {
  const config = Object.assign(new ProxyConfig(), { port: 0, redisUrl: NO_REDIS, tokens: TOKENS, logLevel: 'silent', ...overrides });
  const service = await startService(llmProxyService(() => config));
  const dispatcher = new Agent(); // of its own: one that stays would keep connections to a proxy that is gone
  const send: TestProxy['send'] = (path, body, { method, headers, token = TOKEN, signal } = {}) =>
    fetch(`${service.url}${path}`, {
      method: method ?? (body === undefined ? 'GET' : 'POST'),
      headers: { 'content-type': 'application/json', ...(token !== null && { authorization: `Bearer ${token}` }), ...headers },
      body: typeof body === 'string' || body instanceof Uint8Array ? body : JSON.stringify(body),
      ...(signal && { signal }),
      dispatcher,
    });
  const ask: TestProxy['ask'] = async (path, body, options) => {
    const response = await send(path, body, options);
    const text = await response.text();
    const { status, headers } = response;
    return { status, headers, text, json: <T>() => JSON.parse(text) as T, events: () => parseEvents(text) };
  };
  const stop = async (): Promise<void> => {
    await service.stop();
    await dispatcher.close();
  };
  return { ...service, send, ask, stop };
}
