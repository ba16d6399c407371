import { expect, test } from 'vitest';
import { mayHaveImages } from './may-have-images.js';

const done = { progress: 'done' } as const;

test('pictures are asked for of any tool of a server as its call ends, and later of those that the history names', () => {
  for (const toolName of ['mcp__design__export', 'mcp__browser__take_screenshot', 'media.read', 'kernel.execute'])
    expect([toolName, mayHaveImages({ ...done, toolName })]).toEqual([toolName, true]);
  for (const toolName of ['read_file', 'run_command']) expect(mayHaveImages({ ...done, toolName })).toBe(false);
  expect(mayHaveImages({ progress: 'running', toolName: 'mcp__design__export' })).toBe(false);
  expect(mayHaveImages({ ...done, toolName: 'mcp__design__export', images: [] })).toBe(false);
  expect(mayHaveImages({ ...done, toolName: 'read_file', images: [{ mediaType: 'image/png', bytes: 3 }] })).toBe(true);
});
