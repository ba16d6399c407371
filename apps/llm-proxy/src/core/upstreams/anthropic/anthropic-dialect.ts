import { messages, placeCacheMarks, type ModelRequest, type Quirks } from '@codelab/llm';
import type { EncodedAsk, HttpDialect } from '../transport/http-upstream.js';
import type { AskUpstream } from '../upstream.js';

/** What is spoken where the caller doesn't say. */
export const ANTHROPIC_VERSION = '2023-06-01';

/** Anthropic's Messages, and whoever speaks it. */
export function anthropicDialect(upstreamQuirks: Quirks, baseUrl: string): HttpDialect {
  // many write the base with the version, as the other vendor wants it
  const path = /\/v1\/*$/.test(new URL(baseUrl).pathname) ? '/messages' : '/v1/messages';
  return {
    codec: messages,
    decodeError: messages.decodeError,
    path,
    headers: { 'anthropic-version': ANTHROPIC_VERSION },
    models: { path: path.replace(/messages$/, 'models'), query: 'limit=1000' },
    encode: (request, ask) => encode(request, ask, upstreamQuirks),
    relayPath: ({ dialect, endpoint }) => {
      if (dialect !== 'messages') return undefined;
      return endpoint === 'count_tokens' ? `${path}/count_tokens` : path;
    },
  };
}

function encode(request: ModelRequest, { entry, placeCacheMarks: place = false }: AskUpstream, quirks: Quirks): EncodedAsk {
  const maxOutputTokens = entry?.max_output_tokens;
  const { body, names, notes } = messages.encodeRequest(place ? placeCacheMarks(request) : request, {
    quirks: { ...quirks, ...entry?.quirks },
    ...(maxOutputTokens !== undefined && { maxOutputTokens }),
  });
  return { body, names, notes };
}
