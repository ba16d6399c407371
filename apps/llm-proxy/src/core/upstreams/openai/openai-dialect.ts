import { chat, type Quirks } from '@codelab/llm';
import type { HttpDialect } from '../transport/http-upstream.js';

/** Serves `/responses` without being told so. */
const RESPONSES_HOST = 'api.openai.com';

/** Whether requests in the Responses dialect are relayed. */
export const servesResponses = (baseUrl: string, quirks: Quirks): boolean =>
  quirks.responses ?? new URL(baseUrl).hostname === RESPONSES_HOST;

/** OpenAI's Chat Completions, and whoever speaks it: Ollama, vLLM, LM Studio, OpenRouter and others. The base URL ends in its version. */
export function openAiDialect(upstreamQuirks: Quirks): HttpDialect {
  return {
    codec: chat,
    decodeError: chat.decodeError,
    path: '/chat/completions',
    headers: {},
    models: { path: '/models' },
    encode: (request, { entry }) => {
      const quirks = { ...upstreamQuirks, ...entry?.quirks };
      const { body, names, onlyFirstCall, unenforced } = chat.encodeRequest(request, { quirks });
      return { body, names, onlyFirstCall, notes: unenforced };
    },
    relayPath: ({ dialect }) => (dialect === 'responses' ? '/responses' : dialect === 'chat' ? '/chat/completions' : undefined),
  };
}
