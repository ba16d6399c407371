import { once } from 'node:events';
import { createServer, type IncomingHttpHeaders, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';

/** One tool call of a reply. `arguments` is JSON text. */
export interface ScriptedCall {
  readonly id: string;
  readonly name: string;
  readonly arguments: string;
}

/** What the provider answers to one request. Everything is optional: `{}` is an empty answer that ends well. */
export interface Reply {
  /** Streamed in pieces of `pieceCharacters`. */
  readonly text?: string;
  readonly pieceCharacters?: number;
  readonly toolCalls?: readonly ScriptedCall[];
  readonly usage?: { readonly prompt_tokens: number; readonly completion_tokens: number; readonly [field: string]: unknown };
  /** Default: `tool_calls` or `stop`. `null`: the stream ends without one. */
  readonly finishReason?: string | null;
  /** The whole stream instead of all above: an object is one event, a text or bytes go out as they are. */
  readonly chunks?: readonly (object | string | Uint8Array)[];
  /** Default 200. With another status `body` is the answer, JSON unless it is a text. */
  readonly status?: number;
  readonly headers?: Readonly<Record<string, string>>;
  /** Answers with this instead of a stream, whatever the status. */
  readonly body?: object | string;
  /** Between two chunks. Default 0. */
  readonly delayMs?: number;
  /** Breaks the connection after so many chunks; 0: before the headers. */
  readonly cutAfterChunks?: number;
  /** Waits for this before chunk number `holdAfterChunks` (default 0: before the headers). */
  readonly hold?: Promise<unknown>;
  readonly holdAfterChunks?: number;
}

/** A request that came in, and what became of it. */
export interface RecordedRequest {
  /** Counts from 0. */
  readonly n: number;
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
  /** When the client left, by `performance.now()`. */
  readonly hungUpAtMs: number | undefined;
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
  readonly requests: readonly RecordedRequest[];
  /** Resolves with request number `n`, at once if it came already. */
  request(n: number): Promise<RecordedRequest>;
  /** Ends every connection and the server. */
  close(): Promise<void>;
}

type Writable<T> = { -readonly [K in keyof T]: T[K] };

/** A real HTTP server that speaks OpenAI chat completions over SSE, answers by a script, and records what it got. */
export async function startScriptedProvider(options: { readonly script: Script; readonly port?: number }): Promise<ScriptedProvider> {
  const requests: RecordedRequest[] = [];
  const waiting = new Map<number, (request: RecordedRequest) => void>();
  const closing = new AbortController();
  const server = createServer((incoming, response) => {
    void serve(incoming, response).catch(() => response.destroy()); // the client left, or close() was called
  });

  const serve = async (incoming: IncomingMessage, response: ServerResponse): Promise<void> => {
    const text = Buffer.concat(await incoming.toArray()).toString('utf8');
    if (!incoming.url?.endsWith('/chat/completions')) return void response.writeHead(404).end('{"error":{"message":"no such endpoint"}}');
    const { request, left, cut } = record(requests.length, incoming, response, text);
    requests.push(request);
    waiting.get(request.n)?.(request);
    const reply = await options.script(request, request.n);
    await answer(response, reply, { signal: AbortSignal.any([closing.signal, left]), cut });
  };

  server.listen(options.port ?? 0, '127.0.0.1');
  await once(server, 'listening');
  return {
    baseUrl: `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`,
    requests,
    request: async (n) => requests[n] ?? new Promise((resolve) => waiting.set(n, resolve)),
    close: () => close(server, closing),
  };
}

async function close(server: Server, closing: AbortController): Promise<void> {
  closing.abort();
  server.closeAllConnections();
  server.close();
  if (server.listening) await once(server, 'close');
}

/** The record of a request, a signal for its end, and a way to break its connection ourselves. */
function record(n: number, incoming: IncomingMessage, response: ServerResponse, text: string) {
  const left = new AbortController();
  let isCut = false;
  const ended = new Promise<'answered' | 'cut' | 'hung_up'>((resolve) => {
    response.once('close', () => {
      const how = response.writableFinished ? 'answered' : isCut ? 'cut' : 'hung_up';
      if (how === 'hung_up') request.hungUpAtMs = performance.now();
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
    hungUpAtMs: undefined,
  };
  const cut = () => {
    isCut = true;
    response.destroy();
  };
  return { request, left: left.signal, cut };
}

async function answer(response: ServerResponse, reply: Reply, { signal, cut }: { signal: AbortSignal; cut: () => void }): Promise<void> {
  const chunks = reply.chunks ?? toChunks(reply);
  const holdAt = reply.hold ? (reply.holdAfterChunks ?? 0) : -1;
  if (holdAt === 0) await until(reply.hold, signal);
  if (reply.cutAfterChunks === 0) return cut();
  const isStream = reply.body === undefined && (reply.status ?? 200) === 200;
  response.writeHead(reply.status ?? 200, { 'content-type': isStream ? 'text/event-stream' : 'application/json', ...reply.headers });
  if (!isStream) return void response.end(typeof reply.body === 'string' ? reply.body : JSON.stringify(reply.body ?? {}));
  response.flushHeaders();
  for (const [index, chunk] of chunks.entries()) {
    if (index > 0 && index === holdAt) await until(reply.hold, signal);
    if (index === reply.cutAfterChunks) break;
    if (index > 0 && reply.delayMs) await delay(reply.delayMs, undefined, { signal });
    if (signal.aborted) return;
    const written = typeof chunk === 'string' || chunk instanceof Uint8Array ? chunk : `data: ${JSON.stringify(chunk)}\n\n`;
    await new Promise<void>((resolve) => response.write(written, () => resolve()));
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

function toChunks(reply: Reply): (object | string)[] {
  const { text = '', pieceCharacters = 8, toolCalls = [], usage, finishReason } = reply;
  const pieces = Array.from({ length: Math.ceil(text.length / pieceCharacters) }, (_, i) =>
    text.slice(i * pieceCharacters, (i + 1) * pieceCharacters),
  );
  const deltas: object[] = [
    { role: 'assistant', content: '' },
    ...pieces.map((content) => ({ content })),
    ...toolCalls.flatMap((call, index) => [
      { tool_calls: [{ index, id: call.id, type: 'function', function: { name: call.name, arguments: '' } }] },
      { tool_calls: [{ index, function: { arguments: call.arguments } }] },
    ]),
  ];
  const finish = finishReason === undefined ? (toolCalls.length > 0 ? 'tool_calls' : 'stop') : finishReason;
  const chunk = (choices: object[], more: object = {}) => ({
    id: 'chatcmpl-1',
    object: 'chat.completion.chunk',
    created: 1,
    model: 'scripted',
    choices,
    ...more,
  });
  return [
    ...deltas.map((delta) => chunk([{ index: 0, delta, finish_reason: null }])),
    ...(finish === null ? [] : [chunk([{ index: 0, delta: {}, finish_reason: finish }])]),
    ...(usage ? [chunk([], { usage })] : []),
    ...(finish === null ? [] : ['data: [DONE]\n\n']),
  ];
}
