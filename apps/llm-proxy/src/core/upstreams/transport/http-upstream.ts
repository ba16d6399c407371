import { keepFirstCall, LlmError, type DialectName, type ModelRequest, type Quirks, type StreamPart } from '@codelab/llm';
import { readModelList } from '../read-model-list.js';
import { readWhole } from '../read-whole.js';
import type { AskUpstream, Leaving, RelayCall, RelayedAnswer, Upstream, UpstreamModel } from '../upstream.js';
import type { Endpoints, ServerConfig, ServerType } from '../upstream-type.js';
import { readAnswer, readSome } from './read-answer.js';
import type { SettingNames } from './to-llm-error.js';
import { Transport, type Post, type ProxySettings } from './transport.js';
import type { UpstreamAnswer } from './upstream-request.js';
import { writeBody, type WireBody } from './write-body.js';

/** 64 KiB: more of a refusal says no more. */
const MAX_REFUSAL_BYTES = 64 * 1024;

/** 4 MiB: the longest list of models that is read. */
const MAX_LIST_BYTES = 4 * 1024 * 1024;

/** Where a request stands in a trace (W3C trace context). */
const TRACE_HEADERS = ['traceparent', 'tracestate'];

/** A model provider that is reached by HTTP. Each request is asked once. */
export class HttpUpstream implements Upstream {
  readonly name: string;
  readonly quirks: Quirks;
  readonly dialects: ReadonlySet<DialectName>;
  readonly embeddings?: 'relayed';
  private readonly endpoints: Endpoints;
  private readonly settings: SettingNames;
  private readonly transport: Transport;
  private readonly hidesTrace: boolean;

  constructor(
    type: ServerType,
    { name, baseUrl, apiKey, timeouts, quirks, settings, hidesTrace = false }: ServerConfig,
    proxy?: ProxySettings,
  ) {
    this.name = name;
    this.quirks = quirks;
    this.settings = settings;
    this.hidesTrace = hidesTrace;
    this.endpoints = type.endpoints(baseUrl, quirks);
    this.dialects = new Set(this.endpoints.paths.keys());
    if (this.endpoints.embeddings !== undefined) this.embeddings = 'relayed';
    const keyHeader = apiKey === undefined ? undefined : type.keyHeader(apiKey);
    const headers = { 'user-agent': 'codelab', ...keyHeader };
    this.transport = new Transport({ baseUrl, timeouts, settings, headers, proxy });
  }

  async *stream(request: ModelRequest, ask: AskUpstream): AsyncGenerator<StreamPart, void, undefined> {
    const { codec, paths, headers: own } = this.endpoints;
    const { signal, traceparent, onNotes, inOnePiece = false, entry, growth } = ask;
    const quirks = entry?.quirks ? { ...this.quirks, ...entry.quirks } : this.quirks;
    const encoded = codec.encodeRequest(request, { quirks, maxOutputTokens: entry?.max_output_tokens, growth });
    const { body, names, notes, onlyFirstCall = false } = encoded;
    if (notes.length > 0) onNotes?.(notes);
    const headers: Record<string, string> = { ...own, accept: inOnePiece ? 'application/json' : 'text/event-stream, application/json' };
    if (traceparent !== undefined && !this.hidesTrace) headers.traceparent = traceparent;
    const text = await writeBody(inOnePiece ? toOnePiece(body) : body, signal);
    const [path = ''] = paths.values();
    const answer = await this.post({ path, headers, body: text, signal, inOnePiece });
    const parts = readAnswer(answer, { codec, names, settings: this.settings, inOnePiece });
    for await (const part of onlyFirstCall ? keepFirstCall(parts) : parts) yield part; // yield* would wait for each
  }

  async relay(call: RelayCall): Promise<RelayedAnswer> {
    const { dialect, endpoint, body, query, signal, stream } = call;
    const path = endpoint === 'embeddings' ? this.endpoints.embeddings : this.endpoints.paths.get(dialect);
    if (path === undefined) throw new LlmError('not_found', `The upstream "${this.name}" has no such endpoint.`);
    const counts = endpoint === 'count_tokens';
    const headers: Record<string, string> = {
      accept: stream ? 'text/event-stream' : 'application/json',
      ...this.endpoints.headers,
      ...call.headers,
    };
    if (this.hidesTrace) for (const name of TRACE_HEADERS) delete headers[name];
    return this.post({
      path: counts ? `${path}/count_tokens` : path,
      ...{ query, headers, body, signal, inOnePiece: !stream && !counts, watchBytes: true },
    });
  }

  async listModels(signal: Leaving): Promise<readonly UpstreamModel[]> {
    const { models, headers: own } = this.endpoints;
    const answer = await this.post({ ...models, headers: { accept: 'application/json', ...own }, signal, inOnePiece: true });
    return readModelList((await readWhole(answer, MAX_LIST_BYTES)).toString('utf8'));
  }

  close(): Promise<void> {
    return this.transport.close();
  }

  private async post(post: Post): Promise<UpstreamAnswer> {
    const answer = await this.transport.post(post);
    const { status, headers } = answer;
    if (status >= 200 && status < 300) return answer;
    const body = await readSome(answer.body, MAX_REFUSAL_BYTES);
    throw this.named(this.endpoints.codec.decodeError({ status, headers, body, request: post.body?.toString() ?? '' }), status);
  }

  /** What an operator must look at has another name for each upstream. */
  private named(error: LlmError, status: number): LlmError {
    const { apiKey, baseUrl } = this.settings;
    if (error.code !== 'unauthorized' && error.code !== 'not_found') return error;
    const what =
      error.code === 'unauthorized'
        ? `The model provider refused the API key or its rights; check ${apiKey}`
        : `The model provider knows no such model or endpoint; check the model name and ${baseUrl}`;
    return new LlmError(error.code, `${what} (HTTP ${status}).`, error);
  }
}

/** The same request for an answer in one piece. */
function toOnePiece(body: WireBody): WireBody {
  const { stream_options: _forStreams, ...rest } = body as WireBody & { readonly stream_options?: unknown };
  return { ...rest, stream: false } as WireBody;
}
