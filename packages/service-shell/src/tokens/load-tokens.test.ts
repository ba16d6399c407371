import { afterEach, beforeEach, expect, test } from 'vitest';
import { mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir, userInfo } from 'node:os';
import { join } from 'node:path';
import { verifies } from '@codelab/testkit';
import { loadTokens } from './load-tokens.js';
import { hashToken } from './parse-tokens.js';
import { readOrCreateToken } from './token-file.js';

let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'codelab-token-'));
});
afterEach(() => rm(folder, { recursive: true, force: true }));

test(
  verifies('G1:generated-token', 'without CODELAB_TOKENS a token is generated once, kept for its owner alone, and held as a hash'),
  async () => {
    const dataDir = join(folder, 'new', 'data');
    const [entry, ...others] = await loadTokens({ dataDir });
    const token = (await readFile(join(dataDir, 'token'), 'utf8')).trim();
    expect(token).toMatch(/^cl_[A-Za-z0-9_-]{43}$/);
    expect(entry).toMatchObject({ sha256: hashToken(token), tenant: 'local', sub: userInfo().username });
    expect(JSON.stringify(entry)).not.toContain(token);
    expect(others).toEqual([]);
    expect((await stat(join(dataDir, 'token'))).mode & 0o777).toBe(0o600);
    expect(await loadTokens({ dataDir, tokens: '' })).toEqual([entry]);
  },
);

test('processes that start at the same moment agree on one token and leave nothing else', async () => {
  const tokens = await Promise.all(Array.from({ length: 20 }, () => readOrCreateToken(folder)));
  expect(new Set(tokens).size).toBe(1);
  expect(await readdir(folder)).toEqual(['token']);
});

test('configured tokens take the place of the generated one', async () => {
  expect(await loadTokens({ tokens: 'mine=acme/ann', dataDir: folder })).toMatchObject([{ tenant: 'acme', sub: 'ann' }]);
  expect(await readdir(folder)).toEqual([]);
});

test('a data directory that cannot be made is one sentence that names the variable', async () => {
  await writeFile(join(folder, 'file'), '');
  await expect(loadTokens({ dataDir: join(folder, 'file', 'data') })).rejects.toThrow(
    /can't be made \(ENOTDIR\): set CODELAB_DATA_DIR to a folder/,
  );
});
