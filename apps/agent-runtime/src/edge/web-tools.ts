import type { SearchEntry } from '@codelab/config-file';
import type { Egress } from '@codelab/egress';
import { ConfigError } from '@codelab/service-shell';
import { createWebTools, type SearchSettings } from '@codelab/web';
import { type PublishedSource, toPublished } from '../core/server-tools/published.js';
import type { ServerTool, ServerToolSource } from '../core/server-tools/server-tool.js';
import type { RuntimeConfig } from './config.js';

/** `search:` of codelab.tools.yaml. */
export interface SearchSection {
  readonly entry: SearchEntry;
  /** The value of an environment variable. */
  readonly variable: (name: string) => string | undefined;
  /** A text with its references filled. */
  readonly fill: (text: string) => string;
}

/** `web.fetch` and `web.search`, for every session alike. Throws `ConfigError` where search is half configured. */
export function openWebTools(
  egress: Egress,
  config: Pick<RuntimeConfig, 'searchProvider' | 'searchUrl' | 'searchApiKey'>,
  section?: SearchSection,
): { readonly source: ServerToolSource & PublishedSource; close(): Promise<void> } {
  try {
    const web = createWebTools(egress, settingsOf(config, section));
    const tools: readonly ServerTool[] = web.tools;
    const published = tools.map((tool) => toPublished(tool, { source: 'web', tags: [] }));
    return { source: { list: () => Promise.resolve(tools), published: () => published }, close: () => web.close() };
  } catch (error) {
    throw new ConfigError([(error as Error).message]);
  }
}

/** What the environment says counts; the file is read where it says nothing. */
function settingsOf(
  { searchProvider, searchUrl, searchApiKey }: Pick<RuntimeConfig, 'searchProvider' | 'searchUrl' | 'searchApiKey'>,
  section: SearchSection | undefined,
): SearchSettings {
  if (searchProvider !== undefined || searchUrl !== undefined || section === undefined) {
    return { provider: searchProvider, url: searchUrl, apiKey: searchApiKey };
  }
  const { entry, variable, fill } = section;
  const { provider, url, api_key_env: keySetting, headers = {}, max_results: maxResults, timeout_ms: timeoutMs, ...template } = entry;
  return {
    ...{ provider, url, template, keySetting, maxResults, timeoutMs },
    apiKey: keySetting === undefined ? undefined : variable(keySetting),
    headers: Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, fill(value)])),
  };
}
