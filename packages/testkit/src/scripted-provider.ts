import { once } from 'node:events';
import { createServer, type IncomingHttpHeaders, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';
import { renderReply, toWritten, type Endpoint } from './scripted-provider-render.js';
import type { Reply } from './scripted-provider-reply.js';

/** A request that came in, and what became of it. */
export interface RecordedRequest {
  /** Counts from 0. */
  readonly n: number;
  /** With the query. */
  readonly path: string;
  /** The client's: the same for requests of one connection. */
  readonly port: number | undefined;
  readonly headers: IncomingHttpHeaders;
  /** The body to the letter. */
  readonly text: string;
  /** The body as JSON. */
  readonly body: ChatRequest;
  /** How it ended; pending while it is answered. `hung_up`: the client left before the end of the answer. */
  readonly ended: Promise<'answered' | 'cut' | 'hung_up'>;
}

/** What a script looks at most. */
export interface ChatRequest {
  readonly model: string;
  readonly messages: readonly { readonly role: string; readonly content?: unknown; readonly [field: string]: unknown }[];
  readonly tools?: readonly { readonly function: { readonly name: string } }[];
  readonly [field: string]: unknown;
}

export type Script = (request: RecordedRequest, n: number) => Reply | Promise<Reply>;

export interface ScriptedProvider {
  /** For `OPENAI_BASE_URL`: ends in `/v1`. */
  readonly baseUrl: string;
  /** For `ANTHROPIC_BASE_URL`: the same without `/v1`. */
  readonly origin: string;
  readonly requests: readonly RecordedRequest[];
  /** Resolves with request number `n`, at once if it came already. */
  request(n: number): Promise<RecordedRequest>;
  /** Ends every connection and the server. */
  close(): Promise<void>;
}

type Writable<T> = { -readonly [K in keyof T]: T[K] };

/** The name of the one model that `GET /v1/models` lists. */
const MODEL = 'scripted';

/**
 * A real HTTP server that plays a model provider: it answers by a script, and records what it was asked.
 *
 * `/v1/chat/completions` and `/v1/messages` answer with a stream, or in one piece where the request has no `stream: true`.
 * `/v1/messages/count_tokens` answers the `prompt_tokens` of a reply's usage, and 404 without. `/v1/responses` and `/v1/embeddings` answer 404
 * unless the reply has `chunks` or a `body`. `GET /v1/models` answers in the dialect of the request, without script and record.
 */
export async function startScriptedProvider(options: {
  readonly script: Script;
  readonly port?: number;
  /** Requests are shown to the script alone: `requests` stays empty. For runs that have no end. */
  readonly forgets?: boolean;
}): Promise<ScriptedProvider> {
  const requests: RecordedRequest[] = [];
  let count = 0;
  const waiting = new Map<number, (request: RecordedRequest) => void>();
  const closing = new AbortController();
  const server = createServer((incoming, response) => {
    void serve(incoming, response).catch(() => response.destroy()); // the client left, or close() was called
  });

  const serve = async (incoming: IncomingMessage, response: ServerResponse): Promise<void> => {
    const text = Buffer.concat(await incoming.toArray()).toString('utf8');
    const endpoint = toEndpoint(incoming);
    if (endpoint === 'models') return listModels(incoming, response);
    if (endpoint === undefined) return notFound(response);
    const { request, left, cut } = record(count, incoming, response, text);
    count += 1;
    if (options.forgets !== true) requests.push(request);
    waiting.get(request.n)?.(request);
    const reply = await options.script(request, request.n);
    await answer(response, reply, { endpoint, request, signal: AbortSignal.any([closing.signal, left]), cut });
  };

  server.listen(options.port ?? 0, '127.0.0.1');
  await once(server, 'listening');
  const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return {
    baseUrl: `${origin}/v1`,
    origin,
    requests,
    request: async (n) => requests[n] ?? new Promise((resolve) => waiting.set(n, resolve)),
    close: () => close(server, closing),
  };
}

async function close(server: Server, closing: AbortController): Promise<void> {
  closing.abort();
  if (!server.listening) return;
  const closed = once(server, 'close');
  server.close();
  server.closeAllConnections();
  await closed;
}

/** The record of a request, a signal for its end, and a way to break its connection ourselves. */
function record(n: number, incoming: IncomingMessage, response: ServerResponse, text: string) {
  const left = new AbortController();
  let isCut = false;
  const ended = new Promise<'answered' | 'cut' | 'hung_up'>((resolve) => {
    response.once('close', () => {
      const how = response.writableFinished ? 'answered' : isCut ? 'cut' : 'hung_up';
      left.abort();
      resolve(how);
    });
  });
  const request: Writable<RecordedRequest> = {
    n,
    path: incoming.url ?? '',
    port: incoming.socket.remotePort,
    headers: incoming.headers,
    text,
    body: JSON.parse(text) as ChatRequest,
    ended,
  };
  const cut = () => {
    isCut = true;
    response.destroy();
  };
  return { request, left: left.signal, cut };
}

function toEndpoint({ url = '', method }: IncomingMessage): Endpoint | 'models' | undefined {
  const path = url.split('?')[0]!;
  if (method === 'GET') return path.endsWith('/models') ? 'models' : undefined;
  if (path.endsWith('/chat/completions')) return 'chat';
  if (path.endsWith('/messages')) return 'messages';
  if (path.endsWith('/messages/count_tokens')) return 'count_tokens';
  if (path.endsWith('/embeddings')) return 'embeddings';
  return path.endsWith('/responses') ? 'responses' : undefined;
}

function notFound(response: ServerResponse): void {
  response.writeHead(404, JSON_HEADERS).end('{"error":{"message":"no such endpoint"}}');
}

const JSON_HEADERS = { 'content-type': 'application/json' };

function listModels({ headers }: IncomingMessage, response: ServerResponse): void {
  const forAnthropic = { data: [{ type: 'model', id: MODEL, display_name: MODEL, created_at: '2026-01-01T00:00:00Z' }], has_more: false };
  const forOpenAi = { object: 'list', data: [{ id: MODEL, object: 'model', created: 1, owned_by: 'test' }] };
  response.writeHead(200, JSON_HEADERS).end(JSON.stringify('anthropic-version' in headers ? forAnthropic : forOpenAi));
}

interface Answering {
  readonly endpoint: Endpoint;
  readonly request: RecordedRequest;
  readonly signal: AbortSignal;
  readonly cut: () => void;
}

async function answer(response: ServerResponse, reply: Reply, { endpoint, request, signal, cut }: Answering): Promise<void> {
  const holdAt = reply.hold ? (reply.holdAfterChunks ?? 0) : -1;
  if (holdAt === 0) await until(reply.hold, signal);
  if (reply.cutAfterChunks === 0) return cut();
  const rendered = renderReply(reply, endpoint, request.body.stream === true);
  if (rendered === undefined) return notFound(response);
  response.writeHead(reply.status ?? 200, {
    'content-type': rendered.isStream ? 'text/event-stream' : 'application/json',
    ...reply.headers,
  });
  response.flushHeaders();
  for (const [index, chunk] of rendered.chunks.entries()) {
    if (index > 0 && index === holdAt) await until(reply.hold, signal);
    if (index === reply.cutAfterChunks) break;
    if (index > 0 && reply.delayMs) await delay(reply.delayMs, undefined, { signal });
    if (signal.aborted) return;
    await new Promise<void>((resolve) => response.write(toWritten(chunk, endpoint), () => resolve()));
  }
  if (reply.cutAfterChunks === undefined) response.end();
  else cut();
}

/** Waits for `hold`, or throws when nobody waits for the answer any more. */
async function until(hold: Promise<unknown> | undefined, signal: AbortSignal): Promise<void> {
  const gone = new AbortController();
  const aborted = once(signal, 'abort', { signal: gone.signal }).catch(() => undefined);
  if (!signal.aborted) await Promise.race([hold, aborted]);
  gone.abort();
  signal.throwIfAborted();
}
