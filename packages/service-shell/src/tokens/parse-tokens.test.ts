import { expect, test } from 'vitest';
import { hashToken, parseTokens } from './parse-tokens.js';
import { USUAL_SCOPES as SCOPES } from '@codelab/auth';

test('an entry is a token or its hash, an owner, and the usual scopes unless some are named', () => {
  const hash = hashToken('other');
  expect(
    parseTokens(`plain.Token_~-=acme/ann, sha256:${hash.toUpperCase()}=acme/bob?scopes=llm+tools:list ,ops=acme/eve?scopes=operate`),
  ).toEqual([
    { sha256: hashToken('plain.Token_~-'), tenant: 'acme', sub: 'ann', scopes: SCOPES },
    { sha256: hash, tenant: 'acme', sub: 'bob', scopes: ['llm', 'tools:list'] },
    { sha256: hashToken('ops'), tenant: 'acme', sub: 'eve', scopes: ['operate'] },
  ]);
});

test('the hash is that of SHA-256', () => {
  expect(hashToken('abc')).toBe('ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad');
});

test.each([
  'secret',
  'secret=',
  'secret=tenant',
  '=tenant/sub',
  'sec ret=tenant/sub',
  'sha256:abc=tenant/sub',
  'secret=tenant/sub?scope=llm',
])('%j is refused by its place, not by its text', (entry) => {
  expect(() => parseTokens(`good=tenant/sub,${entry}`)).toThrow(/^CODELAB_TOKENS, entry 2, is not understood: write <token>=/);
  expect(() => parseTokens(`good=tenant/sub,${entry}`)).not.toThrow(/secret|sec ret/);
});

test('an unknown scope is named, and so is a list without entries', () => {
  expect(() => parseTokens('secret=a/b?scopes=llm+admin')).toThrow(
    'CODELAB_TOKENS, entry 1, has an unknown scope "admin": use llm, tools:list',
  );
  expect(() => parseTokens(' , ')).toThrow('CODELAB_TOKENS has no entry');
});
