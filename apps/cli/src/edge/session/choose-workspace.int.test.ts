import { mkdir, mkdtemp, realpath, rm, symlink } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { chooseWorkspace } from './choose-workspace.js';

let folder: string;

beforeEach(async () => {
  folder = await realpath(await mkdtemp(join(tmpdir(), 'codelab-workspace-')));
  await mkdir(join(folder, 'repo'));
});

afterEach(() => rm(folder, { recursive: true, force: true }));

test('what a folder remembers is found again, also by a link, and by place', async () => {
  const first = await chooseWorkspace(join(folder, 'repo'), join(folder, 'data'));
  expect(await first.lastSession('local')).toBeUndefined();
  await first.rememberSession('local', 's1');
  await first.rememberSession('ws://host/ws', 's2');
  await first.rememberMessage('two\nlines');
  await symlink(join(folder, 'repo'), join(folder, 'link'));
  const again = await chooseWorkspace(join(folder, 'link'), join(folder, 'data'));
  expect(again.identity).toEqual(first.identity);
  expect([await again.lastSession('local'), await again.lastSession('ws://host/ws')]).toEqual(['s1', 's2']);
  expect(await again.history()).toEqual(['two\nlines']);
});

test('only the latest messages are offered again', async () => {
  const workspace = await chooseWorkspace(join(folder, 'repo'), join(folder, 'data'));
  for (let index = 0; index < 210; index += 1) await workspace.rememberMessage(String(index));
  const history = await workspace.history();
  expect([history.length, history[0], history.at(-1)]).toEqual([200, '10', '209']);
});
