import { processBirth } from '@codelab/client';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { lockDirectory } from './directory-lock.js';

let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'codelab-lock-'));
});
afterEach(() => rm(folder, { recursive: true, force: true }));

test('a folder is locked once, and free again afterwards', async () => {
  const unlock = await lockDirectory(folder);
  await expect(lockDirectory(folder)).rejects.toThrow(`A stack runs on ${folder} already (process ${process.pid}): stop it`);
  await unlock();
  const unlockAgain = await lockDirectory(folder);
  await unlockAgain();
  expect(await readdir(folder)).toEqual(['up.lock.2']);
});

test.each([
  ['a process that is gone', JSON.stringify({ pid: 2 ** 22 + 1, birth: '1' })],
  ['a process whose id was given to another', JSON.stringify({ pid: process.pid, birth: 'long ago' })],
  ['nobody', 'not a lock'],
])('the lock of %s counts as none', async (_, text) => {
  await writeFile(join(folder, 'up.lock.7'), text);
  await lockDirectory(folder);
  expect(await readdir(folder)).toEqual(['up.lock.8']);
  await expect(lockDirectory(folder)).rejects.toThrow('already');
});

test('of many that find a stale lock one gets the folder', async () => {
  await writeFile(join(folder, 'up.lock.7'), JSON.stringify({ pid: 2 ** 22 + 1, birth: '1' }));
  const outcomes = await Promise.allSettled(Array.from({ length: 50 }, () => lockDirectory(folder)));
  expect(outcomes.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
});

test('a process is told from a later one with its id by its birth', async () => {
  expect(await processBirth(process.pid)).toMatch(/\S/);
  expect(await processBirth(process.pid)).not.toBe(await processBirth(1));
});
