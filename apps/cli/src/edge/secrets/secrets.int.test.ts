import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { PassThrough } from 'node:stream';
import { text as readAll } from 'node:stream/consumers';
import type { WriteStream } from 'node:tty';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { allow, forget, listSecrets } from './run-secrets.js';

let folder: string;

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'codelab-secrets-'));
  vi.stubEnv('CODELAB_DATA_DIR', folder);
});

afterEach(async () => {
  vi.unstubAllEnvs();
  await rm(folder, { recursive: true, force: true });
});

async function printed(command: (out: WriteStream) => Promise<void>): Promise<string> {
  const out = new PassThrough();
  await command(out as unknown as WriteStream);
  out.end();
  return readAll(out);
}

test('a secret is allowed by its fingerprint, listed, and masked again', async () => {
  expect(await printed(listSecrets)).toMatch(/^No secret is shown/);
  expect(await printed((out) => allow('0123456789ab', out))).toContain('codelab secrets forget 0123456789ab');
  expect(await printed(listSecrets)).toBe('0123456789ab\n');
  expect(await printed((out) => forget('0123456789ab', out))).toBe('0123456789ab is masked again.\n');
  expect(await printed(listSecrets)).toMatch(/^No secret is shown/);
});

test('what is no fingerprint, what is not shown and a broken file are said in one sentence', async () => {
  await expect(printed((out) => allow('sk-live-1', out))).rejects.toMatchObject({
    name: 'CommandError',
    message: expect.stringContaining('12 hex'),
  });
  await expect(printed((out) => forget('0123456789ab', out))).rejects.toThrow('is not shown');
  await writeFile(join(folder, 'secrets.json'), '{');
  await expect(printed(listSecrets)).rejects.toMatchObject({ name: 'CommandError', message: expect.stringContaining('secrets.json') });
});
