import { expect, test } from '@jest/globals';
import { verifies } from '@codelab/testkit';
import { fitsHost, resolveSecrets } from './secret-source.js';

const secrets = { find: (name: string) => (name === 'KEY' ? { value: 's3', hosts: ['api.test', '*.corp.test'] } : undefined) };

test(verifies('L1:secret-references', 'a secret stands for its reference only toward the hosts that the operator lists for it'), () => {
  expect(resolveSecrets('Bearer ${secret:KEY}!', 'api.test', secrets)).toEqual({ ok: true, text: 'Bearer s3!', secrets: ['s3'] });
  expect(resolveSecrets('plain', 'evil.test', secrets)).toEqual({ ok: true, text: 'plain', secrets: [] });
  expect(resolveSecrets('${secret:KEY}', 'a.corp.test', secrets)).toMatchObject({ ok: true, text: 's3' });
  expect(resolveSecrets('${secret:KEY}', 'corp.test', secrets)).toEqual({
    ok: false,
    message: 'the secret KEY may not be sent to corp.test',
  });
  expect(resolveSecrets('${secret:KEY}', 'api.test.evil.test', secrets)).toMatchObject({ ok: false });
  expect(resolveSecrets('${secret:OTHER}', 'api.test', secrets)).toMatchObject({ ok: false, message: expect.stringContaining('"OTHER"') });
  expect(resolveSecrets('${secret:a b}', 'api.test', secrets)).toMatchObject({ ok: false });
});

test.each([
  ['a.test', 'a.test', true],
  ['*.a.test', 'b.a.test', true],
  ['*.a.test', 'a.test', false],
  ['*.a.test', 'xa.test', false],
])('%s fits %s: %s', (pattern, host, fits) => expect(fitsHost(pattern, host)).toBe(fits));
