import { afterAll, afterEach, beforeAll, expect, test, vi } from 'vitest';
import { verifies } from '@codelab/testkit';
import { chownSync } from 'node:fs';
import { join } from 'node:path';
import { temporaryWorkspace, type TemporaryWorkspace } from '../../test/temporary-workspace.js';

let temporary: TemporaryWorkspace;
const { HOME, XDG_CONFIG_HOME } = process.env;
const own = process.getuid?.() ?? 0;
beforeAll(async () => {
  temporary = await temporaryWorkspace();
  temporary.git('init', '--quiet');
  Object.assign(process.env, { HOME: temporary.outside, XDG_CONFIG_HOME: temporary.outside });
});
afterEach(() => {
  vi.restoreAllMocks();
  delete process.env['SUDO_UID'];
});
afterAll(() => {
  for (const [name, value] of Object.entries({ HOME, XDG_CONFIG_HOME })) {
    if (value === undefined) delete process.env[name];
    else process.env[name] = value;
  }
  temporary.remove();
});

const status = (): Promise<string> => temporary.failure('git.status', {});
const REFUSED = /^GIT_ERROR: The repository belongs to another user\. .*safe\.directory/;
/** This process is that of another user, so what is here is foreign. */
const become = (uid: number): void => void vi.spyOn(process as { getuid(): number }, 'getuid').mockReturnValue(uid);

test(verifies('H1:git-owner', 'a repository of another user is not read, unless its person declared it to be safe'), async () => {
  expect(await status()).toMatch(/^succeeded/);
  become(own + 1);
  expect(await status()).toMatch(REFUSED);
  temporary.git('config', '--file', `${temporary.outside}/.gitconfig`, 'safe.directory', '/elsewhere');
  expect(await status()).toMatch(REFUSED);
  temporary.git('config', '--file', `${temporary.outside}/.gitconfig`, 'safe.directory', temporary.root);
  expect(await status()).toMatch(/^succeeded/);
  temporary.git('config', '--file', `${temporary.outside}/.gitconfig`, '--add', 'safe.directory', ''); // begins anew
  expect(await status()).toMatch(REFUSED);
});

test(verifies('H1:git-owner', 'who became administrator by sudo has the repositories of the user that it was'), async () => {
  const user = own === 0 ? 12_345 : own;
  if (own === 0) for (const path of ['', '.git']) chownSync(join(temporary.root, path), user, -1);
  become(0);
  expect(await status()).toMatch(REFUSED);
  process.env['SUDO_UID'] = String(user);
  expect(await status()).toMatch(/^succeeded/);
});
