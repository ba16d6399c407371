import { toChatAnswer, toChatChunks } from './scripted-provider-chat.js';
import { toMessageAnswer, toMessageEvents } from './scripted-provider-messages.js';
import type { Reply } from './scripted-provider-reply.js';

/** Where a request came in. */
export type Endpoint = 'chat' | 'messages' | 'responses' | 'count_tokens' | 'embeddings';

type Chunk = object | string | Uint8Array;

/** The body of an answer, in the pieces in which it is written. */
export interface Rendered {
  readonly isStream: boolean;
  readonly chunks: readonly Chunk[];
}

/** What a reply becomes at an endpoint; nothing where the endpoint has no words for it. */
export function renderReply(reply: Reply, endpoint: Endpoint, asksForStream: boolean): Rendered | undefined {
  if (reply.body !== undefined || (reply.status ?? 200) !== 200) return inHalves(reply.body ?? {});
  if (reply.chunks !== undefined) return { isStream: true, chunks: reply.chunks };
  switch (endpoint) {
    case 'chat':
      return asksForStream ? { isStream: true, chunks: toChatChunks(reply) } : inHalves(toChatAnswer(reply));
    case 'messages':
      return asksForStream ? { isStream: true, chunks: toMessageEvents(reply) } : inHalves(toMessageAnswer(reply));
    case 'count_tokens':
      return reply.usage && inHalves({ input_tokens: reply.usage.prompt_tokens });
    case 'responses':
    case 'embeddings':
      return undefined;
  }
}

/** An answer in one piece, so that it can be held or cut in its middle. */
function inHalves(body: object | string): Rendered {
  const text = typeof body === 'string' ? body : JSON.stringify(body);
  return { isStream: false, chunks: [text.slice(0, text.length >> 1), text.slice(text.length >> 1)] };
}

/** The bytes of one chunk. */
export function toWritten(chunk: Chunk, endpoint: Endpoint): string | Uint8Array {
  if (typeof chunk === 'string' || chunk instanceof Uint8Array) return chunk;
  const name = endpoint !== 'chat' && 'type' in chunk ? `event: ${String(chunk.type)}\n` : '';
  return `${name}data: ${JSON.stringify(chunk)}\n\n`;
}
