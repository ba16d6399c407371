import { expect, test } from '@jest/globals';
import { isAllowedHost } from './allowed-host.js';
import { isFor } from './audience.js';
import { fillReferences, referencesIn } from './references.js';

test('references are found and filled, and a value is never read again', () => {
  const text = 'Bearer ${env:A} and ${secret:B}';
  expect(referencesIn(text)).toEqual([
    { kind: 'env', name: 'A' },
    { kind: 'secret', name: 'B' },
  ]);
  expect(fillReferences(text, ({ kind, name }) => `<${kind} ${name} \${env:C} $&>`)).toBe(
    'Bearer <env A ${env:C} $&> and <secret B ${env:C} $&>',
  );
  expect(referencesIn('${A} ${env:} ${env:a b}')).toEqual([undefined, undefined, undefined]);
  expect(() => fillReferences('${env:A}', () => undefined)).toThrow('${env:A} has no value.');
});

test.each<[entry: string, url: string, allowed: boolean]>([
  ['api.example.com', 'https://api.example.com/x', true],
  ['api.example.com', 'https://API.example.com:443/x', true],
  ['api.example.com', 'https://api.example.com:8443/x', false],
  ['api.example.com:8443', 'https://api.example.com:8443/x', true],
  ['*.example.com', 'https://a.b.example.com', true],
  ['*.example.com', 'https://example.com', false],
  ['*.example.com', 'https://evilexample.com', false],
  ['example.com', 'https://example.com.evil.org', false],
])('a secret of %s and %s: %s', (entry, url, allowed) => {
  expect(isAllowedHost([entry], url)).toBe(allowed);
});

test('an entry is for those that it names, and for all where it names nobody', () => {
  const alice = { tenant: 'acme', sub: 'alice' };
  expect(
    [{}, { tenants: ['acme'] }, { owners: ['acme/alice'] }, { owners: ['acme/*'] }, { owners: ['*'] }].map((entry) => isFor(entry, alice)),
  ).toEqual([true, true, true, true, true]);
  expect(
    [{ tenants: [] }, { tenants: ['other'] }, { owners: ['acme/bob'] }, { owners: ['acme'] }].map((entry) => isFor(entry, alice)),
  ).toEqual([false, false, false, false]);
});
