import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { JsonObject } from '@codelab/tools';
import { verifies } from '@codelab/testkit';
import { chmodSync, closeSync, ftruncateSync, mkdirSync, openSync, readdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { toToolError } from '../src/to-tool-error.js';
import { temporaryWorkspace, type TemporaryWorkspace } from './temporary-workspace.js';

const MEGABYTE = 1024 * 1024;
const DIFF = 'diff --git a/new.txt b/new.txt\n--- /dev/null\n+++ b/new.txt\n@@ -0,0 +1 @@\n+x\n';
const LONG = `${'d/'.repeat(127)}ab`;

let plain: TemporaryWorkspace;
let repository: TemporaryWorkspace;
beforeAll(async () => {
  [plain, repository] = [await temporaryWorkspace(), await temporaryWorkspace()];
  for (const each of [plain, repository]) {
    const { root } = each;
    const write = (path: string, content: string | Buffer): void => each.write(path, content);
    write('text.txt', 'one\ntwo\n');
    write('large.txt', 'x'.repeat(MEGABYTE + 1));
    write('binary', Buffer.from([1, 0, 2]));
    write('latin1', Buffer.from([0xe4, 10]));
    write('dir/a', 'a');
    symlinkSync('text.txt', join(root, 'link'));
    symlinkSync('/etc', join(root, 'out'));
    const sparse = openSync(join(root, 'sparse'), 'w');
    ftruncateSync(sparse, 10 * 1024 ** 3);
    closeSync(sparse);
  }
  repository.git('init', '-q');
  repository.git('add', 'text.txt');
  repository.git('commit', '-qm', 'first');
  repository.write('text.txt', `${'y'.repeat(99)}\n`.repeat(6 * 10_486));
});
afterAll(() => {
  plain.remove();
  repository.remove();
});

const CASES: readonly (readonly [tool: string, args: JsonObject, answer: RegExp])[] = [
  ['read_file', { path: 'missing.txt' }, /^FILE_NOT_FOUND: File not found: missing\.txt/],
  ['list_files', { path: 'missing' }, /^FILE_NOT_FOUND: .*missing/],
  ['search_in_project', { path: 'missing', query: 'x' }, /^FILE_NOT_FOUND: .*missing/],
  ['delete_file', { path: 'missing' }, /^FILE_NOT_FOUND: .*missing/],
  ['move_file', { from: 'missing', to: 'x' }, /^FILE_NOT_FOUND: .*missing/],
  ['read_file', { path: 'large.txt' }, /^FILE_TOO_LARGE: large\.txt has 1048577 bytes; at most 1048576 are allowed/],
  ['read_file', { path: 'sparse' }, /^FILE_TOO_LARGE: sparse has 10737418240 bytes; at most 1048576/],
  ['write_file', { path: 'w', content: 'x'.repeat(MEGABYTE + 1) }, /^FILE_TOO_LARGE: The content for w has 1048577 bytes; at most 1048576/],
  ['apply_patch', { diff: `${DIFF}${' '.repeat(5 * MEGABYTE)}` }, /^FILE_TOO_LARGE: The diff has \d{7} bytes; at most 5242880 are allowed/],
  ['git.diff', { path: 'text.txt' }, /^FILE_TOO_LARGE: The diff of text\.txt has more than 5242880 bytes/],
  ['search_in_project', { path: 'sparse', query: 'x' }, /^FILE_TOO_LARGE: sparse has 10737418240 bytes; at most 8388608/],
  ['read_file', { path: 'a'.repeat(256) }, /^INVALID_PATH: The path has 256 characters, at most 255 are allowed: a+…/],
  ['write_file', { path: LONG, content: '' }, /^INVALID_PATH: The path has 256 characters, at most 255/],
  ['create_directory', { path: LONG }, /^INVALID_PATH: The path has 256 characters, at most 255/],
  ['move_file', { from: 'text.txt', to: LONG }, /^INVALID_PATH: The path has 256 characters, at most 255/],
  ['read_file', { path: 'a\0b' }, /^INVALID_PATH: The path has a NUL/],
  ['read_file', { path: 'dir' }, /^INVALID_PATH: dir is a directory/],
  ['write_file', { path: 'link', content: '' }, /^INVALID_PATH: link is a link/],
  ['list_files', { path: 'text.txt' }, /^INVALID_PATH: A part of text\.txt is a file/],
  ['delete_file', { path: '.' }, /^INVALID_PATH: The workspace itself is never deleted/],
  ['read_file', { path: '../x' }, /^PATH_OUTSIDE_WORKSPACE: The path must not have "\.\." in it: \.\.\/x/],
  ['read_file', { path: '/etc/passwd' }, /^PATH_OUTSIDE_WORKSPACE: The path must be relative to the workspace: \/etc\/passwd/],
  ['read_file', { path: 'C:\\x' }, /^PATH_OUTSIDE_WORKSPACE: .*C:\\x/],
  ['list_files', { path: 'out' }, /^PATH_OUTSIDE_WORKSPACE: out leads out of the workspace/],
  ['search_in_project', { path: 'out', query: 'root' }, /^PATH_OUTSIDE_WORKSPACE: out leads out/],
  ['create_directory', { path: 'out/x' }, /^PATH_OUTSIDE_WORKSPACE: out\/x leads out/],
  ['git.log', { path: '../x' }, /^PATH_OUTSIDE_WORKSPACE: .*\.\.\/x/],
  ['git.status', { path: '/etc' }, /^PATH_OUTSIDE_WORKSPACE: .*\/etc/],
  ['git.commit', { message: 'm', files: ['../x'] }, /^PATH_OUTSIDE_WORKSPACE: .*\.\.\/x/],
  ['apply_patch', { diff: DIFF }, /^PATCH_APPLY_FAILED: The work tree is not clean: text\.txt\. Commit or stash/],
  ['apply_patch', { diff: 'nonsense', allow_dirty: true }, /^PATCH_APPLY_FAILED: The diff cannot be read/],
  ['read_file', { path: 'binary' }, /^ENCODING_ERROR: binary is a binary file: it has a NUL at byte 1/],
  ['read_file', { path: 'latin1' }, /^ENCODING_ERROR: latin1 is not valid UTF-8/],
  ['write_file', { path: 'w', content: '\ud800' }, /^ENCODING_ERROR: The content for w is not valid Unicode/],
  ['no_such_tool', {}, /^TOOL_NOT_FOUND: This client has no tool no_such_tool/],
  ['read_file', {}, /^INVALID_ARGUMENTS: read_file: "path" is missing/],
  ['list_files', { limit: 10_001 }, /^INVALID_ARGUMENTS: list_files: "limit" must be <= 10000/],
  ['list_files', { pattern: '[' }, /^INVALID_ARGUMENTS: The pattern \[ cannot be read/],
  ['search_in_project', { query: 'x', limit: 2_001 }, /^INVALID_ARGUMENTS: search_in_project: "limit" must be <= 2000/],
  ['search_in_project', { query: '(', regex: true }, /^INVALID_ARGUMENTS: The query cannot be searched for: .*/],
  ['search_in_project', { query: 'a\nb' }, /^INVALID_ARGUMENTS: The query cannot be searched for: it has a line break/],
  ['write_file', { path: 'w', content: 'key = [secret github-token 0123456789ab]' }, /^INVALID_ARGUMENTS: w: the content holds a mask/],
  [
    'apply_patch',
    { diff: DIFF.replace('+x', '+[secret github-token 0123456789ab]'), allow_dirty: true },
    /^INVALID_ARGUMENTS: new\.txt: the content holds a mask/,
  ],
  ['write_file', { path: 'text.txt', content: '', expected_sha256: '' }, /^CONFLICT: text\.txt has the SHA-256 [0-9a-f]{64}, not the one/],
  ['move_file', { from: 'dir/a', to: 'text.txt' }, /^CONFLICT: text\.txt exists already; nothing was moved/],
  ['create_directory', { path: 'text.txt' }, /^CONFLICT: text\.txt exists already/],
];

describe(
  verifies(
    'W2:limits',
    'what is over a limit, or can not be, fails with its code, the path, the limit and the figure, and changes nothing',
  ),
  () => {
    test.each(CASES)('%s %.60j', async (tool, args, answer) => {
      const names = readdirSync(repository.root);
      expect(await repository.failure(tool, args)).toMatch(answer);
      expect(readdirSync(repository.root)).toEqual(names);
    });

    test.each([
      ['git.diff', { path: '.' }],
      ['git.status', {}],
      ['git.log', {}],
      ['apply_patch', { diff: DIFF }],
    ])('%s without a repository', async (tool, args: JsonObject) =>
      expect(await plain.failure(tool, args)).toMatch(/^GIT_NOT_INITIALIZED: The workspace is in no git repository/),
    );

    test('git itself fails', async () => {
      mkdirSync(join(plain.root, 'broken/.git'), { recursive: true });
      writeFileSync(join(repository.root, '.git/HEAD'), 'nonsense\n');
      expect(await repository.failure('git.diff', { path: '.' })).toMatch(/^GIT_ERROR: /);
      writeFileSync(join(repository.root, '.git/HEAD'), 'ref: refs/heads/main\n');
    });

    test('the system refuses', async () => {
      plain.write('locked/a', 'a');
      chmodSync(join(plain.root, 'locked'), 0o000);
      const answer = await plain.failure('read_file', { path: 'locked/a' });
      chmodSync(join(plain.root, 'locked'), 0o700);
      // Root is refused nothing, so that what the system would say is translated here as well.
      if (process.getuid?.() !== 0) expect(answer).toMatch(/^PERMISSION_DENIED: .*locked\/a/);
      expect(toToolError(Object.assign(new Error(), { code: 'EACCES' }), { path: 'locked/a' })).toEqual({
        code: 'PERMISSION_DENIED',
        message: 'The system denies access to locked/a.',
      });
    });

    test('every code of the specification is among these cases', () => {
      const codes = new Set(CASES.map(([, , answer]) => /^\^([A-Z_]+)/.exec(answer.source)?.[1]));
      for (const code of [
        'FILE_NOT_FOUND',
        'FILE_TOO_LARGE',
        'INVALID_PATH',
        'PATH_OUTSIDE_WORKSPACE',
        'PATCH_APPLY_FAILED',
        'ENCODING_ERROR',
        'TOOL_NOT_FOUND',
        'INVALID_ARGUMENTS',
      ])
        expect(codes).toContain(code); // GIT_NOT_INITIALIZED, GIT_ERROR and PERMISSION_DENIED stand above
    });
  },
);
