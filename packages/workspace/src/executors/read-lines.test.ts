import { afterEach, beforeEach, expect, test } from 'vitest';
import { verifies } from '@codelab/testkit';
import fc from 'fast-check';
import { createHash } from 'node:crypto';
import { execFileSync } from 'node:child_process';
import { symlinkSync, closeSync, ftruncateSync, openSync } from 'node:fs';
import { join } from 'node:path';
import { LineRange } from '../reading/line-range.js';
import { temporaryWorkspace, type TemporaryWorkspace } from '../../test/temporary-workspace.js';

let temporary: TemporaryWorkspace;
beforeEach(async () => {
  temporary = await temporaryWorkspace();
});
afterEach(() => temporary.remove());

const read = (args: { readonly path: string; readonly offset?: number; readonly limit?: number }): ReturnType<TemporaryWorkspace['run']> =>
  temporary.run('read_file', args, { additions: true });
const sha256 = (content: string): string => createHash('sha256').update(content).digest('hex');

test(verifies('L3:x1', 'lines of a file come byte for byte, with hash and number of lines of the whole file'), async () => {
  const content = '\ufeffone\r\ntwo\n\nfour';
  temporary.write('a', content);
  const facts = { encoding: 'utf-8', sha256: sha256(content), lines_total: 4 };
  expect(await read({ path: 'a' })).toEqual({ content, ...facts, truncated: false });
  expect(await read({ path: 'a', limit: 1 })).toEqual({ content: '\ufeffone\r\n', ...facts, truncated: true });
  expect(await read({ path: 'a', offset: 2, limit: 2 })).toEqual({ content: 'two\n\n', ...facts, truncated: true });
  expect(await read({ path: 'a', offset: 4, limit: 9 })).toEqual({ content: 'four', ...facts, truncated: false });
  expect(await read({ path: 'a', offset: 5 })).toEqual({ content: '', ...facts, truncated: false });
  temporary.write('empty', '');
  for (const args of [{}, { offset: 1 }, { offset: 7, limit: 2 }])
    expect(await read({ path: 'empty', ...args })).toMatchObject({ content: '', lines_total: 0, truncated: false });
  expect(await read({ path: 'a', offset: 0 })).toBe('INVALID_ARGUMENTS');
  expect(await read({ path: 'none', offset: 1 })).toBe('FILE_NOT_FOUND');
});

test('a client of version 2.0 answers as before, and so does ours to servers of 2.0', async () => {
  temporary.write('a', 'x\n');
  expect(await temporary.run('read_file', { path: 'a' })).toEqual({ content: 'x\n', encoding: 'utf-8' });
});

test('files above 1 MB are read by lines; an answer holds 1 MB, whole lines of it', async () => {
  const line = `${'x'.repeat(1023)}\n`;
  temporary.write('large', line.repeat(3_000));
  expect(await read({ path: 'large' })).toBe('FILE_TOO_LARGE');
  const piece = (await read({ path: 'large', offset: 2_000, limit: 3 })) as { content: string };
  expect(piece).toMatchObject({ content: line.repeat(3), lines_total: 3_000, truncated: true, sha256: sha256(line.repeat(3_000)) });
  const all = (await read({ path: 'large', offset: 1 })) as { content: string };
  expect(all.content).toBe(line.repeat(1_024));
  expect(all).toMatchObject({ truncated: true });
});

test('of a line of megabytes the beginning comes, and that it was cut', async () => {
  const long = 'ä'.repeat(2_000_000);
  temporary.write('a', `1\n${long}\r\n3\n`);
  const answer = (await read({ path: 'a', offset: 1, limit: 3 })) as { content: string };
  expect(answer).toMatchObject({ lines_cut: [2], lines_total: 3, truncated: false });
  expect(answer.content).toBe(`1\n${'ä'.repeat(32 * 1024)}\r\n3\n`);
});

test('what is no text, no file, outside or too large is as without a range', async () => {
  temporary.write('bin', Buffer.from([0x7f, 0, 1, 2]));
  temporary.write('latin', Buffer.from([0x61, 0x0a, 0xe4, 0x0a]));
  expect(await read({ path: 'bin', offset: 1 })).toBe('ENCODING_ERROR');
  expect(await read({ path: 'latin', offset: 2 })).toBe('ENCODING_ERROR');
  expect(await read({ path: 'latin', limit: 1 })).toMatchObject({ content: 'a\n' });
  execFileSync('mkfifo', [join(temporary.root, 'pipe')]);
  expect(await read({ path: 'pipe', offset: 1 })).toBe('INVALID_PATH');
  expect(await read({ path: '../ws/a', offset: 1 })).toBe('PATH_OUTSIDE_WORKSPACE');
  symlinkSync(join(temporary.outside, 'secret.txt'), join(temporary.root, 'link'));
  expect(await read({ path: 'link', offset: 1 })).toBe('PATH_OUTSIDE_WORKSPACE');
  const file = openSync(join(temporary.root, 'sparse'), 'w');
  ftruncateSync(file, 10 * 1024 ** 3);
  closeSync(file);
  expect(await read({ path: 'sparse', offset: 1 })).toBe('FILE_TOO_LARGE');
});

test('in whatever pieces a file comes, the lines are those of the whole', () => {
  const text = fc.string({ unit: fc.constantFrom('a', 'ß', '\n', '\r\n', '\r', '𝄞'), maxLength: 60 });
  fc.assert(
    fc.property(
      text,
      fc.integer({ min: 1, max: 12 }),
      fc.integer({ min: 1, max: 12 }),
      fc.integer({ min: 1, max: 9 }),
      (all, offset, limit, size) => {
        const range = new LineRange({ offset, limit, maxBytes: 1_000 });
        const bytes = Buffer.from(all);
        for (let at = 0; at < bytes.length; at += size) range.add(bytes.subarray(at, at + size));
        const lines = all.match(/[^\n]*\n|[^\n]+$/g) ?? [];
        const wanted = lines.slice(offset - 1, offset - 1 + limit);
        const { content, total, truncated, cut } = range.end();
        expect([content.toString(), total, truncated, cut]).toEqual([
          wanted.join(''),
          lines.length,
          offset <= lines.length && lines.length > offset - 1 + limit,
          [],
        ]);
      },
    ),
    { numRuns: 2_000 },
  );
});
