import { expect, test } from 'vitest';
import { fetchUrlContent, searchWeb } from '../continue/project/web.js';
import type { Next, Outcome, Row } from '../table/row.js';
import type { UseContext } from '../table/use-context.js';
import { webFetch, webSearch } from './web.js';

const next = (row: Row, args: object, outcomes: readonly Partial<Outcome>[] = []): Next =>
  row.next({ ...args }, outcomes as readonly Outcome[], {} as UseContext);
const text = 'https://docs.test/p · Limits\n# Limits';

test.each([
  [
    webFetch,
    { url: 'http://docs.test/p', prompt: 'limits?' },
    { tool: 'web.fetch', args: { url: 'http://docs.test/p', prompt: 'limits?' } },
  ],
  [webSearch, { query: 'nodejs fsync' }, { tool: 'web.search', args: { query: 'nodejs fsync' } }],
  [searchWeb, { query: 'fsync' }, { tool: 'web.search', args: { query: 'fsync', limit: 5, max_characters: 8_000 } }],
  [fetchUrlContent, { url: 'https://docs.test/p' }, { tool: 'web.fetch', args: { url: 'https://docs.test/p' } }],
] as const)('a use is one call, and its text is the result: %#', (row, args, call) => {
  expect(next(row, args)).toEqual({ call });
  expect(next(row, args, [{ ok: true, result: { text } }])).toMatchObject({ text });
});

test('errors have their code; what nobody has set up has none', () => {
  const denied = { ok: false, code: 'DENIED_BY_POLICY', message: '127.0.0.1 is a private address' } as const;
  const missing = {
    ok: false,
    code: 'NOT_CONFIGURED',
    message: 'no search provider is configured (CODELAB_SEARCH_PROVIDER, CODELAB_SEARCH_URL)',
  } as const;
  expect(next(webFetch, { url: 'http://127.0.0.1/', prompt: 'x' }, [denied])).toEqual({
    text: 'Error [DENIED_BY_POLICY]: 127.0.0.1 is a private address',
    isError: true,
  });
  for (const row of [webSearch, searchWeb] as readonly unknown[]) {
    expect(next(row as Row, { query: 'xy' }, [missing])).toEqual({
      text: 'Error: no search provider is configured (CODELAB_SEARCH_PROVIDER, CODELAB_SEARCH_URL)',
      isError: true,
    });
  }
});
