import { at, plainText, textAt } from './read-json.js';
import { withSites, type SearchHit, type SearchProvider, type SearchQuestion } from './provider.js';

const JSON_TYPE = 'application/json';

/** The hits in a list of results, by the names of its fields. */
function hits(
  list: unknown,
  fields: { readonly title: string; readonly link: string; readonly snippets: readonly string[] },
): SearchHit[] | undefined {
  if (!Array.isArray(list)) return undefined;
  return list.map((result: unknown) => ({
    title: plainText(textAt(result, fields.title)),
    url: textAt(result, fields.link),
    snippet: plainText(fields.snippets.map((path) => textAt(result, path)).find((text) => text !== '') ?? ''),
  }));
}

/** SearXNG: an engine of one's own. */
export const searxng = (base: string): SearchProvider => ({
  name: 'SearXNG',
  toRequest: (question) => {
    const url = new URL('search', base.endsWith('/') ? base : `${base}/`);
    url.search = new URLSearchParams({ q: withSites(question), format: 'json' }).toString();
    return { url: url.href, method: 'GET', headers: { accept: JSON_TYPE } };
  },
  toHits: (answer) => hits(at(answer, 'results'), { title: 'title', link: 'url', snippets: ['content'] }),
  hints: { 403: 'add json to search.formats in its settings.yml' },
});

/** Brave Search. */
export const brave = (key: string, base = 'https://api.search.brave.com/res/v1/web/search'): SearchProvider => ({
  name: 'Brave Search',
  toRequest: (question) => {
    const url = new URL(base);
    url.search = new URLSearchParams({
      q: withSites(question),
      count: String(Math.min(20, question.limit)),
      extra_snippets: 'true',
    }).toString();
    return { url: url.href, method: 'GET', headers: { accept: JSON_TYPE, 'x-subscription-token': key } };
  },
  toHits: (answer) => {
    if (at(answer, 'type') === 'search' && at(answer, 'web') === undefined) return []; // nothing found
    return hits(at(answer, 'web.results'), { title: 'title', link: 'url', snippets: ['description', 'extra_snippets'] });
  },
});

/** Tavily. */
export const tavily = (key: string, base = 'https://api.tavily.com/search'): SearchProvider => ({
  name: 'Tavily',
  toRequest: ({ query, limit, allowed, blocked, contents }) => ({
    url: base,
    method: 'POST',
    headers: { accept: JSON_TYPE, 'content-type': JSON_TYPE, authorization: `Bearer ${key}` },
    body: JSON.stringify({
      query,
      max_results: limit,
      include_domains: allowed,
      exclude_domains: blocked,
      include_raw_content: contents ? 'markdown' : false,
    }),
  }),
  toHits: (answer) => hits(at(answer, 'results'), { title: 'title', link: 'url', snippets: ['raw_content', 'content'] }),
});

/** Any engine that answers with JSON; `search:` of codelab.tools.yaml. Paths have dots: `data.items`, `links.0.href`. */
export interface SearchTemplate {
  /** With `{query}`, and where the engine takes it `{limit}` or `{n}`: results that are wanted. */
  readonly url: string;
  /** Where the list of results is. Default: `results`. */
  readonly results?: string;
  /** Inside a result. Default: `title`. */
  readonly title?: string;
  /** Inside a result. Default: `url`. */
  readonly link?: string;
  /** Inside a result. Default: `snippet`, else `content`, else `description`. */
  readonly snippet?: string;
  /** Inside a result: the text of the page, which is told where there is room for it. */
  readonly content?: string;
}

/** An engine by its template. A key goes as `Authorization: Bearer`. */
export function byTemplate(template: SearchTemplate, key?: string): SearchProvider {
  const { url, results = 'results', title = 'title', link = 'url', snippet, content } = template;
  const headers: Record<string, string> = { accept: JSON_TYPE };
  if (key !== undefined) headers.authorization = `Bearer ${key}`;
  return {
    name: new URL(fill(url, 'x', 1)).host,
    toRequest: (question: SearchQuestion) => ({
      url: fill(url, withSites(question), question.limit),
      method: 'GET',
      headers,
    }),
    toHits: (answer, { contents }) => {
      const short = snippet === undefined ? ['snippet', 'content', 'description'] : [snippet];
      return hits(at(answer, results), { title, link, snippets: contents && content !== undefined ? [content, ...short] : short });
    },
  };
}

/** The text of a URL template with its places filled. */
export const fill = (template: string, query: string, limit: number): string =>
  template.replaceAll('{query}', encodeURIComponent(query)).replaceAll(/\{(?:n|limit)\}/g, String(limit));
