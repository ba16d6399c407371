import { createHash } from 'node:crypto';
import { expect, test, vi } from 'vitest';
import { verifies } from '@codelab/testkit';
import { createAuthenticate, type VerifyJwt } from './authenticate.js';
import { ALL_SCOPES, signatureOf } from './identity.js';

const key = (token: string, sub: string) => ({
  sha256: createHash('sha256').update(token).digest('hex'),
  tenant: 'acme',
  sub,
  scopes: ALL_SCOPES,
});
const KEYS = [key('alice-token', 'alice'), key('bob-token', 'bob')];

test('each key is its own person', async () => {
  const authenticate = createAuthenticate(KEYS, undefined);
  expect(await authenticate('alice-token')).toMatchObject({ ok: true, identity: { owner: { tenant: 'acme', sub: 'alice' } } });
  expect(await authenticate('bob-token')).toMatchObject({ ok: true, identity: { owner: { sub: 'bob' } } });
});

test.each(['', 'alice', 'alice-token ', 'alice-token\0', 'ALICE-TOKEN', 'a'.repeat(9_000), KEYS[0]!.sha256])(
  '%j is no token',
  async (token) => {
    expect(await createAuthenticate(KEYS, undefined)(token)).toMatchObject({ ok: false, code: 'TOKEN_INVALID' });
  },
);

test('a JWT is asked about only where it looks like one and no key fits', async () => {
  const verify = vi.fn<VerifyJwt>(async () => ({ ok: true, identity: { owner: { tenant: 't', sub: 's' }, scopes: [] } }));
  const authenticate = createAuthenticate([...KEYS, key('a.b.c', 'carol')], verify);
  await authenticate('alice-token');
  await authenticate('nonsense');
  expect(await authenticate('a.b.c')).toMatchObject({ identity: { owner: { sub: 'carol' } } });
  expect(verify).not.toHaveBeenCalled();
  expect(await authenticate('x.y.z')).toMatchObject({ identity: { owner: { sub: 's' } } });
});

test(verifies('H3:signature', 'nobody can sign a decision as the policy or the executor'), () => {
  const signed = ['alice', 'policy', 'executor'].map((sub) => signatureOf({ owner: { tenant: 't', sub }, scopes: [] }));
  expect(signed).toEqual(['alice', 'user:policy', 'user:executor']);
});
