import { SearchClient } from './ask-provider.js';
import type { SearchProvider } from './provider.js';
import { brave, byTemplate, fill, searxng, tavily, type SearchTemplate } from './providers.js';

export const SEARCH_PROVIDERS = ['searxng', 'brave', 'tavily', 'http'] as const;
export type SearchProviderName = (typeof SEARCH_PROVIDERS)[number];

const KEY = 'CODELAB_SEARCH_API_KEY';

/** What the operator says about search: `CODELAB_SEARCH_*`, or the section of a file. */
export interface SearchSettings {
  readonly provider?: SearchProviderName;
  /** Where the provider is: required for `searxng` and `http`, where it has `{query}`. */
  readonly url?: string;
  readonly apiKey?: string;
  /** How whoever set the key calls it, for messages. Default: `CODELAB_SEARCH_API_KEY`. */
  readonly keySetting?: string;
  /** Sent beside the provider's own. */
  readonly headers?: Readonly<Record<string, string>>;
  /** Results of one search at most. Default: 20. */
  readonly maxResults?: number;
  /** Default: 15,000. */
  readonly timeoutMs?: number;
  /** For `http`: how its answers are read. */
  readonly template?: Omit<SearchTemplate, 'url'>;
}

/** The client of the configured provider, or nothing where none is. Throws an error that names the setting and says what to do. */
export function openSearch({ provider, url, apiKey, template, keySetting = KEY, ...options }: SearchSettings): SearchClient | undefined {
  if (provider === undefined) {
    if (url === undefined) return undefined;
    throw new Error(`CODELAB_SEARCH_URL is set without a provider: set CODELAB_SEARCH_PROVIDER to one of ${SEARCH_PROVIDERS.join(', ')}.`);
  }
  const key = (): string => {
    if (apiKey !== undefined) return apiKey;
    throw new Error(`${keySetting} is missing: CODELAB_SEARCH_PROVIDER=${provider} needs the key of the provider.`);
  };
  const address = (): string => {
    if (url !== undefined && /^https?:\/\//.test(url) && URL.canParse(fill(url, 'x', 1))) return url;
    const example = provider === 'http' ? 'https://search.example.com/?q={query}&n={n}' : 'http://searxng:8080';
    throw new Error(
      `CODELAB_SEARCH_URL is ${url === undefined ? 'missing' : 'not valid'}: CODELAB_SEARCH_PROVIDER=${provider} needs an address such as ${example}.`,
    );
  };
  const open = (): SearchProvider => {
    if (provider === 'brave') return brave(key(), url === undefined ? undefined : address());
    if (provider === 'tavily') return tavily(key(), url === undefined ? undefined : address());
    if (provider === 'searxng') return searxng(address());
    if (!address().includes('{query}'))
      throw new Error('CODELAB_SEARCH_URL has no {query}: CODELAB_SEARCH_PROVIDER=http needs to know where the words go.');
    return byTemplate({ ...template, url: address() }, apiKey);
  };
  return new SearchClient(open(), { keySetting, ...options });
}
