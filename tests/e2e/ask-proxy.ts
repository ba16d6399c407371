/** The parts of an answer that tests look at, in either form. */
export interface ChatAnswer {
  readonly status: number;
  readonly headers: Headers;
  /** The body of a JSON answer. */
  readonly body: ChatBody;
  /** The chunks of a stream, `[DONE]` left out. */
  readonly chunks: readonly ChatChunk[];
  /** All text of the stream. */
  readonly text: string;
  /** The stream ended with `[DONE]`. */
  readonly isDone: boolean;
}

interface WireCall {
  readonly id: string;
  readonly function: { readonly name: string; readonly arguments: string };
}

export interface ChatBody {
  readonly id: string;
  readonly choices: readonly {
    readonly message: { readonly role: string; readonly content: string | null; readonly tool_calls?: readonly WireCall[] };
    readonly finish_reason: string;
  }[];
  readonly usage: { readonly prompt_tokens: number; readonly completion_tokens: number };
  readonly error: { readonly message: string; readonly type: string; readonly param: string | null; readonly code: string | null };
  readonly [field: string]: unknown;
}

export interface ChatChunk {
  readonly choices: readonly {
    readonly delta: { readonly content?: string; readonly tool_calls?: readonly object[] };
    readonly finish_reason: string | null;
  }[];
  readonly codelab?: { readonly tool?: { readonly name: string; readonly state: string; readonly round: number }; readonly stop?: string };
}

/** How llm-proxy is asked. */
export interface AskOptions {
  readonly url: string;
  readonly token: string;
  readonly signal?: AbortSignal;
  readonly headers?: Readonly<Record<string, string>>;
}

/** Any request to llm-proxy; the body goes as JSON. */
export const askProxy = (method: string, path: string, { url, token, signal, headers }: AskOptions, body?: object): Promise<Response> =>
  fetch(url + path, {
    method,
    headers: { authorization: `Bearer ${token}`, ...(body && { 'content-type': 'application/json' }), ...headers },
    ...(body && { body: JSON.stringify(body) }),
    ...(signal && { signal }),
  });

const NO_BODY = {} as ChatBody;

/** A request to `/v1/chat/completions`; `onChunk` hears the chunks of a stream as they come. */
export async function askChat(body: object, options: AskOptions, onChunk?: (chunk: ChatChunk) => void): Promise<ChatAnswer> {
  const response = await askProxy('POST', '/v1/chat/completions', options, { model: 'gpt-test', ...body });
  const { status, headers } = response;
  if (!headers.get('content-type')?.startsWith('text/event-stream')) {
    return { status, headers, body: (await response.json()) as ChatBody, chunks: [], text: '', isDone: false };
  }
  const chunks: ChatChunk[] = [];
  let isDone = false;
  let rest = '';
  for await (const piece of response.body!.pipeThrough(new TextDecoderStream())) {
    const events = (rest + piece).split('\n\n');
    rest = events.pop() ?? '';
    for (const event of events) {
      if (!event.startsWith('data: ')) continue;
      if (event === 'data: [DONE]') {
        isDone = true;
        continue;
      }
      const chunk = JSON.parse(event.slice('data: '.length)) as ChatChunk;
      chunks.push(chunk);
      onChunk?.(chunk);
    }
  }
  const text = chunks.map(({ choices }) => choices[0]?.delta.content ?? '').join('');
  return { status, headers, body: NO_BODY, chunks, text, isDone };
}
