import { expect, test } from 'vitest';
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

test('an entry is for those that it names, and for all where it names nobody', () => {
  const alice = { tenant: 'acme', sub: 'alice' };
  expect(
    [{}, { tenants: ['acme'] }, { owners: ['acme/alice'] }, { owners: ['acme/*'] }, { owners: ['*'] }].map((entry) => isFor(entry, alice)),
  ).toEqual([true, true, true, true, true]);
  expect(
    [{ tenants: [] }, { tenants: ['other'] }, { owners: ['acme/bob'] }, { owners: ['acme'] }].map((entry) => isFor(entry, alice)),
  ).toEqual([false, false, false, false]);
});
