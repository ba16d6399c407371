import { randomUUID } from 'node:crypto';
import type { IncomingHttpHeaders, IncomingMessage, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { hostOf, judgeSource, type SourceRules } from '@codelab/auth';
import { ApiError, DIALECT_NAMES, type DialectName, DIALECTS } from '@codelab/llm';
import type { RequestFacts, Route } from '../../core/serve/route.js';
import { BodyBudget } from './body-budget.js';
import { HttpAnswer } from './http-answer.js';
import { HttpExchange } from './http-exchange.js';
import { type BodyLimits, hasBody, readBody } from './read-body.js';
import { canonicalPath, type FoundRoute, RouteTable } from './route-table.js';
import type { Tracing } from '@codelab/tracing';
import { continueTrace } from '../../core/serve/trace.js';
import { RequestTrace, usageAttributes } from '../../core/tracing/request-trace.js';
import type { TokenJudge } from './token-judge.js';

export interface HttpApiOptions extends BodyLimits {
  readonly routes: readonly Route[];
  readonly judge: TokenJudge;
  readonly sources: SourceRules;
  /** Told of every socket that brought a good token. */
  readonly sockets: { admit(socket: Socket): void };
  readonly keepaliveMs: number;
  readonly watcher: RequestWatcher;
  /** Absent where tracing is off: callers' traces are only passed on. */
  readonly tracing?: Tracing;
}

/** Is told of every request, once, when its handler and its connection are done with it. What it is given doesn't change any more. */
export interface RequestWatcher {
  begun(): void;
  ended(request: EndedRequest): void;
  /** A failure that nobody foresaw. */
  fault(requestId: string, error: unknown): void;
}

export interface EndedRequest {
  readonly requestId: string;
  readonly traceId: string | undefined;
  readonly method: string;
  /** The path of the route; `unknown` for what is none: what callers write there is not ours to log. */
  readonly route: string;
  readonly status: number;
  readonly durationMs: number;
  readonly facts: RequestFacts;
}

/** What a caller is told whose request comes from elsewhere, and which setting helps. */
const FOREIGN = {
  host: 'this proxy is not known by the name in the Host header: list it in CODELAB_ALLOWED_HOSTS',
  origin: 'this origin may not ask here: list it in LLM_PROXY_ALLOWED_ORIGINS',
} as const;

/** Time to come back to another replica, or to this one after its restart. */
const DRAINING = new ApiError('unavailable', 'the proxy is about to stop: ask again in a moment', { retryAfterMs: 1_000 });

/** Our HTTP API on a raw server of Node's: who may come in, what was asked, and what became of it. */
export class HttpApi {
  private readonly routes: RouteTable;
  private readonly running = new Set<HttpAnswer>();
  private readonly bodies = new BodyBudget();
  private isDraining = false;
  private whenIdle: (() => void) | undefined;

  constructor(private readonly options: HttpApiOptions) {
    this.routes = new RouteTable(options.routes);
  }

  /** Takes a request if it is for us; else it is somebody else's. */
  take(request: IncomingMessage, response: ServerResponse): boolean {
    const query = request.url!.indexOf('?');
    const path = canonicalPath(query === -1 ? request.url! : request.url!.slice(0, query));
    if (path === undefined) return false;
    const { headers } = request;
    const answer = new HttpAnswer(request, response, {
      dialect: dialectOf(path, headers),
      requestId: requestIdOf(headers['x-request-id']),
      keepaliveMs: this.options.keepaliveMs,
      headers: this.corsHeaders(headers),
      arrivedMs: performance.now(),
    });
    if (this.isDraining) answer.endConnection();
    new Passage(this.options, this.routes, this.bodies, request, response, answer).go(path, (ended) => {
      this.running.delete(answer);
      this.options.watcher.ended(ended);
      if (this.running.size === 0) this.whenIdle?.();
    });
    this.running.add(answer);
    this.options.watcher.begun();
    return true;
  }

  /** Nobody connects any more. What comes by connections that stand is served, and each answer ends its connection: its caller goes elsewhere. */
  endConnections(): void {
    this.isDraining = true;
    for (const answer of this.running) answer.endConnection();
  }

  /** Waits for the requests that run; those that still do when `signal` aborts are broken off. */
  async finish(signal: AbortSignal): Promise<void> {
    if (this.running.size === 0) return;
    const idle = new Promise<void>((resolve) => (this.whenIdle = resolve));
    const breakOff = () => this.running.forEach((answer) => answer.fail(DRAINING));
    if (signal.aborted) breakOff();
    else signal.addEventListener('abort', breakOff, { once: true });
    await idle;
  }

  private corsHeaders({ origin }: IncomingHttpHeaders): Readonly<Record<string, string>> {
    if (origin === undefined || !this.options.sources.origins.includes(origin)) return NO_HEADERS;
    return { 'access-control-allow-origin': origin, 'access-control-expose-headers': '*', vary: 'origin' };
  }
}

const NO_HEADERS = {};

/** The way of one request from its head to its end. */
class Passage {
  private route = 'unknown';
  private exchange: HttpExchange | undefined;
  private letGo: (() => void) | undefined;
  private trace: RequestTrace | undefined;

  constructor(
    private readonly options: HttpApiOptions,
    private readonly routes: RouteTable,
    private readonly bodies: BodyBudget,
    private readonly request: IncomingMessage,
    private readonly response: ServerResponse,
    private readonly answer: HttpAnswer,
  ) {}

  go(path: string, onEnd: (ended: EndedRequest) => void): void {
    let waiting = 2;
    const step = (): void => {
      if (--waiting > 0) return;
      this.letGo?.();
      const ended = this.ended();
      this.trace?.end(toSpan(ended));
      onEnd(ended);
    };
    this.response.once('close', () => {
      if (!this.response.writableFinished) this.exchange?.leaving.abort();
      step();
    });
    this.serve(path)
      .catch((error: unknown) => this.fail(error))
      .finally(step);
  }

  private async serve(path: string): Promise<void> {
    const { request, response, answer, options } = this;
    const { headers } = request;
    answer.isBodyRead = !hasBody(request);
    const source = judgeSource({ host: hostOf(request), origin: headers.origin }, options.sources);
    if (source !== 'welcome') throw new ApiError('forbidden', FOREIGN[source]);
    if (isPreflight(request)) return answer.reply(204, undefined, preflightHeaders(headers));
    const judged = options.judge.judge(headers);
    const caller = judged instanceof Promise ? await judged : judged;
    options.sockets.admit(request.socket);
    const { route, params } = this.find(path);
    this.route = route.path;
    if (!caller.scopes.includes(route.scope)) {
      throw new ApiError('forbidden', `the token has no scope \`${route.scope}\`, which ${route.method} ${route.path} needs`);
    }
    const body = answer.isBodyRead ? '' : await readBody(request, options);
    answer.isBodyRead = true;
    this.letGo = this.bodies.hold(body);
    const { tracing } = options;
    this.trace = tracing && new RequestTrace(tracing, headers.traceparent);
    this.exchange = new HttpExchange(request, answer, caller, params, body, this.trace ?? continueTrace(headers.traceparent));
    if (response.destroyed) this.exchange.leaving.abort();
    await route.handle(this.exchange);
  }

  private find(path: string): FoundRoute {
    const found = this.routes.find(this.request.method!, path);
    if (found && 'route' in found) return found;
    if (found) throw new WrongMethod(found.allowed);
    throw new ApiError('not_found', `there is no such endpoint; docs/clients.md lists them`);
  }

  private fail(error: unknown): void {
    const { answer, options } = this;
    if (error instanceof WrongMethod) {
      const refusal = new ApiError('not_found', `this endpoint takes ${error.allowed.join(' and ')}`, { code: 'method_not_allowed' });
      return answer.fail(refusal, { status: 405, headers: { allow: error.allowed.join(', ') } });
    }
    answer.fail(error);
    if (answer.facts.error === 'fault') options.watcher.fault(answer.options.requestId, error);
  }

  private ended(): EndedRequest {
    const { answer, request } = this;
    return {
      requestId: answer.options.requestId,
      traceId: this.exchange?.trace.id,
      method: request.method!,
      route: this.route,
      status: answer.status,
      durationMs: performance.now() - answer.options.arrivedMs,
      facts: answer.facts,
    };
  }
}

/** What the trace of a request says; nothing in it is content. */
function toSpan({ method, route, status, facts }: EndedRequest): Parameters<RequestTrace['end']>[0] {
  const { dialect, upstream, model, usage, attempts, firstByteMs, sessionId, error } = facts;
  return {
    name: `${method} ${route}`,
    kind: 'server',
    attributes: {
      ...{ 'http.request.method': method, 'http.route': route, 'http.response.status_code': status },
      ...{ 'gen_ai.provider.name': upstream, 'gen_ai.request.model': model, 'gen_ai.conversation.id': sessionId },
      ...{ 'codelab.dialect': dialect, 'codelab.upstream.attempts': attempts, 'codelab.first_byte_ms': firstByteMs },
      ...usageAttributes(usage),
    },
    error: error ?? (status >= 500 ? String(status) : undefined),
  };
}

/** The path is one of ours, the method is not. */
class WrongMethod extends Error {
  constructor(readonly allowed: readonly string[]) {
    super('wrong method');
  }
}

/** By the endpoint, else by what the headers show: some endpoints answer in every dialect. */
function dialectOf(path: string, headers: IncomingHttpHeaders): DialectName {
  const isSpoken = (name: DialectName): boolean => path.startsWith(DIALECTS[name].path);
  const isShown = (name: DialectName): boolean => headers[DIALECTS[name].callerHeader ?? ''] !== undefined;
  return DIALECT_NAMES.find(isSpoken) ?? DIALECT_NAMES.find(isShown) ?? 'chat';
}

const isPreflight = ({ method, headers }: IncomingMessage): boolean =>
  method === 'OPTIONS' && headers.origin !== undefined && headers['access-control-request-method'] !== undefined;

const preflightHeaders = (headers: IncomingHttpHeaders): Readonly<Record<string, string>> => ({
  'access-control-allow-methods': 'GET, POST, DELETE',
  'access-control-allow-headers': headers['access-control-request-headers'] ?? '*',
  'access-control-max-age': '600',
});

/** What may come back in a header and stand in a log. */
const SANE = /^[\w.:/+=@-]{1,128}$/;

/** The caller's `x-request-id` where it is fit to be repeated, else a new one. */
const requestIdOf = (given: unknown): string => (typeof given === 'string' && SANE.test(given) ? given : `req_${randomUUID()}`);
