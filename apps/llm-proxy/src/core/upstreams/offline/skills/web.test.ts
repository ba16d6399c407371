import { expect, test } from 'vitest';
import { splitClauses } from '../clause.js';
import type { Outcome } from '../task.js';
import { web } from './web.js';

/** The first call of a request, and what is said of an outcome of it. */
const play = (request: string, outcome?: object) => {
  const [task] = splitClauses(request).flatMap((clause) => web(clause) ?? []);
  const steps = task?.play(() => true);
  const first = steps?.next().value;
  const said = outcome && steps?.next({ tool: 'web', args: {}, ...outcome } as Outcome).value;
  return { call: first && 'tool' in first ? [first.tool, first.args] : undefined, said: said && 'text' in said ? said.text : undefined };
};

test.each([
  ['fetch https://docs.test/p', 'https://docs.test/p'],
  ['Please read https://docs.test/a(b)?c=d, and tell me what it says.', 'https://docs.test/a(b)?c=d'],
  ['summarize the page http://docs.test/x.', 'http://docs.test/x'],
  ['открой https://docs.test/p', 'https://docs.test/p'],
])('%s', (request, url) => expect(play(request).call).toEqual(['web.fetch', expect.objectContaining({ url })]));

test.each([
  ['search the web for nodejs fsync', 'nodejs fsync'],
  ['look online for "flush a file"', 'flush a file'],
  ['google how to flush a file?', 'how to flush a file'],
  ['find lru caches on the web', 'lru caches'],
  ['найди в интернете fsync', 'fsync'],
])('%s', (request, query) => expect(play(request).call).toEqual(['web.search', { query }]));

test.each(['search for web in src', 'read a.txt', 'find websites.txt', 'search the web for x'])('%s is for others', (request) =>
  expect(play(request).call).toBeUndefined(),
);

test('a page is cited; a redirect and a failure are told', () => {
  const request = 'fetch https://docs.test/p';
  const page = `https://docs.test/p · Limits\n# Limits\n\n10 a day\n\n${request}`;
  const said = '[Limits](https://docs.test/p) says:\n\n```markdown\n# Limits\n\n10 a day\n```';
  expect(play(request, { ok: true, text: page, value: {} }).said).toBe(said);
  expect(play(request, { ok: true, text: '{}', value: { text: page } }).said).toBe(said);
  const elsewhere = 'Redirects to https://other.test/; fetch it with a second call.';
  expect(play(request, { ok: true, text: elsewhere, value: {} }).said).toBe(elsewhere);
  expect(play(request, { ok: false, code: 'DENIED_BY_POLICY', message: '10.0.0.1 is a private address' }).said).toBe(
    'I could not fetch `https://docs.test/p`: a rule forbids it (DENIED_BY_POLICY). It said: 10.0.0.1 is a private address',
  );
});
