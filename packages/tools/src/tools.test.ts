import { expect, test } from '@jest/globals';
import { CANONICAL_TOOLS } from './canonical-tools.js';
import { findTool, TOOLS } from './tools.js';

test('the tools of version 1.0 are those of the specification, with its tags', () => {
  expect(TOOLS.map(({ name, since, group, access, idempotency }) => [name, since, group, access, idempotency])).toEqual([
    ['read_file', '1.0', 'file', 'readonly', 'safe'],
    ['write_file', '1.0', 'file', 'write', 'unsafe'],
    ['git.diff', '1.0', 'git', 'readonly', 'safe'],
    ['apply_patch', '1.0', 'file', 'write', 'unsafe'],
    ['apply_patch_review', '1.0', 'user', 'readonly', 'safe'],
    ['prompt_user', '1.0', 'user', 'readonly', 'safe'],
  ]);
});

test('every tool is canonical, is found by its name, and has a deadline that the wire allows', () => {
  for (const tool of TOOLS) {
    expect(CANONICAL_TOOLS).toContain(tool.name);
    expect(findTool(tool.name)).toBe(tool);
    expect(tool.deadlineMs).toBeGreaterThanOrEqual(60_000);
    expect(tool.deadlineMs).toBeLessThan(2 ** 31); // a longer timer fires at once
  }
  expect(findTool('no_such_tool')).toBeUndefined();
});
