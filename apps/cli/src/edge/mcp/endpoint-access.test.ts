import { createHash } from 'node:crypto';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { verifies } from '@codelab/testkit';
import type { CliConfig } from '../config.js';
import { endpointAccess, isLoopback, readAddress } from './endpoint-access.js';

const digest = (text: string): string => createHash('sha256').update(text).digest('hex');

let dataDir: string;
beforeEach(async () => {
  dataDir = await mkdtemp(join(tmpdir(), 'codelab-access-'));
});
afterEach(() => rm(dataDir, { recursive: true, force: true }));

test('an address is a port of this machine, unless a host is named', () => {
  expect(readAddress('8900')).toEqual({ host: '127.0.0.1', port: 8900 });
  expect(readAddress('0.0.0.0:0')).toEqual({ host: '0.0.0.0', port: 0 });
  expect(readAddress('[::1]:8900')).toEqual({ host: '::1', port: 8900 });
  for (const text of ['', 'x', '70000', 'http://x:1', ':80', '::1:80']) expect(() => readAddress(text)).toThrow(/\[HOST:\]PORT/);
  expect(['127.0.0.1', 'localhost', '::1', '0.0.0.0', '10.0.0.1'].map(isLoopback)).toEqual([true, true, true, false, false]);
});

test(verifies('G1:mcp-serve-door', 'the token is that of a file, one that may run tools, or the generated one'), async () => {
  const file = join(dataDir, 'token');
  await writeFile(file, 'of-the-file\n');
  const config = (tokens?: string): CliConfig => ({ dataDir, tokens }) as CliConfig;
  expect(await endpointAccess(file, config('a=t/s'))).toMatchObject({ tokenDigests: [digest('of-the-file')] });
  expect(await endpointAccess(undefined, config('a=t/s?scopes=llm,b=t/s?scopes=tools:run'))).toMatchObject({ tokenDigests: [digest('b')] });
  await expect(endpointAccess(undefined, config('a=t/s?scopes=llm'))).rejects.toThrow('tools:run');
  const { tokenDigests, secrets, hint } = await endpointAccess(undefined, config());
  expect(tokenDigests).toEqual([digest(secrets[0]!)]);
  expect(hint).toContain('codelab token');
});
