/** One tool call of a reply. `arguments` is JSON text. */
export interface ScriptedCall {
  readonly id: string;
  readonly name: string;
  readonly arguments: string;
}

/**
 * What the provider answers to one request, in no dialect's words: it is written in that of the endpoint which was asked. Everything is
 * optional: `{}` is an empty answer that ends well.
 */
export interface Reply {
  /** Of the answer; LangGraph takes an answer with a known id for a new version of it. Default: the same for all. */
  readonly id?: string;
  /** Comes before the text. */
  readonly thinking?: string;
  /** Of the thought; only `/messages` has one. */
  readonly thinkingSignature?: string;
  /** Streamed in pieces of `pieceCharacters` (default 8), as are thoughts and, if it is given, arguments. */
  readonly text?: string;
  readonly pieceCharacters?: number;
  readonly toolCalls?: readonly ScriptedCall[];
  /** `prompt_tokens` is all input; `/messages` takes `prompt_tokens_details.cached_tokens` out of it. `/messages/count_tokens` answers it. */
  readonly usage?: { readonly prompt_tokens: number; readonly completion_tokens: number; readonly [field: string]: unknown };
  /** In the words of chat completions; another one goes out as it is. Default: `tool_calls` or `stop`. `null`: the stream ends without one. */
  readonly finishReason?: string | null;
  /** The whole stream instead of all above: an object is one event (named by its `type`, but for chat), a text or bytes go out as they are. */
  readonly chunks?: readonly (object | string | Uint8Array)[];
  /** Default 200. With another status `body` is the answer, JSON unless it is a text. */
  readonly status?: number;
  readonly headers?: Readonly<Record<string, string>>;
  /** Answers with this instead of a stream, whatever the status. */
  readonly body?: object | string;
  /** Between two chunks. Default 0. */
  readonly delayMs?: number;
  /** Breaks the connection after so many chunks; 0: before the headers. An answer that is no stream comes in two chunks. */
  readonly cutAfterChunks?: number;
  /** Waits for this before chunk number `holdAfterChunks` (default 0: before the headers). */
  readonly hold?: Promise<unknown>;
  readonly holdAfterChunks?: number;
}

/** `text` in pieces of so many characters; default: one piece. */
export function toPieces(text: string, characters = Math.max(1, text.length)): string[] {
  return Array.from({ length: Math.ceil(text.length / characters) }, (_, i) => text.slice(i * characters, (i + 1) * characters));
}
