import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { verifies } from '@codelab/testkit';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import type { SearchClient } from './ask-provider.js';
import { openSearch, type SearchSettings } from './search-settings.js';
import { searchTool } from './search-tool.js';

interface Seen {
  readonly method: string;
  readonly url: URL;
  readonly headers: IncomingMessage['headers'];
  readonly body: string;
}

let server: Server;
let origin: string;
let seen: Seen[] = [];
let answer: (response: ServerResponse) => void;
const clients: SearchClient[] = [];
const KEY = 'key-of-the-operator';

beforeAll(async () => {
  server = createServer((request, response) => {
    let body = '';
    request.setEncoding('utf8').on('data', (text: string) => (body += text));
    request.on('end', () => {
      seen.push({ method: request.method ?? '', url: new URL(request.url ?? '', origin), headers: request.headers, body });
      answer(response);
    });
  });
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  origin = `http://127.0.0.1:${String((server.address() as AddressInfo).port)}`;
});
beforeEach(() => {
  seen = [];
});
afterAll(async () => {
  await Promise.all(clients.map((client) => client.close()));
  server.closeAllConnections();
  await new Promise((done) => server.close(done));
});

const json = (value: unknown, status = 200): void => {
  answer = (response) => void response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(value));
};
const signal = new AbortController().signal;
const search = async (settings: SearchSettings, args: object): Promise<string> => {
  const client = openSearch(settings);
  if (client) clients.push(client);
  const outcome = await searchTool(client).run({ ...args }, { signal });
  return outcome.ok ? outcome.result.text : `${outcome.error.code}: ${outcome.error.message}`;
};
const searxng = (): SearchSettings => ({ provider: 'searxng', url: origin });

test('SearXNG at a private address, which the operator named: titles, addresses and snippets', async () => {
  json({
    query: 'nodejs fsync',
    results: [
      { title: 'fs.fsync', url: 'https://nodejs.test/fs', content: 'Flushes…' },
      { title: '', url: 'https://x.test/' },
    ],
  });
  expect(await search(searxng(), { query: 'nodejs fsync' })).toBe(
    '1. fs.fsync\nhttps://nodejs.test/fs\nFlushes…\n\n2. https://x.test/\nhttps://x.test/',
  );
  expect(seen[0]?.url.pathname).toBe('/search');
  expect(Object.fromEntries(seen[0]!.url.searchParams)).toEqual({ q: 'nodejs fsync', format: 'json' });
});

test('Brave: the key in its header, tags and entities as text', async () => {
  json({
    type: 'search',
    web: { results: [{ title: 'A &amp; B', url: 'https://a.test/', description: 'the <strong>word</strong> &#x27;x&#x27; a &lt;b&gt;' }] },
  });
  const settings: SearchSettings = { provider: 'brave', url: `${origin}/res/v1/web/search`, apiKey: KEY };
  expect(await search(settings, { query: 'a', limit: 3 })).toBe("1. A & B\nhttps://a.test/\nthe word 'x' a <b>");
  expect(seen[0]).toMatchObject({ method: 'GET', headers: { 'x-subscription-token': KEY } });
  expect(seen[0]?.url.searchParams.get('count')).toBe('3');
  json({ type: 'search' });
  expect(await search(settings, { query: 'nothing' })).toBe('No pages for: nothing');
});

test('Tavily: sites by its own arguments, and the contents of pages where there is room for them', async () => {
  json({ results: [{ title: 'T', url: 'https://docs.test/', content: 'snippet', raw_content: 'x'.repeat(9_000) }] });
  const settings: SearchSettings = { provider: 'tavily', url: `${origin}/search`, apiKey: KEY };
  const text = await search(settings, { query: 'abc', limit: 5, max_characters: 8_000, allowed_domains: ['docs.test'] });
  expect(text).toBe(`1. T\nhttps://docs.test/\n${'x'.repeat(7_999)}…`);
  expect(seen[0]?.headers.authorization).toBe(`Bearer ${KEY}`);
  expect(JSON.parse(seen[0]?.body ?? '')).toEqual({
    query: 'abc',
    max_results: 5,
    include_domains: ['docs.test'],
    exclude_domains: [],
    include_raw_content: 'markdown',
  });
});

test('any engine by its template', async () => {
  json({ data: { items: [{ name: 'N', links: [{ href: 'https://n.test/' }], texts: ['one', 'two'] }] } });
  const template = { results: 'data.items', title: 'name', link: 'links.0.href', snippet: 'texts' };
  const settings: SearchSettings = {
    provider: 'http',
    url: `${origin}/s?q={query}&n={n}`,
    apiKey: KEY,
    template,
    headers: { 'x-team': 'docs' },
    maxResults: 2,
  };
  expect(await search(settings, { query: 'ä & b', limit: 7 })).toBe('1. N\nhttps://n.test/\none two');
  expect(seen[0]?.url.search).toBe('?q=%C3%A4%20%26%20b&n=2');
  expect(seen[0]?.headers).toMatchObject({ 'x-team': 'docs', authorization: `Bearer ${KEY}` });
  json({ results: [{ title: 'plain', url: 'https://p.test/', snippet: 's' }] });
  expect(await search({ provider: 'http', url: `${origin}/?q={query}` }, { query: 'xy' })).toBe('1. plain\nhttps://p.test/\ns');
});

test('sites: told to the engine, and held to', async () => {
  const results = ['https://docs.test/a', 'https://api.docs.test/b', 'https://notdocs.test/', 'javascript:alert(1)', 'nonsense'].map(
    (url) => ({ title: url, url, content: '' }),
  );
  json({ results });
  expect(await search(searxng(), { query: 'xy', allowed_domains: ['https://Docs.test/path', '*.rfc.test'] })).toBe(
    '1. https://docs.test/a\nhttps://docs.test/a\n\n2. https://api.docs.test/b\nhttps://api.docs.test/b',
  );
  expect(seen[0]?.url.searchParams.get('q')).toBe('xy (site:docs.test OR site:rfc.test)');
  expect(await search(searxng(), { query: 'xy', blocked_domains: ['docs.test'] })).toBe('1. https://notdocs.test/\nhttps://notdocs.test/');
  expect(seen[1]?.url.searchParams.get('q')).toBe('xy -site:docs.test');
  expect(await search(searxng(), { query: 'xy', blocked_domains: ['a.test'], allowed_domains: ['b.test'] })).toBe(
    'INVALID_ARGUMENTS: blocked_domains: given with allowed_domains; expected one of them',
  );
});

test('ten pages unless another number is given, and no more than asked for', async () => {
  json({
    results: Array.from({ length: 30 }, (_, place) => ({
      title: 'T',
      url: `https://t.test/${String(place)}`,
      content: 'word '.repeat(500),
    })),
  });
  const text = await search(searxng(), { query: 'xy' });
  expect(text.match(/^\d+\. T$/gm)).toHaveLength(10);
  expect(text.length).toBeLessThan(7_000);
  expect((await search(searxng(), { query: 'xy', limit: 2 })).match(/^\d+\. T$/gm)).toHaveLength(2);
});

test(verifies('L1:web-search', 'what a search provider says of a failure never shows its key or its raw answer'), async () => {
  const settings: SearchSettings = { provider: 'brave', url: origin, apiKey: KEY };
  for (const [status, why] of [
    [401, 'it refuses the key; whoever runs CodeLab checks CODELAB_SEARCH_API_KEY'],
    [429, 'it was asked too often, or its quota is used up; try again later'],
    [503, 'it has a fault of its own; try again later'],
    [422, 'it does not take the question'],
  ] as const) {
    json({ error: `bad key ${KEY}` }, status);
    expect(await search(settings, { query: 'xy' })).toBe(
      `HTTP_ERROR: the search provider (Brave Search) answered ${String(status)}: ${why}`,
    );
  }
  json({ detail: KEY });
  expect(await search(settings, { query: 'xy' })).toBe(
    'HTTP_ERROR: the search provider (Brave Search) answered with something else than results',
  );
  answer = (response) => void response.end(`<html>${KEY}`);
  expect(await search(settings, { query: 'xy' })).toContain('something else than results');
  answer = (response) => void response.destroy();
  expect(await search(settings, { query: 'xy' })).toContain("can't be asked: the server could not be reached, or broke off");
  answer = (response) => void response.writeHead(302, { location: 'http://169.254.169.254/latest' }).end();
  expect(await search(settings, { query: 'xy' })).toContain('169.254.169.254 is not a public address');
  json({}, 403);
  expect(await search(searxng(), { query: 'xy' })).toContain('answered 403: add json to search.formats in its settings.yml');
});

test('without a provider every search says which settings are missing', async () => {
  expect(await search({}, { query: 'xy' })).toBe(
    'NOT_CONFIGURED: no search provider is configured (CODELAB_SEARCH_PROVIDER, CODELAB_SEARCH_URL)',
  );
});

test.each([
  [
    { url: 'https://x.test/' },
    'CODELAB_SEARCH_URL is set without a provider: set CODELAB_SEARCH_PROVIDER to one of searxng, brave, tavily, http.',
  ],
  [{ provider: 'brave' }, 'CODELAB_SEARCH_API_KEY is missing: CODELAB_SEARCH_PROVIDER=brave needs the key of the provider.'],
  [{ provider: 'searxng' }, 'CODELAB_SEARCH_URL is missing: CODELAB_SEARCH_PROVIDER=searxng needs an address such as http://searxng:8080.'],
  [{ provider: 'searxng', url: 'searxng' }, 'CODELAB_SEARCH_URL is not valid'],
  [{ provider: 'http', url: 'https://x.test/' }, 'CODELAB_SEARCH_URL has no {query}'],
] as const)('half a configuration is refused by name: %j', (settings, message) => {
  expect(() => openSearch(settings)).toThrow(message);
});
