import { afterEach, beforeEach, expect, test } from 'vitest';
import { verifies } from '@codelab/testkit';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { givenToken } from './choose-gateway.js';

let folder: string;
let file: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'codelab-given-'));
  file = join(folder, 'token');
  await writeFile(file, 'from-file\n');
});
afterEach(() => rm(folder, { recursive: true, force: true }));

const url = 'ws://gateway.example/ws';

test(
  verifies('L1:token-given', "a token for a gateway is given by a variable or a file, and none of them is the services' of this machine"),
  async () => {
    expect(await givenToken({ url }, { token: 'from-variable', tokenFile: file })).toBe('from-variable');
    expect(await givenToken({ url }, { tokenFile: file })).toBe('from-file');
    expect(await givenToken({ url, tokenFile: file }, { token: 'from-variable' })).toBe('from-file');
    expect(await givenToken({ url, token: 'from-option' }, { token: 'from-variable', tokenFile: file })).toBe('from-option');
    expect(await givenToken({ url }, {})).toBeUndefined();
    expect(await givenToken({}, { token: 'from-variable', tokenFile: file })).toBeUndefined();
    expect(await givenToken({ tokenFile: file }, {})).toBe('from-file');
  },
);

test('a file that holds no token is a sentence that names it and what named it', async () => {
  await expect(givenToken({ url, tokenFile: join(folder, 'none') }, {})).rejects.toThrow(/^--token-file .*none can't be read \(ENOENT\)/);
  for (const content of ['', ' \n', 'two tokens', 'one\ntwo']) {
    await writeFile(file, content);
    await expect(givenToken({ url }, { tokenFile: file })).rejects.toThrow(/^CODELAB_TOKEN_FILE .* holds no token/);
  }
  await expect(givenToken({ url, token: 'a', tokenFile: file }, {})).rejects.toThrow('Give --token or --token-file, one of them.');
});
