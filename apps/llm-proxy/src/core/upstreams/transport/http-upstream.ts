import { chat, LlmError, type ModelRequest, type Quirks, type StreamPart, type ToolNames } from '@codelab/llm';
import type { Dialect } from '../../dialect.js';
import { readModelList } from '../read-model-list.js';
import { readWhole } from '../read-whole.js';
import type { AskUpstream, Leaving, RelayCall, RelayedAnswer, Upstream } from '../upstream.js';
import { readAnswer, readSome, type AnswerCodec } from './read-answer.js';
import type { SettingNames } from './to-llm-error.js';
import type { Post, Transport } from './transport.js';
import type { UpstreamAnswer } from './upstream-request.js';
import { writeBody, type WireBody } from './write-body.js';

/** 64 KiB: more of a refusal says no more. */
const MAX_REFUSAL_BYTES = 64 * 1024;

/** 4 MiB: the longest list of models that is read. */
const MAX_LIST_BYTES = 4 * 1024 * 1024;

/** How a dialect names a refusal: `decodeError` of a namespace of `@codelab/llm`. */
export type DecodeError = (refusal: { status: number; headers: UpstreamAnswer['headers']; body: string; request: string }) => LlmError;

/** A canonical request in the words of a dialect. */
export interface EncodedAsk {
  readonly body: WireBody;
  readonly names: ToolNames;
  /** What the server can't be told, for log and header. */
  readonly notes: readonly string[];
  /** The server can't be told that only one call is wanted: the others are left out of the answer. */
  readonly onlyFirstCall?: boolean;
}

/** What is special about the servers of one dialect. */
export interface HttpDialect {
  readonly codec: AnswerCodec;
  readonly decodeError: DecodeError;
  encode(request: ModelRequest, ask: AskUpstream): EncodedAsk;
  /** Where a canonical request is sent. */
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  /** Where the models are listed. */
  readonly models: { readonly path: string; readonly query?: string };
  /** Where a relayed request is sent; `undefined`: such requests are not relayed. */
  relayPath(call: Pick<RelayCall, 'dialect' | 'endpoint'>): string | undefined;
}

export interface HttpUpstreamOptions {
  readonly name: string;
  readonly quirks: Quirks;
  readonly dialects: ReadonlySet<Dialect>;
  readonly settings: SettingNames;
  readonly transport: Transport;
  readonly dialect: HttpDialect;
}

/** A model provider that is reached by HTTP. Each request is asked once. */
export class HttpUpstream implements Upstream {
  readonly name: string;
  readonly quirks: Quirks;
  readonly dialects: ReadonlySet<Dialect>;
  private readonly options: HttpUpstreamOptions;

  constructor(options: HttpUpstreamOptions) {
    this.options = options;
    ({ name: this.name, quirks: this.quirks, dialects: this.dialects } = options);
  }

  async *stream(request: ModelRequest, ask: AskUpstream): AsyncGenerator<StreamPart, void, undefined> {
    const { dialect, settings } = this.options;
    const { signal, traceparent, onNotes, inOnePiece = false } = ask;
    const { body, names, notes, onlyFirstCall = false } = dialect.encode(request, ask);
    if (notes.length > 0) onNotes?.(notes);
    const headers = {
      ...dialect.headers,
      accept: inOnePiece ? 'application/json' : 'text/event-stream, application/json',
      ...(traceparent !== undefined && { traceparent }),
    };
    const text = await writeBody(inOnePiece ? toOnePiece(body) : body, signal);
    const answer = await this.post({ path: dialect.path, headers, body: text, signal, inOnePiece });
    const parts = readAnswer(answer, { codec: dialect.codec, names, settings, inOnePiece });
    yield* onlyFirstCall ? chat.keepFirstCall(parts) : parts;
  }

  async relay(call: RelayCall): Promise<RelayedAnswer> {
    const path = this.options.dialect.relayPath(call);
    if (path === undefined) throw new LlmError('not_found', `The upstream "${this.name}" has no such endpoint.`);
    const { body, query, signal, stream } = call;
    const accept = stream ? 'text/event-stream' : 'application/json';
    const headers = { accept, ...this.options.dialect.headers, ...call.headers };
    const inOnePiece = !stream && call.endpoint !== 'count_tokens';
    const post: Post = { path, headers, body, signal, inOnePiece, watchBytes: true };
    return this.post(query === undefined ? post : { ...post, query });
  }

  async listModels(signal: Leaving): Promise<readonly string[]> {
    const { path, query } = this.options.dialect.models;
    const headers = { accept: 'application/json', ...this.options.dialect.headers };
    const answer = await this.post({ path, headers, signal, inOnePiece: true, ...(query !== undefined && { query }) });
    return readModelList((await readWhole(answer, MAX_LIST_BYTES)).toString('utf8'));
  }

  close(): Promise<void> {
    return this.options.transport.close();
  }

  private async post(post: Post): Promise<UpstreamAnswer> {
    const answer = await this.options.transport.post(post);
    const { status, headers } = answer;
    if (status >= 200 && status < 300) return answer;
    const body = await readSome(answer.body, MAX_REFUSAL_BYTES);
    throw this.named(this.options.dialect.decodeError({ status, headers, body, request: post.body?.toString() ?? '' }), status);
  }

  /** What an operator must look at has another name for each upstream. */
  private named(error: LlmError, status: number): LlmError {
    const { apiKey, baseUrl } = this.options.settings;
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
