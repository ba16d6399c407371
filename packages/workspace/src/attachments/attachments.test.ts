import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { verifies } from '@codelab/testkit';
import { createHash } from 'node:crypto';
import { symlinkSync, truncateSync } from 'node:fs';
import { join } from 'node:path';
import { temporaryWorkspace, type TemporaryWorkspace } from '../../test/temporary-workspace.js';
import { parseMentions } from './parse-mentions.js';

let temporary: TemporaryWorkspace;

beforeEach(async () => {
  temporary = await temporaryWorkspace();
});
afterEach(() => temporary.remove());

const PNG = Buffer.concat([Buffer.from('\x89PNG\r\n\x1a\n', 'latin1'), Buffer.alloc(8)]);

describe('mentions', () => {
  const files = new Set(['src/a.ts', 'a file.md', 'README.md', 'v1.2', 'x:1', '@scope/pkg']);
  test.each<[string, readonly (readonly [string, string?])[]]>([
    ['look at @src/a.ts and @README.md.', [['src/a.ts'], ['README.md']]],
    [
      '@src/a.ts:10-20, (@src/a.ts:7)',
      [
        ['src/a.ts', '10-20'],
        ['src/a.ts', '7'],
      ],
    ],
    ['@"a file.md" @"a file.md":3 @"a file.md:4-5"', [['a file.md'], ['a file.md', '3'], ['a file.md', '4-5']]],
    ['write to me@README.md or ann@src/a.ts', []],
    ['npm i @scope/pkg and ask @ann', []],
    ['@v1.2, @x:1', [['v1.2'], ['x:1']]],
    ['@src/a.ts @src/a.ts', [['src/a.ts']]],
    ['`@src/a.ts` "@README.md"', [['README.md']]],
    ['@', []],
  ])('%j', async (text, expected) => {
    const found = await parseMentions(text, (path) => Promise.resolve(files.has(path)));
    expect(found.map(({ path, lines }) => (lines === undefined ? [path] : [path, lines]))).toEqual(expected);
  });
});

test(verifies('W1:attachments', 'what goes with a message is read in the workspace only, and not if it looks like a secret'), async () => {
  const { attachments } = temporary.workspace;
  temporary.write('.env', 'KEY=1');
  symlinkSync(join(temporary.outside, 'secret.txt'), join(temporary.root, 'link'));
  const codeOf = (path: string): Promise<unknown> =>
    attachments.read([{ path }]).then(
      () => 'read',
      (error: { code?: string }) => error.code,
    );
  expect(await codeOf('../outside/secret.txt')).toBe('PATH_OUTSIDE_WORKSPACE');
  expect(await codeOf('/etc/passwd')).toBe('PATH_OUTSIDE_WORKSPACE');
  expect(await codeOf('link')).toBe('PATH_OUTSIDE_WORKSPACE');
  expect(await codeOf('.env')).toBe('PERMISSION_DENIED');
  expect(await codeOf('none')).toBe('FILE_NOT_FOUND');
  expect(await attachments.read([{ path: '.env' }], { allowSecrets: new Set(['.env']) })).toMatchObject([{ content: 'KEY=1' }]);
  expect(await attachments.mentioned('@link @../outside/secret.txt @.env @none')).toEqual([{ path: '.env' }]);
});

test('texts, lines and images are read with their digest', async () => {
  const { attachments } = temporary.workspace;
  temporary.write('a.txt', 'one\r\ntwo\nthree');
  temporary.write('picture.txt', PNG);
  const sha256 = createHash('sha256').update('one\r\ntwo\nthree').digest('hex');
  expect(await attachments.read([{ path: './a.txt' }, { path: 'a.txt', lines: '2-9' }, { path: 'a.txt', lines: '1' }])).toEqual([
    { path: 'a.txt', sha256, content: 'one\r\ntwo\nthree' },
    { path: 'a.txt', lines: '2-9', sha256, content: 'two\nthree' },
    { path: 'a.txt', lines: '1', sha256, content: 'one\r\n' },
  ]);
  expect(await attachments.read([{ path: 'picture.txt' }])).toMatchObject([{ content: PNG.toString('base64'), media_type: 'image/png' }]);
});

test.each<[string, Record<string, Buffer | string>, { path: string; lines?: string }, RegExp]>([
  ['a text above 1 MB', { big: 'x'.repeat(1024 * 1024 + 1) }, { path: 'big' }, /big has 1048577 bytes; .* at most 1048576/],
  ['a binary file', { bin: Buffer.from([1, 0, 2]) }, { path: 'bin' }, /bin is a binary file/],
  ['lines behind the end', { a: 'x\n' }, { path: 'a', lines: '5-6' }, /a has 1 lines; 5-6 is behind its end/],
  ['lines that run backwards', { a: 'x\n' }, { path: 'a', lines: '6-5' }, /a:6-5 names no lines/],
  ['lines of an image', { p: PNG }, { path: 'p', lines: '1' }, /p is an image/],
])('%s can not be attached', async (_what, content, spec, message) => {
  for (const [path, text] of Object.entries(content)) temporary.write(path, text);
  await expect(temporary.workspace.attachments.read([spec])).rejects.toThrow(message);
});

test('an image above 3 MB can not be attached, nor more than 32 files', async () => {
  temporary.write('p', PNG);
  truncateSync(join(temporary.root, 'p'), 3 * 1024 * 1024 + 1);
  await expect(temporary.workspace.attachments.read([{ path: 'p' }])).rejects.toThrow('p has 3145729 bytes');
  await expect(temporary.workspace.attachments.read(Array.from({ length: 33 }, () => ({ path: 'a' })))).rejects.toThrow('33 files');
});

test('paths are completed folder by folder, then by name anywhere; ignored and secret files are not offered', async () => {
  temporary.git('init', '-q');
  for (const path of ['src/app.ts', 'src/api/App.test.ts', 'assets/x', 'build/app.js', '.env', 'apple.md']) temporary.write(path, '');
  temporary.write('.gitignore', 'build\n');
  const { attachments } = temporary.workspace;
  expect(await attachments.complete('a')).toEqual(['apple.md', 'assets/']);
  expect(await attachments.complete('src/a')).toEqual(['src/api/', 'src/app.ts']);
  expect(await attachments.complete('app')).toEqual(['apple.md', 'src/api/App.test.ts', 'src/app.ts']);
  expect(await attachments.complete('.env')).toEqual([]);
  expect(await attachments.complete('../')).toEqual([]);
  expect(await attachments.complete('none/x')).toEqual([]);
  expect(await attachments.complete('s', { limit: 1 })).toHaveLength(1);
});
