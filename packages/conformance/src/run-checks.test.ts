import { createHash } from 'node:crypto';
import { expect, test } from 'vitest';
import { canonicalJson } from '@codelab/tools';
import { Failure, Skip, type Check, type CheckFacts } from './check.js';
import { CLIENT_CHECKS } from './client/client-checks.js';
import { GATEWAY_CHECKS } from './gateway/gateway-checks.js';
import { reportLine, reportSum } from './report.js';
import { pickChecks, runChecks } from './run-checks.js';
import { RFC8785_VECTORS } from './vectors/rfc8785.js';

const check = (id: string, run: () => Promise<void>): Check<object> => ({ id, says: `does ${id}`, section: 'executor.md', run });
const CHECKS = [
  check('a.good', () => Promise.resolve()),
  check('a.bad', () => Promise.reject(new Failure('it came twice'))),
  check('b.absent', () => Promise.reject(new Skip('no token of another person'))),
  check('b.broken', () => Promise.reject(new TypeError('the kit itself'))),
];
const stage = () => Promise.resolve({ stage: {}, close: () => Promise.resolve() });

test('a check passes, fails or is skipped, each with its reason, and a fault of the kit is a failure', async () => {
  const results = await runChecks(CHECKS, { stage, jobs: 3 });
  expect(results.map(({ id, outcome }) => [id, outcome])).toEqual([
    ['a.good', 'passed'],
    ['a.bad', 'failed'],
    ['b.absent', 'skipped'],
    ['b.broken', 'failed'],
  ]);
  expect(results[3]?.why).toContain('the kit itself');
  expect(reportSum(results)).toBe('1 passed, 2 failed, 1 skipped');
  expect(reportLine(results[1]!)).toMatch(/^✗ a\.bad +does a\.bad\n {4}failed: it came twice \(docs\/protocol\/executor\.md, \d+ ms\)$/);
});

test('checks are picked by id or family, and a name that is none is told', () => {
  expect(pickChecks(CHECKS, ['b']).map(({ id }) => id)).toEqual(['b.absent', 'b.broken']);
  expect(pickChecks(CHECKS, ['a.bad']).map(({ id }) => id)).toEqual(['a.bad']);
  expect(() => pickChecks(CHECKS, ['c'])).toThrow('There is no check c. There are: a.good');
});

test.each([
  ['clients', CLIENT_CHECKS],
  ['gateways', GATEWAY_CHECKS],
])('every check of %s has an id of its own and says something', (_, checks: readonly CheckFacts[]) => {
  expect(new Set(checks.map(({ id }) => id)).size).toBe(checks.length);
  for (const { id, says } of checks)
    expect([id, says]).toEqual([expect.stringMatching(/^[a-z]+\.[a-z0-9-]+$/), expect.stringMatching(/^\S.*[^.]$/)]);
});

test.each(RFC8785_VECTORS)('the vector of $what is what this project computes', ({ json, canonical }) => {
  expect(canonicalJson(JSON.parse(json))).toBe(canonical);
  expect(createHash('sha256').update(canonical).digest('hex')).toHaveLength(64);
});
