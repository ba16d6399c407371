import { expect, test } from 'vitest';
import { PatchError } from '@codelab/tools';
import { about, toToolError } from './to-tool-error.js';
import { ToolFailure } from './tool-failure.js';

const errno = (code: string): Error => Object.assign(new Error(`${code}: it failed, open '/home/user/private/a'`), { code });

test.each([
  ['ENOENT', 'FILE_NOT_FOUND', 'File not found: a.'],
  ['EACCES', 'PERMISSION_DENIED', 'The system denies access to a.'],
  ['EPERM', 'PERMISSION_DENIED', 'The system does not permit this on a.'],
  ['EROFS', 'PERMISSION_DENIED', 'The file system of a is read-only.'],
  ['EISDIR', 'INVALID_PATH', 'a is a directory.'],
  ['ENOTDIR', 'INVALID_PATH', 'A part of a is a file, not a directory.'],
  ['ENAMETOOLONG', 'INVALID_PATH', 'A name in a is longer than the file system takes (255 bytes on most).'],
  ['ENOSPC', 'FILE_TOO_LARGE', 'No space is left on the device of a; nothing was changed.'],
  ['EEXIST', 'CONFLICT', 'a exists already; nothing was written.'],
  ['EUNHEARD', 'PERMISSION_DENIED', 'The system answers EUNHEARD for a.'],
])("%s becomes %s, without the system's absolute path", (code, expected, message) => {
  expect(toToolError(errno(code), { path: 'a' })).toEqual({ code: expected, message });
});

test('a path with a dollar sign stays itself', () =>
  expect(toToolError(errno('ENOENT'), { path: '$&' }).message).toBe('File not found: $&.'));

test('failures keep their code, from whichever copy of the class', () => {
  expect(toToolError(new ToolFailure('GIT_ERROR', 'x'))).toEqual({ code: 'GIT_ERROR', message: 'x' });
  expect(toToolError({ name: 'ToolFailure', code: 'DENIED_BY_USER', message: 'no' })).toEqual({ code: 'DENIED_BY_USER', message: 'no' });
  expect(toToolError({ name: 'ToolFailure', code: 'constructor', message: 'no' }).code).toBe('OUTCOME_UNKNOWN');
});

test('a deadline, a cancellation and a patch that cannot be read are told apart', () => {
  const controller = new AbortController();
  controller.abort('because');
  expect(toToolError(new DOMException('', 'TimeoutError')).code).toBe('TIMEOUT');
  expect(toToolError(new DOMException('', 'AbortError')).code).toBe('CANCELLED');
  expect(toToolError('because', { signal: controller.signal }).code).toBe('CANCELLED');
  expect(toToolError(new PatchError('bad', 3))).toEqual({
    code: 'PATCH_APPLY_FAILED',
    message: 'The diff cannot be read: line 3 of the diff: bad.',
  });
});

test.each([new TypeError('/home/user is undefined'), 'text', undefined, null])('a fault of ours (%p) leaks nothing', (fault) => {
  expect(toToolError(fault)).toEqual({ code: 'OUTCOME_UNKNOWN', message: expect.not.stringContaining('/home') });
});

test('about names the path of a step, and leaves other errors alone', async () => {
  await expect(about('src/a', () => Promise.reject(errno('ENOENT')))).rejects.toMatchObject({
    code: 'FILE_NOT_FOUND',
    message: 'File not found: src/a.',
  });
  const fault = new TypeError('x');
  await expect(about('src/a', () => Promise.reject(fault))).rejects.toBe(fault);
});
