import { expect, test } from 'vitest';
import { verifies } from '@codelab/testkit';
import { ALL_SCOPES } from './identity.js';
import { readClaims } from './read-claims.js';

const NOTHING_BY_DEFAULT = { tenant: 'https://issuer.example', scopes: [] };
const read = (claims: object, defaults: Parameters<typeof readClaims>[1] = NOTHING_BY_DEFAULT) =>
  readClaims({ sub: 'carol', ...claims }, defaults);

test.each<[string, object, readonly string[]]>([
  ['a string', { scope: 'llm session' }, ['llm', 'session']],
  ['an array', { scope: ['llm', 'session'] }, ['llm', 'session']],
  ['scp as a string', { scp: 'tools:list tools:run' }, ['tools:list', 'tools:run']],
  ['scp as an array', { scp: ['approve'] }, ['approve']],
  ['names of others beside ours', { scope: 'openid profile llm' }, ['llm']],
  ['both: only what is in both', { scope: 'llm session', scp: ['session', 'approve'] }, ['session']],
  ['both, with nothing in common', { scope: 'llm', scp: 'session' }, []],
  ['an empty string', { scope: '' }, []],
  ['an empty array', { scp: [] }, []],
  ['names that only resemble ours', { scope: 'LLM llm,session sessions' }, []],
  ['an array whose entry is a list itself', { scope: ['llm session'] }, []],
  ['neither', {}, []],
])(verifies('G1:jwt-scopes', 'a JWT may do what its scope and scp name: %s'), (_, claims, scopes) => {
  expect(read(claims)).toMatchObject({ ok: true, scopes });
});

test('a token that names no scopes has all of them only where the setting says so; a claim that is there always counts', () => {
  const everything = { ...NOTHING_BY_DEFAULT, scopes: ALL_SCOPES };
  expect(read({}, everything)).toMatchObject({ scopes: ALL_SCOPES });
  expect(read({ scope: '' }, everything)).toMatchObject({ scopes: [] });
  expect(read({ scp: ['llm'] }, everything)).toMatchObject({ scopes: ['llm'] });
  expect(read({ scope: null }, everything)).toMatchObject({ ok: false });
});

const WRONG_SCOPES = [null, 7, true, {}, { llm: true }, [null], ['llm', 7], [['llm']]];
test.each(['scope', 'scp'].flatMap((claim) => WRONG_SCOPES.map((value) => [claim, value] as const)))(
  verifies('G1:jwt-shapes', 'a claim of another shape grants nothing, and is named without its value: %s %j'),
  (claim, value) => {
    const fault = `${claim} must be a string of names separated by spaces, or an array of strings`;
    expect(read({ [claim]: value })).toEqual({ ok: false, fault });
    expect(read({ scope: 'llm', scp: 'llm', [claim]: value })).toEqual({ ok: false, fault });
  },
);

test.each<[string, object]>([
  ['sub', { sub: 7 }],
  ['sub', { sub: undefined }],
  ['sub', { sub: null }],
  ['sub', { sub: '' }],
  ['sub', { sub: ['carol'] }],
  ['sub', { sub: { toString: 'carol' } }],
  ['sub', { sub: 'c'.repeat(256) }],
  ['sub', { sub: 'carol\n' }],
  ['sub', { sub: 'carol\u2028' }],
  ['sub', { sub: 'carol\ud800' }],
  ['tenant', { tenant: 7 }],
  ['tenant', { tenant: null }],
  ['tenant', { tenant: '' }],
  ['tenant', { tenant: ['acme'] }],
  ['tenant', { tenant: 'a\0b' }],
  ['tenant', { tenant: 't'.repeat(256) }],
])('a %s that is no name is refused: %j', (claim, claims) => {
  expect(read(claims)).toEqual({ ok: false, fault: `${claim} must be a string of 1 to 255 printable characters` });
});

test('a name may be of any script and hold blanks; a token without a tenant belongs to its issuer', () => {
  expect(read({ sub: 'Анна Müller 🦊', tenant: 'acme' })).toMatchObject({ owner: { tenant: 'acme', sub: 'Анна Müller 🦊' } });
  expect(read({})).toMatchObject({ owner: { tenant: 'https://issuer.example' } });
});
