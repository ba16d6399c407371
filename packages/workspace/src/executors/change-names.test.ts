import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { Operand } from '@codelab/protocol';
import type { JsonObject } from '@codelab/tools';
import { verifies } from '@codelab/testkit';
import { execFileSync } from 'node:child_process';
import { chmodSync, existsSync, linkSync, lstatSync, mkdirSync, readlinkSync, renameSync, rmSync, statSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { toWorkspacePath } from '../files/paths/parse-path.js';
import { WorkspaceFiles } from '../files/workspace-files.js';
import { findWorkspaceRoot } from '../files/paths/workspace-root.js';
import type { CallBackup } from '../backups/backups.js';
import { temporaryWorkspace, type TemporaryWorkspace } from '../../test/temporary-workspace.js';

let temporary: TemporaryWorkspace;
beforeEach(async () => {
  temporary = await temporaryWorkspace();
  temporary.write('src/a.txt', 'A');
  temporary.write('src/deep/b.txt', 'B');
});
afterEach(() => temporary.remove());

const at = (path: string): string => join(temporary.root, path);
const remove = (path: string): ReturnType<TemporaryWorkspace['run']> => temporary.run('delete_file', { path });
const move = (from: string, to: string): ReturnType<TemporaryWorkspace['run']> => temporary.run('move_file', { from, to });
const create = (path: string): ReturnType<TemporaryWorkspace['run']> => temporary.run('create_directory', { path });
const lastCall = async (): Promise<CallBackup> => (await temporary.workspace.backups.list()).at(-1)!;

describe('create_directory', () => {
  test('makes what is missing, and notes what it made', async () => {
    expect(await create('x/y/z')).toEqual({ success: true, created: true });
    expect(statSync(at('x/y/z')).isDirectory()).toBe(true);
    expect(await lastCall()).toMatchObject({ created_directories: ['x', 'x/y', 'x/y/z'], files: [] });
    expect(await create('x/y')).toEqual({ success: true, created: false });
    expect(await create('.')).toEqual({ success: true, created: false });
  });

  test('over a file is a conflict', async () => {
    expect(await temporary.failure('create_directory', { path: 'src/a.txt' })).toBe(
      'CONFLICT: src/a.txt exists already, and is no directory or lies below a file.',
    );
    expect(await create('src/a.txt/x')).toBe('CONFLICT');
  });

  test('through links that lead outside, to nothing or round makes nothing', async () => {
    symlinkSync(temporary.outside, at('out'));
    symlinkSync('missing', at('dangling'));
    symlinkSync('round', at('round'));
    symlinkSync('src', at('l'));
    expect(await create('out/x')).toBe('PATH_OUTSIDE_WORKSPACE');
    expect(await create('dangling/x')).toBe('FILE_NOT_FOUND');
    expect(await create('dangling')).toBe('FILE_NOT_FOUND');
    expect(await create('round/x')).toBe('INVALID_PATH');
    expect(await create('l/x')).toEqual({ success: true, created: true });
    expect(await lastCall()).toMatchObject({ created_directories: ['src/x'] });
    expect(existsSync(join(temporary.outside, 'x')) || existsSync(at('missing'))).toBe(false);
  });

  test('a preview names what would be made', async () => {
    const { preview } = await temporary.workspace.preview('create_directory', { path: 'src/x/y' });
    expect(preview).toEqual({ kind: 'text', text: 'Creates:\nsrc/x\nsrc/x/y' });
    expect(existsSync(at('src/x'))).toBe(false);
  });
});

describe('move_file', () => {
  test('a file, a directory and a link keep what they are', async () => {
    chmodSync(at('src/a.txt'), 0o750);
    symlinkSync('../outside', at('l'));
    expect(await move('src/a.txt', 'new/dir/a.txt')).toEqual({ success: true });
    expect(await lastCall()).toMatchObject({
      moves: [{ from: 'src/a.txt', to: 'new/dir/a.txt', kind: 'file' }],
      created_directories: ['new', 'new/dir'],
    });
    expect(statSync(at('new/dir/a.txt')).mode & 0o777).toBe(0o750);
    expect(await move('src', 'new/src')).toEqual({ success: true });
    expect(temporary.read('new/src/deep/b.txt')).toBe('B');
    expect(await move('l', 'new/l')).toEqual({ success: true });
    expect(readlinkSync(at('new/l'))).toBe('../outside');
    expect(existsSync(at('src'))).toBe(false);
  });

  test(verifies('W2:move-replaces-nothing', 'a move replaces nothing: no file, no directory, no link, no second name'), async () => {
    mkdirSync(at('empty'));
    symlinkSync('missing', at('dangling'));
    linkSync(at('src/a.txt'), at('src/second'));
    for (const to of ['src/deep/b.txt', 'empty', 'dangling', 'src/second', 'src/a.txt'])
      expect([to, await move('src/a.txt', to)]).toEqual([to, 'CONFLICT']);
    for (const to of ['empty', 'src/a.txt', 'dangling'])
      expect([to, await move('src/deep', to)]).toEqual([to, to === 'src/a.txt' ? 'CONFLICT' : 'CONFLICT']);
    expect(await temporary.failure('move_file', { from: 'src/a.txt', to: 'empty' })).toBe(
      'CONFLICT: empty exists already; nothing was moved.',
    );
    expect(temporary.snapshot()).toEqual({ 'src/a.txt': 'A', 'src/second': 'A', 'src/deep/b.txt': 'B' });
  });

  test.each([
    ['src', 'src/deep/x', 'INVALID_PATH'],
    ['src', 'src/x/y', 'INVALID_PATH'],
    ['.', 'x', 'INVALID_PATH'],
    ['src', '.', 'INVALID_PATH'],
    ['.git', 'x', 'INVALID_PATH'],
    ['.GIT/hooks', 'x', 'INVALID_PATH'],
    ['src/a.txt', '.git/hooks/pre-commit', 'INVALID_PATH'],
    ['src/a.txt', 'git~1/x', 'INVALID_PATH'],
    ['missing', 'x', 'FILE_NOT_FOUND'],
    ['src/a.txt', 'src/deep/b.txt/x', 'INVALID_PATH'],
    ['src/a.txt', '../x', 'PATH_OUTSIDE_WORKSPACE'],
    ['../ws-evil/secret.txt', 'x', 'PATH_OUTSIDE_WORKSPACE'],
    ['l/secret.txt', 'x', 'PATH_OUTSIDE_WORKSPACE'],
    ['src/a.txt', 'l/x', 'PATH_OUTSIDE_WORKSPACE'],
    ['src/a.txt', 'new/../l/x', 'PATH_OUTSIDE_WORKSPACE'],
    ['src/a.txt', 'l/new/x', 'PATH_OUTSIDE_WORKSPACE'],
    ['src/a.txt', 'gone/x', 'PATH_OUTSIDE_WORKSPACE'],
    ['src/a.txt', 'to-src/x', 'INVALID_PATH'],
    ['to-src/a.txt', 'x', 'INVALID_PATH'],
    ['l/../src', 'x', 'PATH_OUTSIDE_WORKSPACE'],
  ])('%s to %s: %s', async (from, to, code) => {
    temporary.git('init', '-q');
    for (const [name, target] of Object.entries({ l: temporary.outside, gone: '../nowhere', 'to-src': 'src' }))
      symlinkSync(target, at(name));
    const before = temporary.snapshot(temporary.base);
    expect(await move(from, to)).toBe(code);
    expect(temporary.snapshot(temporary.base)).toEqual(before);
  });

  test(
    verifies('W1:move-behind-link', 'an approved move behind a link that leads outside fails for that, and not for what was approved'),
    async () => {
      symlinkSync(temporary.outside, at('out'));
      const args = { from: 'src/a.txt', to: 'out/a.txt' };
      const { preview, operands } = await temporary.workspace.preview('move_file', args);
      expect(preview.text).toBe('This call would fail. Error [PATH_OUTSIDE_WORKSPACE]: out/a.txt leads out of the workspace.');
      expect(await temporary.run('move_file', args, { operands, approved: true })).toBe('PATH_OUTSIDE_WORKSPACE');
      expect([temporary.read('src/a.txt'), temporary.snapshot(temporary.outside)]).toEqual(['A', { 'secret.txt': 'SECRET' }]);
    },
  );

  test('a FIFO is left alone', async () => {
    execFileSync('mkfifo', [at('fifo')]);
    expect(await move('fifo', 'x')).toBe('INVALID_PATH');
    expect(await remove('fifo')).toBe('INVALID_PATH');
    expect(lstatSync(at('fifo')).isFIFO()).toBe(true);
  });
});

describe('delete_file', () => {
  test(
    verifies('W2:delete-undone', 'what is deleted lies in the trash, whole, and can be put back where nothing has taken its place'),
    async () => {
      chmodSync(at('src/a.txt'), 0o750);
      symlinkSync('a.txt', at('src/l'));
      expect(await remove('src')).toEqual({ success: true, files_deleted: 3 });
      expect(existsSync(at('src'))).toBe(false);
      const [item] = (await lastCall()).trashed!;
      expect(item).toMatchObject({ path: 'src', kind: 'directory', files: 3, bytes: 2 });
      const files = new WorkspaceFiles(await findWorkspaceRoot(temporary.root, temporary.dataDir));
      const place = temporary.workspace.backups.trash.placeOf(item!.trash);
      mkdirSync(at('src'));
      await expect(files.restore(place, toWorkspacePath('src'))).rejects.toMatchObject({ code: 'CONFLICT' });
      rmSync(at('src'), { recursive: true });
      await files.restore(place, toWorkspacePath('src'));
      expect(temporary.snapshot()).toEqual({ 'src/a.txt': 'A', 'src/deep/b.txt': 'B' });
      expect([statSync(at('src/a.txt')).mode & 0o777, readlinkSync(at('src/l'))]).toEqual([0o750, 'a.txt']);
    },
  );

  test('a link goes, and what it leads to stays', async () => {
    for (const [name, target] of [
      ['out', temporary.outside],
      ['leaf', join(temporary.outside, 'secret.txt')],
      ['dangling', 'missing'],
      ['round', 'round'],
    ] as const) {
      symlinkSync(target, at(name));
      expect(await remove(name)).toEqual({ success: true, files_deleted: 1 });
    }
    expect(temporary.snapshot(temporary.outside)).toEqual({ 'secret.txt': 'SECRET' });
  });

  test.each([
    ['.', 'INVALID_PATH: The workspace itself is never deleted.'],
    ['.git', 'INVALID_PATH: .git: .git belongs to git, and is never deleted; use the git tools.'],
    ['src/../src', 'PATH_OUTSIDE_WORKSPACE'],
    ['missing', 'FILE_NOT_FOUND: File not found: missing'],
    ['out/secret.txt', 'PATH_OUTSIDE_WORKSPACE'],
  ])('%s is not deleted', async (path, message) => {
    temporary.git('init', '-q');
    symlinkSync(temporary.outside, at('out'));
    expect(await temporary.failure('delete_file', { path })).toContain(message);
    expect(temporary.snapshot()).toEqual({ 'src/a.txt': 'A', 'src/deep/b.txt': 'B' });
  });

  test('10,000 entries go, one more does not', async () => {
    for (let index = 0; index < 10_000; index += 1) temporary.write(`many/${String(index)}`, '');
    temporary.write('many/one', '');
    expect(await temporary.failure('delete_file', { path: 'many' })).toBe(
      'FILE_TOO_LARGE: many has more than 10000 entries in it, and at most 10000 are deleted at once.',
    );
    rmSync(at('many/one'));
    expect(await remove('many')).toEqual({ success: true, files_deleted: 10_000 });
  });
});

describe(verifies('H2:names', 'an approval of a deletion or a move is bound to each file below it'), () => {
  const approve = async (tool: string, args: JsonObject): Promise<Operand[]> => [
    ...(await temporary.workspace.preview(tool, args)).operands,
  ];

  test.each([
    ['delete_file', { path: 'src' }, 2],
    ['move_file', { from: 'src', to: 'new' }, 3],
  ] as const)('%s', async (tool, args, count) => {
    const operands = await approve(tool, args);
    expect(operands).toHaveLength(count);
    for (const change of [
      () => temporary.write('src/deep/b.txt', 'changed'),
      () => temporary.write('src/new', ''),
      () => renameSync(at('src/a.txt'), at('src/b.txt')),
    ]) {
      change();
      expect(await temporary.run(tool, args, { operands })).toBe('APPROVAL_MISMATCH');
    }
    expect(existsSync(at('src'))).toBe(true);
    expect(await temporary.run(tool, args, { operands: await approve(tool, args) })).toMatchObject({ success: true });
  });

  test('a directory of many files is bound by a hash of all of them', async () => {
    for (let index = 0; index < 300; index += 1) temporary.write(`many/${String(index)}`, '');
    const operands = await approve('delete_file', { path: 'many' });
    expect(operands).toEqual([{ path: 'many', sha256: expect.stringMatching(/^[0-9a-f]{64}$/) }]);
    temporary.write('many/7', 'x');
    expect(await temporary.run('delete_file', { path: 'many' }, { operands })).toBe('APPROVAL_MISMATCH');
  });

  test('a preview says what will happen', async () => {
    symlinkSync('a.txt', at('l'));
    const text = async (tool: string, args: JsonObject): Promise<string> => (await temporary.workspace.preview(tool, args)).preview.text;
    expect(await text('delete_file', { path: 'src' })).toBe(
      'Moves into the trash: the directory src (2 files and 1 directories in it, 2 bytes):\nsrc/a.txt\nsrc/deep/b.txt\n',
    );
    expect(await text('delete_file', { path: 'l' })).toBe('Moves into the trash: the link l (not what it leads to)\n');
    expect(await text('move_file', { from: 'src/a.txt', to: 'x' })).toBe('Moves to x: the file src/a.txt (1 bytes)\n');
    expect(await text('move_file', { from: 'src/a.txt', to: 'l' })).toContain('exists already');
  });
});
