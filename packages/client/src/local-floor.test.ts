import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, expect, test } from '@jest/globals';
import { makeFolder } from '../test/support.js';
import { createLocalFloor, readLocalFloor } from './local-floor.js';

const cleanups: (() => Promise<unknown>)[] = [];

afterEach(async () => {
  for (const cleanup of cleanups.splice(0)) await cleanup();
});

const patchOf = (path: string): string => `--- a/${path}\n+++ b/${path}\n@@ -1 +1 @@\n-a\n+b\n`;

test.each<[string, string, Record<string, unknown>]>([
  ['ask', 'run_command', { command: 'ls' }],
  ['ask', 'run_persistent', { command: 'ls' }],
  ['ask', 'write_file', { path: '.git/hooks/pre-commit', content: '' }],
  ['ask', 'write_file', { path: 'sub/.ENV', content: '' }],
  ['ask', 'move_file', { from: 'a', to: '.vscode/tasks.json' }],
  ['ask', 'delete_file', { path: '.github/workflows/ci.yml' }],
  ['ask', 'apply_patch', { diff: patchOf('.env') }],
  ['ask', 'apply_patch', { diff: 'no patch at all' }],
  ['ask', 'read_file', { path: '.env' }],
  ['run', 'apply_patch', { diff: patchOf('src/a.ts') }],
  ['run', 'write_file', { path: 'src/a.ts', content: '' }],
  ['run', 'read_file', { path: '.github/workflows/ci.yml' }],
  ['run', 'delete_file', { path: 'src/a.ts' }],
])('the default floor says %s to %s %j', (verdict, tool, args) => {
  expect(createLocalFloor().judge(tool, args)).toBe(verdict);
});

test('a floor may trust every approver, and may ask about any tool', () => {
  const trusting = createLocalFloor({ approvals: 'anywhere', ask: ['write_file'] });
  expect(trusting.judge('run_command', { command: 'ls' })).toBe('run');
  expect(trusting.judge('write_file', { path: 'a' })).toBe('ask');
  expect(createLocalFloor({ ask: ['*'] }).judge('anything', {})).toBe('ask');
});

test('a floor is read from its file, and is the default one without', async () => {
  const path = join(await makeFolder(cleanups), 'floor.json');
  expect((await readLocalFloor(path)).judge('run_command', {})).toBe('ask');
  await writeFile(path, '{"approvals":"anywhere"}');
  expect((await readLocalFloor(path)).judge('run_command', {})).toBe('run');
});

test.each(['{', '[]', 'null', '{"approvals":"remote"}', '{"ask":"*"}', '{"aproval":"local"}'])(
  'a floor that says %s is no floor, and no guess is made',
  async (text) => {
    const path = join(await makeFolder(cleanups), 'floor.json');
    await writeFile(path, text);
    await expect(readLocalFloor(path)).rejects.toThrow(path);
  },
);
