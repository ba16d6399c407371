import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { verifies } from '@codelab/testkit';
import { inspectToolsFile, toolsFileWarning } from './tools-file.js';

let directory: string;
const places = () => ({ dataDir: directory, configDir: join(directory, 'none') });
beforeEach(async () => {
  directory = await mkdtemp(join(tmpdir(), 'codelab-tools-file-'));
});
afterEach(() => rm(directory, { recursive: true, force: true }));
const write = (text: string): Promise<void> => writeFile(join(directory, 'codelab.tools.yaml'), text);

test(verifies('G2:tools-file-told', 'a tools file that is right, or not there, is no news'), async () => {
  expect([await toolsFileWarning(places()), await inspectToolsFile(places())]).toEqual([undefined, []]);
  await write('mcp_servers: {docs: {url: "https://docs.example.com/mcp"}}\n');
  expect(await toolsFileWarning(places())).toBeUndefined();
  expect(await inspectToolsFile(places())).toMatchObject([{ state: 'right', found: join(directory, 'codelab.tools.yaml') }]);
});

test(verifies('G2:tools-file-told', 'entries of it that are off are told in one line, and all of them by doctor'), async () => {
  await write('mcp_servers:\n  a: {url: 5}\n  b: {url: "https://b.example", token_env: NO_SUCH_VARIABLE_HERE}\n');
  const warning = await toolsFileWarning(places());
  expect(warning).toMatch(/codelab\.tools\.yaml has entries that are off: line 2: mcp_servers\.a\.url .* \(1 more: codelab doctor\)$/);
  expect(await inspectToolsFile(places())).toMatchObject([
    { state: 'note', found: expect.stringContaining('line 2') },
    { state: 'note', found: expect.stringContaining('names NO_SUCH_VARIABLE_HERE, which is not set') },
  ]);
});

test(verifies('G2:tools-file-told', 'a tools file that can’t be read is wrong, and says where'), async () => {
  await write('servers: {}\n');
  expect(await toolsFileWarning(places())).toMatch(/can't be read: line 1: /);
  expect(await inspectToolsFile(places())).toMatchObject([{ state: 'wrong' }]);
});
