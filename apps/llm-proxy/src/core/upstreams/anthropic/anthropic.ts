import { messages } from '@codelab/llm';
import type { ServerType } from '../upstream-type.js';

/** What is spoken where the caller doesn't say. */
const ANTHROPIC_VERSION = '2023-06-01';

/** Anthropic, and whoever speaks its dialect. */
export const anthropic: ServerType = {
  vendor: { baseUrl: 'https://api.anthropic.com', settings: { baseUrl: 'ANTHROPIC_BASE_URL', apiKey: 'ANTHROPIC_API_KEY' } },
  remedy: 'ANTHROPIC_API_KEY',
  usualQuirks: () => ({}),
  takesAnyName: () => false,
  keyHeader: (apiKey) => ({ 'x-api-key': apiKey }),
  endpoints: (baseUrl) => {
    // many write the base with the version, as the other vendor wants it
    const version = /\/v1\/*$/.test(new URL(baseUrl).pathname) ? '' : '/v1';
    return {
      codec: messages.upstream,
      paths: new Map([['messages', `${version}/messages`]]),
      headers: { 'anthropic-version': ANTHROPIC_VERSION },
      models: { path: `${version}/models`, query: 'limit=1000' },
    };
  },
};
