import type { Egress } from '@codelab/egress';
import { fetchTool } from './fetch/fetch-tool.js';
import { PageFetcher } from './fetch/page-fetcher.js';
import { PageReader } from './read/page-reader.js';
import { openSearch, type SearchSettings } from './search/search-settings.js';
import { searchTool } from './search/search-tool.js';
import type { WebTool } from './web-tool.js';

export interface WebTools {
  /** `web.fetch` and `web.search`; always the same list. */
  readonly tools: readonly WebTool[];
  /** Ends the thread that reads pages, and connections to the search provider. */
  close(): Promise<void>;
}

/** The tools of a process. Throws an error that names the setting where search is half configured. */
export function createWebTools(egress: Egress, search: SearchSettings): WebTools {
  const client = openSearch(search);
  const reader = new PageReader();
  return {
    tools: [fetchTool(new PageFetcher(egress, reader)), searchTool(client)],
    close: async () => {
      await Promise.all([reader.close(), client?.close()]);
    },
  };
}
