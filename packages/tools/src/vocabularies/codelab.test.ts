import { expect, test } from 'vitest';
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
  fc.constantFrom('git_diff', 'client__x', 'mcp__a__b', 'mcp__a', 'client__mcp__a__b', ...CANONICAL_TOOLS),
  fc.string({ unit: fc.constantFrom('_', '__', 'a', '.', '5', 'h'), maxLength: 70 }).map((tool) => `mcp__srv__${tool}`),
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

test(
  verifies('H1:mcp-names', 'the name of a tool of an MCP server is its own toward models, and no tool of another source takes it'),
  () => {
    expect(toModelName('mcp__files__read_file')).toBe('mcp__files__read_file');
    expect(toCanonical('mcp__files__read_file')).toBe('mcp__files__read_file');
    expect(toModelName('mcp__files__list.all')).toBe('mcp__files__list__2e_all');
    expect(toCanonical('mcp__files__list__2e_all')).toBe('mcp__files__list.all');
    expect(toModelName('mcp__files')).toBe('client__mcp__5f__files');
    expect(toModelName('client__mcp__files__read_file')).not.toBe('mcp__files__read_file');
    const long = [`mcp__files__${'a'.repeat(70)}`, `mcp__files__${'a'.repeat(71)}`].map(toModelName);
    expect(new Set(long).size).toBe(2);
    for (const name of long) expect(name).toMatch(/^mcp__files__a+__h[0-9a-f]{16}$/);
  },
);

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
