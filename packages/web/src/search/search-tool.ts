import { maskSecrets } from '@codelab/tools';
import { failed, firstOf, type WebTool } from '../web-tool.js';
import type { SearchClient } from './ask-provider.js';
import { SearchFailure, type SearchHit } from './provider.js';

const DEFAULT_LIMIT = 10;
const DEFAULT_CHARACTERS = 600;
/** More than a snippet: who asks for so much wants to read the pages. */
const CONTENTS_FROM = 2_000;
const NONE: ReadonlySet<string> = new Set();

const NOT_CONFIGURED = 'no search provider is configured (CODELAB_SEARCH_PROVIDER, CODELAB_SEARCH_URL)';
const SITES = { type: 'array', maxItems: 20, items: { type: 'string', minLength: 1, maxLength: 253 } } as const;

/** `web.search`: pages by words. Without a client, every call says what is not configured. */
export const searchTool = (client: Pick<SearchClient, 'search'> | undefined): WebTool => ({
  definition: {
    name: 'web.search',
    since: '1.0',
    group: 'search',
    access: 'readonly',
    idempotency: 'safe',
    description:
      'Searches the web: titles, addresses and snippets of up to 10 pages. For what the workspace and your knowledge do not have.',
    parameters: {
      type: 'object',
      properties: {
        query: { type: 'string', minLength: 2, maxLength: 400 },
        allowed_domains: { ...SITES, description: 'Only these.' },
        blocked_domains: { ...SITES, description: 'All but these.' },
        limit: { type: 'integer', minimum: 1, maximum: 20, description: 'Pages; 10 unless given.' },
        max_characters: { type: 'integer', minimum: 50, maximum: 8_000, description: 'Of each page; 600 unless given.' },
      },
      required: ['query'],
      additionalProperties: false,
    },
    deadlineMs: 30_000,
  },
  policy: { modes: { medium: 'allow', strict: 'ask', permissive: 'allow' }, risk: 'low', does: 'searches the web', touches: 'nothing' },
  async run(args, { signal }) {
    const { query, limit = DEFAULT_LIMIT, max_characters: characters = DEFAULT_CHARACTERS } = args as Partial<SearchArguments>;
    if (typeof query !== 'string') return failed('INVALID_ARGUMENTS', 'query: missing; expected words');
    const [allowed, blocked] = [toSites(args.allowed_domains), toSites(args.blocked_domains)];
    if (allowed.length > 0 && blocked.length > 0) {
      return failed('INVALID_ARGUMENTS', 'blocked_domains: given with allowed_domains; expected one of them');
    }
    if (client === undefined) return failed('NOT_CONFIGURED', NOT_CONFIGURED);
    try {
      const hits = await client.search({ query, limit, allowed, blocked, contents: characters >= CONTENTS_FROM }, signal);
      const shown = hits.map((hit) => ({ ...hit, snippet: maskSecrets(shorten(hit.snippet, characters), NONE).text }));
      const text = shown.length === 0 ? `No pages for: ${query}` : shown.map(tell).join('\n\n');
      return {
        ok: true,
        result: {
          text,
          items: shown.map(({ title, url, snippet }) => ({ name: title || url, description: url, content: snippet, uri: url })),
        },
      };
    } catch (error) {
      if (error instanceof SearchFailure) return failed(error.code, error.message);
      throw error;
    }
  },
});

interface SearchArguments {
  readonly query: string;
  readonly limit: number;
  readonly max_characters: number;
}

const tell = ({ title, url, snippet }: SearchHit, place: number): string =>
  [`${String(place + 1)}. ${title.replace(/\s+/g, ' ') || url}`, url, ...(snippet === '' ? [] : [snippet])].join('\n');

const shorten = (text: string, characters: number): string => (text.length <= characters ? text : `${firstOf(text, characters - 1)}…`);

/** Hosts, whether they were given as such or as addresses. */
const toSites = (value: unknown): string[] =>
  (Array.isArray(value) ? value : [])
    .filter((one): one is string => typeof one === 'string')
    .map((one) =>
      one
        .trim()
        .toLowerCase()
        .replace(/^(?:https?:\/\/)?(?:\*\.)?/, '')
        .replace(/[/:?#].*$/, ''),
    )
    .filter((one) => one !== '');
