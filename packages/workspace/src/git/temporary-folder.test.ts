import { expect, test } from 'vitest';
import { mkdirSync, mkdtempSync, readdirSync, rmSync, symlinkSync, utimesSync, writeFileSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, dirname, join } from 'node:path';
import { makeTemporaryFolder, removeLeftFolders } from './temporary-folder.js';

test('folders that a killed client left are removed the day after, and nothing else', async () => {
  const made = await makeTemporaryFolder();
  expect([dirname(made), basename(made)]).toEqual([tmpdir(), expect.stringMatching(/^codelab-git-.{6}$/)]);
  await rm(made, { recursive: true });

  const directory = mkdtempSync(join(tmpdir(), 'codelab-left-'));
  const path = (name: string): string => join(directory, name);
  for (const name of ['codelab-git-left', 'codelab-git-new', 'codelab-other']) mkdirSync(path(name));
  writeFileSync(path('codelab-git-left/config'), '');
  writeFileSync(path('codelab-other/kept'), '');
  symlinkSync(path('codelab-other'), path('codelab-git-link'));
  const [now, old] = [Date.now(), Date.now() / 1_000 - 2 * 86_400];
  for (const name of ['codelab-git-left', 'codelab-other']) utimesSync(path(name), old, old);
  await removeLeftFolders(directory, now);
  expect(readdirSync(directory).sort()).toEqual(['codelab-git-link', 'codelab-git-new', 'codelab-other']);
  expect(readdirSync(path('codelab-other'))).toEqual(['kept']);
  await removeLeftFolders(path('nowhere'));
  rmSync(directory, { recursive: true });
});
