import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { readPrices } from './read-prices.js';

let folder: string;
beforeAll(async () => (folder = await mkdtemp(join(tmpdir(), 'codelab-prices-'))));
afterAll(() => rm(folder, { recursive: true }));

test('without a file nothing has a price', async () => {
  expect(await readPrices(undefined)).toEqual({});
});

test('a file of prices is read', async () => {
  const path = join(folder, 'prices.json');
  await writeFile(path, '{"m": {"input": 1, "output": 2}}');
  expect(await readPrices(path)).toEqual({ m: { input: 1, output: 2 } });
});

test('a file that is missing or wrong keeps the proxy from starting, and is named', async () => {
  const path = join(folder, 'wrong.json');
  await writeFile(path, '{"m": 1}');
  await expect(readPrices(path)).rejects.toThrow(`LLM_PROXY_PRICES_FILE ${JSON.stringify(path)} can't be used: The price table must be`);
  await expect(readPrices(join(folder, 'none'))).rejects.toMatchObject({ name: 'StartError', message: expect.stringContaining('ENOENT') });
});
