import { chat } from '@codelab/llm';
import type { ServerType } from '../upstream-type.js';

/** Serves `/responses` without being told so. */
const RESPONSES_HOST = 'api.openai.com';

/** OpenAI's own hosts, or Azure's of the same models: other servers speak the dialect, and serve models of any name. */
const OWN_HOSTS = /(?:^|\.)openai\.(?:com|azure\.com)$|\.cognitiveservices\.azure\.com$/i;

/** OpenAI, and whoever speaks its dialects: Ollama, vLLM, LM Studio, OpenRouter and others. The base URL ends in its version. */
export const openai: ServerType = {
  vendor: { baseUrl: 'https://api.openai.com/v1', settings: { baseUrl: 'OPENAI_BASE_URL', apiKey: 'OPENAI_API_KEY' } },
  remedy: 'OPENAI_API_KEY, or OPENAI_BASE_URL for an OpenAI-compatible server',
  // OpenAI takes ids of 40 characters, Mistral such of nine; other servers take back what they gave, and some give longer ones (vLLM)
  usualQuirks: (hostname) => (OWN_HOSTS.test(hostname) ? {} : { tool_call_ids: hostname === 'api.mistral.ai' ? 'alphanumeric9' : 'any' }),
  takesAnyName: (hostname) => !OWN_HOSTS.test(hostname),
  keyHeader: (apiKey) => ({ authorization: `Bearer ${apiKey}` }),
  endpoints: (baseUrl, quirks) => {
    const servesResponses = quirks.responses ?? new URL(baseUrl).hostname === RESPONSES_HOST;
    return {
      codec: chat.upstream,
      paths: new Map([['chat', '/chat/completions'], ...(servesResponses ? ([['responses', '/responses']] as const) : [])]),
      embeddings: '/embeddings',
      headers: {},
      models: { path: '/models' },
    };
  },
};
