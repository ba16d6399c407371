import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { verifies } from '@codelab/testkit';
import { execFileSync } from 'node:child_process';
import { closeSync, ftruncateSync, mkdirSync, openSync, renameSync, symlinkSync } from 'node:fs';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { openWorkspace } from '../open-workspace.js';
import { temporaryWorkspace, type TemporaryWorkspace } from '../../test/temporary-workspace.js';

let temporary: TemporaryWorkspace;
beforeEach(async () => {
  temporary = await temporaryWorkspace();
});
afterEach(() => temporary.remove());

const read = (path: string): ReturnType<TemporaryWorkspace['run']> => temporary.run('read_file', { path });
const link = (target: string, path: string): void => symlinkSync(target, join(temporary.root, path));

test("a file comes back in the specification's shape", async () => {
  temporary.write('src/auth.js', '// Код: ✓\r\n');
  expect(await read('src/auth.js')).toEqual({ content: '// Код: ✓\r\n', encoding: 'utf-8' });
  expect(await read('./src//auth.js')).toEqual({ content: '// Код: ✓\r\n', encoding: 'utf-8' });
});

test('a byte order mark stays in the content', async () => {
  temporary.write('a', '\ufeffa');
  expect(await read('a')).toEqual({ content: '\ufeffa', encoding: 'utf-8' });
});

test.each([
  ['missing', 'FILE_NOT_FOUND: File not found: missing'],
  ['missing/too', 'FILE_NOT_FOUND: File not found: missing/too'],
  ['src', 'INVALID_PATH: src is a directory, not a regular file.'],
  ['.', 'INVALID_PATH: . is a directory.'],
  ['src/a.js/b', 'INVALID_PATH: A part of src/a.js/b is a file, not a directory.'],
  [`src/${'x'.repeat(250)}\u00e4\u00e4\u00e4`.slice(0, 255), 'INVALID_PATH: A name in'],
])('%.20s fails with %s', async (path, message) => {
  temporary.write('src/a.js', 'a');
  if (path.length > 200) path = path.replace(/x/g, 'ä');
  expect(await temporary.failure('read_file', { path })).toContain(message);
});

describe('limits', () => {
  test('1 MB is read, one byte more is not', async () => {
    temporary.write('fits', 'x'.repeat(1_048_576));
    temporary.write('large', 'x'.repeat(1_048_577));
    expect(await read('fits')).toMatchObject({ encoding: 'utf-8' });
    expect(await temporary.failure('read_file', { path: 'large' })).toBe(
      'FILE_TOO_LARGE: large has 1048577 bytes; at most 1048576 are allowed.',
    );
  });

  test('a sparse file of 10 GB is refused by its size, unread', async () => {
    const file = openSync(join(temporary.root, 'sparse'), 'w');
    ftruncateSync(file, 10 * 1024 ** 3);
    closeSync(file);
    expect(await read('sparse')).toBe('FILE_TOO_LARGE');
  });

  test('a file whose size the system states as 0 is read to its end, or to the limit', async () => {
    const proc = await openWorkspace({ root: '/proc', dataDir: temporary.dataDir });
    const readProc = (path: string): Promise<unknown> =>
      proc.run('read_file', { path }, { signal: new AbortController().signal, callId: 'c' });
    expect(await readProc('sys/kernel/ostype')).toMatchObject({ result: { content: 'Linux\n' } });
    expect(await readProc('kallsyms')).toMatchObject({
      error: { code: 'FILE_TOO_LARGE', message: expect.stringContaining('more than 1048576 bytes') },
    });
  });

  test.each([
    ['a NUL', Buffer.from('a\0b')],
    ['Latin-1', Buffer.from([0xe4, 0x0a])],
    ['UTF-16', Buffer.from('\ufeffhello', 'utf16le')],
    ['an overlong form', Buffer.from([0xc0, 0xaf])],
    ['half a character', Buffer.from('ä').subarray(0, 1)],
  ])('%s is no text', async (_name, content) => {
    temporary.write('a', content);
    expect(await read('a')).toBe('ENCODING_ERROR');
  });
});

describe.each(['descriptor', 'path'] as const)(
  verifies(
    'W1:read-links',
    'held by %s: a link that stays inside is followed for reading; one that leads outside, to nothing or round is not',
  ),
  (anchoring) => {
    beforeEach(async () => {
      temporary.remove();
      temporary = await temporaryWorkspace({ anchoring });
      temporary.write('src/deep/a.txt', 'A');
      temporary.write('b.txt', 'B');
    });

    test.each([
      ['a file', 'src/deep/a.txt', 'l', 'l', 'A'],
      ['a directory', 'src', 'l', 'l/deep/a.txt', 'A'],
      ['upwards', '../b.txt', 'src/l', 'src/l', 'B'],
      ['upwards to a directory', '../../src', 'src/deep/l', 'src/deep/l/deep/a.txt', 'A'],
    ])('inside: %s', async (_name, target, at, path, content) => {
      link(target, at);
      expect(await read(path)).toMatchObject({ content });
    });

    test('inside: by an absolute path, or by a way round outside', async () => {
      link(join(temporary.root, 'b.txt'), 'absolute');
      link('../ws/b.txt', 'round');
      link('absolute', 'second');
      for (const path of ['absolute', 'round', 'second']) expect(await read(path)).toMatchObject({ content: 'B' });
    });

    test('outside', async () => {
      link(join(temporary.outside, 'secret.txt'), 'leaf');
      link('../outside/secret.txt', 'relative');
      link(temporary.outside, 'parent');
      link('../ws-evil', 'sibling');
      link('/', 'top');
      link('..', 'up');
      link('/dev/zero', 'zero');
      link('/proc/self/environ', 'environ');
      link('leaf', 'second');
      for (const path of [
        'leaf',
        'relative',
        'parent/secret.txt',
        'sibling/secret.txt',
        'top/etc/passwd',
        'up/outside/secret.txt',
        'zero',
        'environ',
        'second',
      ])
        expect([path, await read(path)]).toEqual([path, 'PATH_OUTSIDE_WORKSPACE']);
    });

    test('a link to what is missing outside tells nothing about outside', async () => {
      link(join(temporary.outside, 'missing'), 'l');
      expect(await read('l')).toBe('PATH_OUTSIDE_WORKSPACE');
    });

    test('to nothing', async () => {
      link('missing', 'dangling');
      link('missing', 'parent');
      expect(await read('dangling')).toBe('FILE_NOT_FOUND');
      expect(await read('parent/a')).toBe('FILE_NOT_FOUND');
    });

    test('in a circle', async () => {
      link('loop2', 'loop1');
      link('loop1', 'loop2');
      link('.', 'self');
      expect(await temporary.failure('read_file', { path: 'loop1' })).toBe('INVALID_PATH: The links of loop1 lead in a circle.');
      expect(await read('loop1/a')).toBe('INVALID_PATH');
      expect(await read('self/self/b.txt')).toMatchObject({ content: 'B' });
      expect(await read(`${'self/'.repeat(45)}b.txt`)).toBe('INVALID_PATH');
    });

    test('to a file that asks before it is read, under a name that does not', async () => {
      temporary.write('.env', 'KEY=1');
      link('.env', 'harmless.txt');
      expect(await temporary.failure('read_file', { path: 'harmless.txt' })).toContain('INVALID_PATH: harmless.txt leads to .env');
      expect(await read('.env')).toMatchObject({ content: 'KEY=1' });
    });
  },
);

describe(verifies('W1:special-files', 'what is no regular file is refused without being opened'), () => {
  test('a FIFO that nobody writes to does not block', async () => {
    execFileSync('mkfifo', [join(temporary.root, 'fifo')]);
    expect(await temporary.failure('read_file', { path: 'fifo' })).toBe('INVALID_PATH: fifo is a FIFO, not a regular file.');
    expect(await temporary.run('write_file', { path: 'fifo', content: 'a' })).toBe('INVALID_PATH');
    expect(await read('fifo/a')).toBe('INVALID_PATH');
  });

  test('a socket', async () => {
    const server = createServer();
    await new Promise<void>((resolve) => server.listen(join(temporary.root, 'socket'), resolve));
    expect(await read('socket')).toBe('INVALID_PATH');
    await new Promise((resolve) => server.close(resolve));
  });
});

test(verifies('W1:root-replaced', 'a folder that takes the place of the workspace is not taken for it'), async () => {
  temporary.write('a', 'A');
  renameSync(temporary.root, join(temporary.base, 'moved'));
  expect(await read('a')).toBe('PATH_OUTSIDE_WORKSPACE');
  mkdirSync(temporary.root);
  temporary.write('a', 'other');
  expect(await temporary.failure('read_file', { path: 'a' })).toBe(
    'PATH_OUTSIDE_WORKSPACE: The workspace folder was removed or replaced; open it again.',
  );
  expect(await temporary.run('write_file', { path: 'b', content: '' })).toBe('PATH_OUTSIDE_WORKSPACE');
  expect(await temporary.run('git.diff', { path: '.' })).toBe('PATH_OUTSIDE_WORKSPACE');
});
