import { expect, test } from 'vitest';
import { verifies } from '@codelab/testkit';
import { fitsAddress, fitsHost, resolveSecrets } from './secret-source.js';

const secrets = { find: (name: string) => (name === 'KEY' ? { value: 's3', hosts: ['api.test', '*.corp.test'] } : undefined) };

test(verifies('L1:secret-references', 'a secret stands for its reference only toward the hosts that the operator lists for it'), () => {
  expect(resolveSecrets('Bearer ${secret:KEY}!', new URL('https://api.test/x'), secrets)).toEqual({
    ok: true,
    text: 'Bearer s3!',
    secrets: ['s3'],
  });
  expect(resolveSecrets('plain', new URL('https://evil.test/x'), secrets)).toEqual({ ok: true, text: 'plain', secrets: [] });
  expect(resolveSecrets('${secret:KEY}', new URL('https://a.corp.test/x'), secrets)).toMatchObject({ ok: true, text: 's3' });
  expect(resolveSecrets('${secret:KEY}', new URL('https://corp.test/x'), secrets)).toEqual({
    ok: false,
    message: 'the secret KEY may not be sent to corp.test',
  });
  expect(resolveSecrets('${secret:KEY}', new URL('https://api.test.evil.test/x'), secrets)).toMatchObject({ ok: false });
  expect(resolveSecrets('${secret:OTHER}', new URL('https://api.test/x'), secrets)).toMatchObject({
    ok: false,
    message: expect.stringContaining('"OTHER"'),
  });
  expect(resolveSecrets('${secret:a b}', new URL('https://api.test/x'), secrets)).toMatchObject({ ok: false });
});

test.each([
  ['a.test', 'a.test', true],
  ['*.a.test', 'b.a.test', true],
  ['*.a.test', 'a.test', false],
  ['*.a.test', 'xa.test', false],
])('%s fits %s: %s', (pattern, host, fits) => expect(fitsHost(pattern, host)).toBe(fits));

test.each([
  ['a.test', 'https://a.test/x', true],
  ['a.test', 'https://a.test:443/x', true],
  ['a.test', 'http://a.test/x', true],
  ['a.test', 'https://a.test:8443/x', false],
  ['a.test', 'http://a.test:443/x', false],
  ['a.test:8443', 'https://a.test:8443/x', true],
  ['a.test:8443', 'https://a.test/x', false],
  ['a.test:443', 'https://A.test/x', true],
  ['*.a.test:80', 'http://b.a.test/x', true],
  ['[::1]:9', 'http://[::1]:9/', true],
  ['[::1]', 'http://[::1]:9/', false],
])(verifies('L1:secret-references', 'a secret that may go to %s goes to %s: %s'), (pattern, url, fits) =>
  expect(fitsAddress(pattern, new URL(url))).toBe(fits),
);
