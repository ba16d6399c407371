import type { JsonObject } from '@codelab/tools';
import { canonicalError } from '../table/composite.js';
import { defineRow, type Outcome, type UseResult } from '../table/row.js';
import { takes } from '../table/takes.js';
import { failed } from './read-marks.js';

/** What the runtime answers is the text already; its errors that are no codes of a tool are sentences of their own. */
const told = (outcome: Outcome): UseResult =>
  outcome.ok ? { text: typeof outcome.result.text === 'string' ? outcome.result.text : '' } : failed(webError(outcome));

/** What nobody has set up is no fault of the call, and has no code. */
export const webError = ({ code, message }: { readonly code: string; readonly message: string }): string =>
  code === 'NOT_CONFIGURED' ? `Error: ${message}` : canonicalError(code, message);

const SITES = { type: 'array', maxItems: 20, items: { type: 'string' } } as const;

/** `WebFetch`: a page as Markdown. */
export const webFetch = defineRow<{ readonly url: string; readonly prompt: string }>({
  name: 'WebFetch',
  displayName: 'Fetch page',
  description:
    'Fetches a public web page and gives its readable text as Markdown, at most 20,000 characters. A redirect to another host is told, not followed. Not for ' +
    'files of the workspace.',
  parameters: takes(['url', 'prompt'], {
    url: { type: 'string', minLength: 1, description: 'The address: https://…' },
    prompt: { type: 'string', description: 'What you want to know from the page.' },
  }),
  policy: 'ask',
  readonly: true,
  idempotency: 'safe',
  needs: ['web.fetch'],
  stands: 'web.fetch',
  next: ({ url, prompt }, [outcome]) => (outcome === undefined ? { call: { tool: 'web.fetch', args: { url, prompt } } } : told(outcome)),
});

interface SearchArgs {
  readonly query: string;
  readonly allowed_domains?: readonly string[];
  readonly blocked_domains?: readonly string[];
}

/** `WebSearch`: pages by words. */
export const webSearch = defineRow<SearchArgs>({
  name: 'WebSearch',
  displayName: 'Search the web',
  description:
    'Searches the web: titles, addresses and snippets of up to 10 pages. For what the workspace and your knowledge do not have; read a page with WebFetch.',
  parameters: takes(['query'], {
    query: { type: 'string', minLength: 2, maxLength: 400 },
    allowed_domains: { ...SITES, description: 'Only these.' },
    blocked_domains: { ...SITES, description: 'All but these.' },
  }),
  policy: 'ask',
  readonly: true,
  idempotency: 'safe',
  needs: ['web.search'],
  stands: 'web.search',
  check: ({ allowed_domains: allowed, blocked_domains: blocked }) =>
    allowed !== undefined && blocked !== undefined ? 'blocked_domains: given with allowed_domains; expected one of them' : undefined,
  next: (args, [outcome]) =>
    outcome === undefined ? { call: { tool: 'web.search', args: args as unknown as JsonObject } } : told(outcome),
});
