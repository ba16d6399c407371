import { mkdtemp, rm, truncate, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { verifies } from '@codelab/testkit';
import { MAX_IMAGE_BYTES, readImageFile } from './read-image-file.js';

const PIXEL = Buffer.from('R0lGODlhAQABAAAAACwAAAAAAQABAAACAkQBADs=', 'base64');

let folder: string;
const at = (name: string): string => join(folder, name);
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'image-'));
});
afterEach(() => rm(folder, { recursive: true }));

test('an image goes by its last name, with its kind and content', async () => {
  await writeFile(at('pixel.png'), PIXEL); // its bytes say what it is
  expect(await readImageFile(at('pixel.png'))).toMatchObject({
    path: 'pixel.png',
    media_type: 'image/gif',
    content: PIXEL.toString('base64'),
  });
});

test(
  verifies('W1:pasted-images', 'of files outside the workspace only images are read, and only those a human pasted the path of'),
  async () => {
    await writeFile(at('secret.png'), 'API_KEY=1');
    await writeFile(at('document.png'), '%PDF-1.7');
    await writeFile(at('large.png'), PIXEL);
    await truncate(at('large.png'), MAX_IMAGE_BYTES + 1);
    await expect(readImageFile(at('secret.png'))).rejects.toMatchObject({ code: 'ENCODING_ERROR' });
    await expect(readImageFile(at('document.png'))).rejects.toMatchObject({ code: 'ENCODING_ERROR' });
    await expect(readImageFile(at('large.png'))).rejects.toMatchObject({
      code: 'FILE_TOO_LARGE',
      message: expect.stringContaining('3145729'),
    });
    await expect(readImageFile(folder)).rejects.toMatchObject({ code: 'INVALID_PATH' });
    await expect(readImageFile(at('none.png'))).rejects.toMatchObject({ code: 'FILE_NOT_FOUND' });
  },
);
