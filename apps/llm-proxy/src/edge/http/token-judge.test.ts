import { expect, test } from 'vitest';
import type { Authenticate } from '@codelab/auth';
import { ApiError } from '@codelab/llm';
import { refuse } from '@codelab/protocol';
import { TokenJudge } from './token-judge.js';

const IDENTITY = { owner: { tenant: 't', sub: 'u' }, scopes: [] };

/** Knows `good`, and counts how often it is asked. */
function counting(more: { readonly expiresAtMs?: number } = {}) {
  const asked: string[] = [];
  const authenticate: Authenticate = async (token) => {
    asked.push(token);
    if (token === 'away') return refuse('UNAVAILABLE', "the issuer's keys can't be read now");
    return token === 'good' ? { ok: true, identity: { ...IDENTITY, ...more } } : refuse('TOKEN_INVALID', 'the token is not known here');
  };
  return { asked, authenticate };
}

test.each([
  ['Authorization', { authorization: 'Bearer good' }],
  ['another case', { authorization: 'bearer  good' }],
  ['x-api-key', { 'x-api-key': 'good' }],
  ['a wrong one beside it', { authorization: 'Bearer bad', 'x-api-key': 'good' }],
])('a token is taken from %s', async (_where, headers) => {
  await expect(Promise.resolve(new TokenJudge(counting().authenticate).judge(headers))).resolves.toMatchObject(IDENTITY);
});

test.each([
  ['none', {}, 'unauthorized', 'missing'],
  ['a wrong one', { authorization: 'Bearer bad' }, 'unauthorized', 'not known here'],
  ['another scheme', { authorization: 'Basic good' }, 'unauthorized', 'missing'],
  ['an issuer that is away', { 'x-api-key': 'away' }, 'unavailable', 'issuer'],
])('%s is refused', async (_what, headers, kind, words) => {
  const refusal = await Promise.resolve(new TokenJudge(counting().authenticate).judge(headers)).catch((error: unknown) => error);
  expect(refusal).toBeInstanceOf(ApiError);
  expect(refusal).toMatchObject({ kind, message: expect.stringContaining(words) });
});

test('a good token is judged once a minute, and never after it expired; a bad one is judged each time', async () => {
  let now = 1_000;
  const { asked, authenticate } = counting({ expiresAtMs: 91_000 });
  const judge = new TokenJudge(authenticate, () => now);
  const ask = async (token: string) => Promise.resolve(judge.judge({ 'x-api-key': token })).catch(() => undefined);
  await ask('good');
  await ask('good');
  expect(asked).toEqual(['good']);
  await ask('bad');
  await ask('bad');
  expect(asked).toEqual(['good', 'bad', 'bad']);
  now += 60_001;
  await ask('good');
  now = 91_001;
  await ask('good');
  expect(asked).toEqual(['good', 'bad', 'bad', 'good', 'good']);
});

test('what is remembered is bounded', async () => {
  const asked: string[] = [];
  const judge = new TokenJudge(async (token) => {
    asked.push(token);
    return { ok: true, identity: IDENTITY };
  });
  for (let n = 0; n <= 1_000; n += 1) await judge.judge({ 'x-api-key': `t${n}` });
  asked.length = 0;
  await judge.judge({ 'x-api-key': 't1000' });
  await judge.judge({ 'x-api-key': 't0' });
  expect(asked).toEqual(['t0']);
});
