export { createWebTools, type WebTools } from './create-web-tools.js';
export { ROBOT, USER_AGENT } from './fetch/robots.js';
export type { SearchTemplate } from './search/providers.js';
export { SEARCH_PROVIDERS, type SearchProviderName, type SearchSettings } from './search/search-settings.js';
export type { WebOutcome, WebTool } from './web-tool.js';
