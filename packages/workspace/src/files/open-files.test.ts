import { afterEach, beforeEach, expect, test } from 'vitest';
import { verifies } from '@codelab/testkit';
import { createHash } from 'node:crypto';
import { existsSync, readFileSync, renameSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { temporaryWorkspace, type TemporaryWorkspace } from '../../test/temporary-workspace.js';
import { ToolFailure } from '../tool-failure.js';

/** An editor: what stands in it and is not saved, and what it was asked for. */
class Editor {
  readonly buffers = new Map<string, string>();
  readonly asked: string[] = [];
  /** What the last writer knew of the file. */
  known: string | undefined;
  /** Happens right before something is read. */
  beforeRead: (path: string) => void = () => undefined;
  /** Happens right before something is written. */
  before: (path: string) => void = () => undefined;

  constructor(private readonly root: string) {}

  read = (path: string): Promise<string | undefined> => {
    this.asked.push(relative(this.root, path));
    this.beforeRead(path);
    return Promise.resolve(this.buffers.get(path));
  };

  unsaved = (): readonly string[] => [...this.buffers.keys()];

  write = async (path: string, content: string, before?: string): Promise<boolean> => {
    this.asked.push(relative(this.root, path));
    this.known = before;
    this.before(path);
    this.buffers.delete(path);
    writeFileSync(path, content);
    return Promise.resolve(true);
  };

  /** Changes a file without saving it. */
  type(path: string, text: string): void {
    this.buffers.set(join(this.root, path), text);
  }
}

let editor: Editor;
let temporary: TemporaryWorkspace;
beforeEach(async () => {
  temporary = await temporaryWorkspace({ openFiles: (root) => (editor = new Editor(root)) });
});
afterEach(() => temporary.remove());

const sha256 = (text: string): string => createHash('sha256').update(text).digest('hex');
const patch = (path: string, before: string, after: string): string => `--- a/${path}\n+++ b/${path}\n@@ -1 +1 @@\n-${before}\n+${after}\n`;

test(
  verifies(
    'W2:open-files',
    'tools read and write what stands in an editor, saved or not, with its line ends, and what is undone goes back there',
  ),
  async () => {
    temporary.write('a.txt', 'saved\n');
    editor.type('a.txt', 'typed\n');
    expect(await temporary.run('read_file', { path: 'a.txt' }, { additions: true })).toMatchObject({
      content: 'typed\n',
      sha256: sha256('typed\n'),
    });
    expect(await temporary.run('read_file', { path: 'a.txt', offset: 1, limit: 1 })).toMatchObject({ content: 'typed\n' });
    expect(await temporary.workspace.attachments.read([{ path: 'a.txt' }])).toMatchObject([{ content: 'typed\n' }]);
    const diff = patch('a.txt', 'typed', 'patched');
    temporary.git('init', '-q');
    const { signal } = new AbortController();
    const call = { callId: 'call_patch', turnId: 'turn_1', signal };
    expect(await temporary.workspace.run('apply_patch', { diff }, call)).toMatchObject({ ok: true });
    expect(temporary.read('a.txt')).toBe('patched\n');
    expect(editor.buffers.size).toBe(0);
    await temporary.workspace.undo.restore('turn_1');
    expect(temporary.read('a.txt')).toBe('typed\n');
    expect(await temporary.run('write_file', { path: 'new/b.txt', content: 'made' })).toMatchObject({ success: true });
    expect(temporary.read('new/b.txt')).toBe('made');
    expect(editor.asked).toContain('new/b.txt');
  },
);

test('line ends and a byte order mark are the file’s: an editor that keeps them aside has changed nothing', async () => {
  temporary.write('crlf.txt', '\ufeffone\r\ntwo\r\n');
  editor.type('crlf.txt', 'one\ntwo\n');
  expect(await temporary.run('read_file', { path: 'crlf.txt' })).toMatchObject({ content: '\ufeffone\r\ntwo\r\n' });
  editor.type('crlf.txt', 'one\nthree\n');
  expect(await temporary.run('read_file', { path: 'crlf.txt' })).toMatchObject({ content: '\ufeffone\r\nthree\r\n' });
});

test('what is no text is the disk’s alone', async () => {
  temporary.write('image.bin', Buffer.from([0, 1, 2, 255]));
  await temporary.run('media.read', { path: 'image.bin' });
  await temporary.run('write_file', { path: 'image.bin', content: 'text now' });
  expect(editor.asked).toEqual(['image.bin']); // to be written as text
});

test(verifies('H2:open-files', 'a file that changed in the editor since its approver saw it there is not written'), async () => {
  temporary.write('a.txt', 'saved\n');
  editor.type('a.txt', 'typed\n');
  const args = { path: 'a.txt', content: 'agent\n' };
  const { operands, preview } = await temporary.workspace.preview('write_file', args);
  expect(preview.text).toContain('-typed');
  expect(operands).toEqual([{ path: 'a.txt', sha256: sha256('typed\n') }]);
  editor.type('a.txt', 'typed on\n');
  expect(await temporary.run('write_file', args, { operands, approved: true })).toBe('APPROVAL_MISMATCH');
  expect(editor.buffers.get(join(temporary.root, 'a.txt'))).toBe('typed on\n');
  expect(temporary.read('a.txt')).toBe('saved\n');
});

test(verifies('W1:open-files', 'an editor is never asked for a file outside of the workspace, nor by a link'), async () => {
  symlinkSync(join(temporary.outside, 'secret.txt'), join(temporary.root, 'leaf'));
  symlinkSync(temporary.outside, join(temporary.root, 'dir'));
  symlinkSync('missing', join(temporary.root, 'dangling'));
  for (const path of ['leaf', 'dir/secret.txt', 'dir/new.txt', 'dangling', '../outside/secret.txt', '../ws-evil/secret.txt']) {
    expect(typeof (await temporary.run('read_file', { path }))).toBe('string');
    expect(typeof (await temporary.run('write_file', { path, content: 'stolen' }))).toBe('string');
  }
  expect(editor.asked).toEqual([]);
  expect(readFileSync(join(temporary.outside, 'secret.txt'), 'utf8')).toBe('SECRET');
});

test(verifies('W1:open-files', 'what an editor read by a path that was swapped meanwhile reaches nobody'), async () => {
  temporary.write('deep/secret.txt', 'old\n');
  editor.beforeRead = (path) => {
    renameSync(join(temporary.root, 'deep'), join(temporary.root, 'moved'));
    symlinkSync(temporary.outside, join(temporary.root, 'deep'));
    editor.buffers.set(path, readFileSync(path, 'utf8'));
  };
  expect(JSON.stringify(await temporary.run('read_file', { path: 'deep/secret.txt' }))).not.toContain('SECRET');
  expect([...editor.buffers.values()]).toEqual(['SECRET']); // it had it
});

test('a directory that is swapped while the editor writes is found out, and nobody is told that all is well', async () => {
  temporary.write('deep/a.txt', 'old\n');
  editor.before = () => {
    renameSync(join(temporary.root, 'deep'), join(temporary.root, 'moved'));
    symlinkSync(temporary.outside, join(temporary.root, 'deep'));
  };
  expect(await temporary.run('write_file', { path: 'deep/a.txt', content: 'new\n' })).toBe('OUTCOME_UNKNOWN');
  rmSync(join(temporary.root, 'deep'));
});

test(
  verifies('R2:open-files', 'of a change of several files that an editor breaks off nothing stays, or it is said that nobody knows'),
  async () => {
    temporary.write('a.txt', 'a\n');
    temporary.write('b.txt', 'b\n');
    temporary.git('init', '-q');
    editor.type('a.txt', 'typed\n');
    const diff = patch('a.txt', 'typed', 'new a') + patch('b.txt', 'b', 'new b');
    editor.before = (path) => {
      if (path.endsWith('b.txt')) throw new ToolFailure('PERMISSION_DENIED', 'The editor refused.');
    };
    expect(await temporary.run('apply_patch', { diff })).toBe('PERMISSION_DENIED');
    expect([temporary.read('a.txt'), temporary.read('b.txt')]).toEqual(['typed\n', 'b\n']);
    editor.before = () => {
      throw new ToolFailure('OUTCOME_UNKNOWN', 'The editor went away.');
    };
    expect(await temporary.run('write_file', { path: 'a.txt', content: 'x' })).toBe('OUTCOME_UNKNOWN');
  },
);

test('a file that is not open in an editor that takes only open ones is written on disk', async () => {
  editor.write = () => Promise.resolve(false);
  temporary.write('a.txt', 'old\n');
  expect(await temporary.run('write_file', { path: 'a.txt', content: 'new\n' })).toMatchObject({ success: true });
  expect(temporary.read('a.txt')).toBe('new\n');
  expect(await temporary.run('delete_file', { path: 'a.txt' })).toMatchObject({ success: true });
  expect(existsSync(join(temporary.root, 'a.txt'))).toBe(false);
});

test(verifies('W2:open-files-searched', 'a search finds what is typed and not saved, and nothing of what was typed over'), async () => {
  temporary.write('a.txt', 'needle on disk\n');
  temporary.write('b/c.txt', 'nothing\n');
  temporary.write('d.txt', 'needle\n');
  editor.type('a.txt', 'typed over\n');
  editor.type('b/c.txt', 'one\nneedle typed\n');
  editor.type('../outside.txt', 'needle outside\n');
  const { matches } = (await temporary.run('search_in_project', { query: 'needle' })) as {
    readonly matches: readonly { readonly path: string; readonly line: number }[];
  };
  expect(matches.map(({ path, line }) => [path, line])).toEqual([
    ['b/c.txt', 2],
    ['d.txt', 1],
  ]);
  expect(await temporary.run('search_in_project', { query: 'typed', path: 'b' })).toMatchObject({ matches: [{ path: 'b/c.txt' }] });
});

test('an editor is told what its text was when the change was planned', async () => {
  temporary.write('a.txt', 'saved\n');
  editor.type('a.txt', 'typed\n');
  await temporary.run('write_file', { path: 'a.txt', content: 'new\n' });
  expect(editor.known).toBe('typed\n');
});
