import { afterEach, beforeEach, expect, test } from 'vitest';
import { verifies } from '@codelab/testkit';
import { symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { temporaryWorkspace, type TemporaryWorkspace } from '../../../test/temporary-workspace.js';

let temporary: TemporaryWorkspace;
beforeEach(async () => {
  temporary = await temporaryWorkspace();
});
afterEach(() => temporary.remove());

const PNG = Buffer.from('iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==', 'base64');
const read = (path: string, args: object = {}): ReturnType<TemporaryWorkspace['run']> => temporary.run('media.read', { path, ...args });

test(verifies('L3:media', 'an image or a PDF file of the workspace comes as base64, known by its content, within a limit'), async () => {
  temporary.write('a.txt', PNG);
  expect(await read('a.txt')).toEqual({ media_type: 'image/png', data: PNG.toString('base64'), width: 1, height: 1 });
  temporary.write('b.pdf', '%PDF-1.4\n');
  expect(await read('b.pdf')).toMatchObject({ media_type: 'application/pdf', data: Buffer.from('%PDF-1.4\n').toString('base64') });
  expect(await read('b.pdf', { pages: '1-2' })).toBe('INVALID_ARGUMENTS');
  expect(await read('a.txt', { max_bytes: PNG.length })).toMatchObject({ width: 1 });
  expect(await read('a.txt', { max_bytes: PNG.length - 1 })).toBe('FILE_TOO_LARGE');
  temporary.write('large.png', Buffer.concat([PNG, Buffer.alloc(3 * 1024 * 1024)]));
  expect(await read('large.png')).toBe('FILE_TOO_LARGE');
  expect(await read('a.txt', { max_bytes: 4_000_000 })).toBe('INVALID_ARGUMENTS');
  for (const content of ['', '<svg/>', Buffer.from([0, 1, 2])]) {
    temporary.write('other.png', content);
    expect(await read('other.png')).toBe('ENCODING_ERROR');
  }
  symlinkSync(join(temporary.outside, 'secret.txt'), join(temporary.root, 'link.png'));
  expect(await read('link.png')).toBe('PATH_OUTSIDE_WORKSPACE');
  expect(await read('../x.png')).toBe('PATH_OUTSIDE_WORKSPACE');
  expect(await read('none.png')).toBe('FILE_NOT_FOUND');
});
