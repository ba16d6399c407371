import { expect, test } from 'vitest';
import fc from 'fast-check';
import { verifies } from '@codelab/testkit';
import { isLegalToolName, ToolNames } from './tool-names.js';

const LEGAL = /^[a-zA-Z0-9_-]{1,64}$/;

test(verifies('L3:tool-names', 'an illegal tool name becomes a legal one and comes back'), () => {
  const names = new ToolNames(['git.diff', 'read_file', 'mcp__файлы', 'a b']);
  for (const name of ['git.diff', 'read_file', 'mcp__файлы', 'a b']) {
    expect(names.toWire(name)).toMatch(LEGAL);
    expect(names.fromWire(names.toWire(name))).toBe(name);
  }
  expect(names.toWire('git.diff')).toBe('git_diff');
});

test(verifies('L3:F9', 'two names never become one'), () => {
  const all = ['git.diff', 'git_diff', 'git diff', 'git-diff'];
  const names = new ToolNames(all);
  expect(new Set(all.map((name) => names.toWire(name))).size).toBe(all.length);
  expect(names.toWire('git_diff')).toBe('git_diff');
  for (const name of all) expect(names.fromWire(names.toWire(name))).toBe(name);
});

test(verifies('L3:RQ15', 'a long name is cut to 55 characters and a hash, the same every time'), () => {
  const name = `server_${'x'.repeat(83)}`;
  const wire = new ToolNames([name]).toWire(name);
  expect(wire).toMatch(/^server_x{48}_[0-9a-f]{8}$/);
  expect(new ToolNames(['other', name]).toWire(name)).toBe(wire);
});

test(verifies('L3:RQ16', 'a blank name gets a placeholder; a name that nobody declared stays as it is'), () => {
  const names = new ToolNames(['']);
  expect(names.toWire('')).toMatch(LEGAL);
  expect(names.fromWire('made_up')).toBe('made_up');
  expect(names.knows('made_up')).toBe(false);
});

test('whatever the names are, and however short the server wants them, each has its own, and it comes back', () => {
  const name = fc.oneof(
    fc.string(),
    fc.constantFrom('git.diff', 'git diff', 'git_diff', '', ' ', 'unnamed_tool'),
    fc.string({ minLength: 60 }),
  );
  fc.assert(
    fc.property(fc.uniqueArray(name), fc.integer({ min: 10, max: 64 }), (all, maxLength) => {
      const names = new ToolNames(all, maxLength);
      const wires = all.map((one) => names.toWire(one));
      expect(new Set(wires).size).toBe(all.length);
      for (const wire of wires) expect(isLegalToolName(wire, maxLength)).toBe(true);
      expect(wires.map((wire) => names.fromWire(wire))).toEqual(all);
    }),
    { numRuns: 200 },
  );
});

test('a name whose hash is taken gets another one', () => {
  const long = 'x'.repeat(90);
  const taken = new ToolNames([long]).toWire(long);
  expect(new ToolNames([taken, long]).toWire(long)).not.toBe(taken);
});
