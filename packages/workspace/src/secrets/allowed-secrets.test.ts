import { afterEach, beforeEach, expect, test } from 'vitest';
import { mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { allowSecret, maskSecretAgain, readAllowedSecrets } from './allowed-secrets.js';

let dataDir: string;

beforeEach(() => {
  dataDir = mkdtempSync(join(tmpdir(), 'codelab-secrets-'));
});
afterEach(() => rmSync(dataDir, { recursive: true, force: true }));

test('a secret is allowed once, kept for its user alone, and masked again', async () => {
  expect([...(await readAllowedSecrets(dataDir))]).toEqual([]);
  for (const fingerprint of ['0123456789ab', 'ffffffffffff', '0123456789ab']) await allowSecret(dataDir, fingerprint);
  expect([...(await readAllowedSecrets(dataDir))]).toEqual(['ffffffffffff', '0123456789ab']);
  expect(statSync(join(dataDir, 'secrets.json')).mode & 0o777).toBe(0o600);
  await maskSecretAgain(dataDir, 'ffffffffffff');
  expect(JSON.parse(readFileSync(join(dataDir, 'secrets.json'), 'utf8'))).toEqual({ allowed: ['0123456789ab'] });
  await expect(allowSecret(dataDir, 'ghp_secret')).rejects.toThrow('no fingerprint');
});

test.each(['{', '[]', 'null', '{}', '{"allowed":"*"}', '{"allowed":["*"]}', '{"allowed":[],"all":true}'])(
  'a file that says %s allows nothing, and the user is told',
  async (text) => {
    writeFileSync(join(dataDir, 'secrets.json'), text);
    await expect(readAllowedSecrets(dataDir)).rejects.toThrow(/secrets\.json: .* every secret is masked/);
  },
);
