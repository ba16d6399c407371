import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { verifies } from '@codelab/testkit';
import { openWorkspace } from '@codelab/workspace';
import { MessageFiles } from './message-files.js';

const MEGABYTE = 1024 * 1024;
const PNG = Buffer.concat([
  Buffer.from('iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==', 'base64'),
  Buffer.alloc(2.5 * MEGABYTE),
]);

let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'codelab-files-'));
});
afterEach(() => rm(folder, { recursive: true }));

test(verifies('W1:pasted-images', 'images that one message can not carry together are refused before it goes'), async () => {
  const root = join(folder, 'workspace');
  await mkdir(root);
  const pasted = ['a', 'b', 'c'].map((name) => join(folder, `${name}.png`));
  for (const path of pasted) await writeFile(path, PNG);
  const { attachments } = await openWorkspace({ root, dataDir: join(folder, 'data') });
  const files = new MessageFiles(attachments, new Set(pasted));
  const mention = (paths: readonly string[]): string => paths.map((path) => `@"${path}"`).join(' ');
  expect(await files.ofMessage(mention(pasted.slice(1)))).toMatchObject([{ path: 'b.png' }, { path: 'c.png' }]);
  await expect(files.ofMessage(mention(pasted))).rejects.toThrow('Nothing was sent. With c.png the attachments have 10');
});
