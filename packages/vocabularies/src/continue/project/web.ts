import { webError } from '../../claude-code/web.js';
import { defineRow, type ContextItem, type Next, type Outcome } from '../../table/row.js';
import { takes } from '../../table/takes.js';
import { failed, itemsResult } from '../items.js';

/** The runtime answers with the text for the model. */
const told = (outcome: Outcome, item: Omit<ContextItem, 'content'>): Next => {
  if (!outcome.ok) return failed(webError(outcome));
  const { text } = outcome.result;
  return itemsResult({ ...item, content: typeof text === 'string' ? text : '' });
};

/** Looks something up on the web. */
export const searchWeb = defineRow<{ readonly query: string }>({
  name: 'search_web',
  displayName: 'Search the web',
  description: 'Searches the web and shows 5 pages. Use it sparingly, for what neither the workspace nor your knowledge has.',
  parameters: takes(['query'], { query: { type: 'string', minLength: 2, maxLength: 400, description: 'What is looked for.' } }),
  policy: 'allow',
  readonly: true,
  idempotency: 'safe',
  needs: ['web.search'],
  stands: 'web.search',
  next: ({ query }, [outcome]) =>
    outcome === undefined
      ? { call: { tool: 'web.search', args: { query, limit: 5, max_characters: 8_000 } } }
      : told(outcome, { name: 'Web search', description: `Results for: ${query}` }),
});

/** Fetches a page. */
export const fetchUrlContent = defineRow<{ readonly url: string }>({
  name: 'fetch_url_content',
  displayName: 'Fetch page',
  description: 'Fetches a web page and shows its readable text, at most 20,000 characters. Not for files of the workspace.',
  parameters: takes(['url'], { url: { type: 'string', minLength: 1, maxLength: 4_096, description: 'The address: https://…' } }),
  policy: 'ask',
  readonly: true,
  idempotency: 'safe',
  needs: ['web.fetch'],
  stands: 'web.fetch',
  next: ({ url }, [outcome]) =>
    outcome === undefined
      ? { call: { tool: 'web.fetch', args: { url } } }
      : told(outcome, { name: url, description: `Content of ${url}`, uri: url }),
});
