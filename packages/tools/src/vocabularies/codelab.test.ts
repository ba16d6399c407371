import { expect, test } from '@jest/globals';
import { verifies } from '@codelab/testkit';
import fc from 'fast-check';
import { CANONICAL_TOOLS, isCanonicalTool } from '../tools/tools.js';
import { TOOLS } from '../tools/tools.js';
import { codelabVocabulary } from './vocabulary.js';

const { toModelName, toCanonical, toModelTools } = codelabVocabulary;
const anyName = fc.oneof(
  fc.string({ unit: fc.constantFrom('_', 'a', '.', '-', '5', 'f', 'h'), maxLength: 80 }),
  fc.string({ maxLength: 80 }),
  fc.string({ unit: 'binary', maxLength: 20 }),
  fc.constantFrom('git_diff', 'client__x', ...CANONICAL_TOOLS),
);

test('git.diff goes to providers as git_diff, and comes back', () => {
  expect(toModelTools(TOOLS).map(({ name }) => name)).toEqual(CANONICAL_TOOLS.map((name) => name.replace('git.', 'git_')));
  for (const name of CANONICAL_TOOLS) expect(toCanonical(toModelName(name))).toBe(name);
});

test("a client's own tool is shown with a prefix and called by its own name", () => {
  expect(toModelName('run_tests')).toBe('client__run_tests');
  expect(toCanonical('client__run_tests')).toBe('run_tests');
  expect(toCanonical(toModelName('my server/täst'))).toBe('my server/täst');
});

test.each(['git.diff', 'client__read_file', 'client__git__2e_diff', 'unheard_of', '', 'client____zz_', '__proto__'])(
  '%p, which no tool is called, means no tool',
  (name) => expect(toCanonical(name)).toBeUndefined(),
);

test(
  verifies('L3:tool-names', 'every name becomes one that providers take, no two the same, and comes back if it was short enough'),
  () => {
    fc.assert(
      fc.property(anyName, anyName, (one, other) => {
        fc.pre(!/\p{Surrogate}/u.test(one + other));
        expect(toModelName(one)).toMatch(/^[a-zA-Z0-9_-]{1,64}$/);
        if (one !== other) expect(toModelName(one)).not.toBe(toModelName(other));
        expect([one, undefined]).toContain(toCanonical(toModelName(one)));
        if (one.length <= 8 || isCanonicalTool(one)) expect(toCanonical(toModelName(one))).toBe(one);
      }),
      { numRuns: 1000 },
    );
  },
);
