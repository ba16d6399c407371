import { readdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { makeFolder } from '../../test/support.js';
import { clientIdFor } from './client-id.js';

const cleanups: (() => Promise<unknown>)[] = [];
let folder: string;

beforeEach(async () => {
  folder = await makeFolder(cleanups);
});

afterEach(async () => {
  for (const cleanup of cleanups.splice(0)) await cleanup();
});

test('a workspace keeps one client id, whoever asks first', async () => {
  const ids = await Promise.all(Array.from({ length: 6 }, () => clientIdFor(folder, 'ws_1')));
  expect(new Set([...ids, await clientIdFor(folder, 'ws_1')]).size).toBe(1);
  expect(ids[0]).toMatch(/^[0-9a-f-]{36}$/);
  expect(await clientIdFor(folder, 'ws_2')).not.toBe(ids[0]);
  expect(await readdir(join(folder, 'clients'))).toHaveLength(2);
});

test('a file that holds no id is replaced', async () => {
  await clientIdFor(folder, 'ws_1');
  const [name = ''] = await readdir(join(folder, 'clients'));
  await writeFile(join(folder, 'clients', name), '');
  expect(await clientIdFor(folder, 'ws_1')).toMatch(/^[0-9a-f-]{36}$/);
});
