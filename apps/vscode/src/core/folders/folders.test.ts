import { mkdir, mkdtemp, readFile, realpath, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { workspaceExecutor, type RunContext, type ToolExecutor, type ToolOutcome } from '@codelab/client';
import { openWorkspace } from '@codelab/workspace';
import { eventually, verifies } from '@codelab/testkit';
import { FolderAttachments } from './folders-attachments.js';
import { foldersExecutor } from './folders-executor.js';
import { FolderUndo } from './folders-undo.js';
import { nameInDiff } from './name-paths.js';
import { nameFolders, WindowFolders, type WindowFolder } from './window-folders.js';

let parent: string;
let folders: WindowFolders;
let executor: ToolExecutor;

const write = async (path: string, text: string): Promise<void> => {
  await mkdir(join(parent, path, '..'), { recursive: true });
  await writeFile(join(parent, path), text);
};
const read = (path: string): Promise<string> => readFile(join(parent, path), 'utf8');
const open = async (name: string, folder: string): Promise<WindowFolder> => {
  const workspace = await openWorkspace({ root: join(parent, folder), dataDir: join(parent, 'data') });
  return { name, root: workspace.root, workspace, executor: workspaceExecutor(workspace) };
};
const run = (tool: string, args: Record<string, unknown>, more: Partial<RunContext> = {}): Promise<ToolOutcome> =>
  executor.run(tool, args, {
    ...{ callId: 'c1', turnId: 't1', signal: new AbortController().signal, approved: true, additions: true, onOutput: () => undefined },
    ...more,
  });

beforeEach(async () => {
  parent = await realpath(await mkdtemp(join(tmpdir(), 'codelab-window-')));
  await write('web/page.ts', 'page\n');
  await write('web/src/same.ts', 'of the web\n');
  await write('api/src/same.ts', 'of the api\n');
  await write('api/AGENTS.md', 'Speak of routes.\n');
  folders = new WindowFolders(await open('', 'web'), [await open('api', 'api')]);
  executor = foldersExecutor(folders);
});
afterEach(() => rm(parent, { recursive: true, force: true, maxRetries: 5 }));

test(
  verifies(
    'W1:window-folders',
    'in a window with several folders a path belongs to the folder that its first segment names, else to the main one',
  ),
  async () => {
    expect(await run('read_file', { path: 'src/same.ts' })).toMatchObject({ ok: true, result: { content: 'of the web\n' } });
    expect(await run('read_file', { path: './api/src/same.ts' })).toMatchObject({ ok: true, result: { content: 'of the api\n' } });
    expect(await run('write_file', { path: 'api/new.ts', content: 'new\n' })).toMatchObject({ ok: true });
    expect(await read('api/new.ts')).toBe('new\n');
    const listed = await run('list_files', { path: 'api', recursive: true });
    expect(
      (listed as { readonly result: { readonly entries: readonly { readonly path: string }[] } }).result.entries.map(({ path }) => path),
    ).toEqual([...['api/AGENTS.md', 'api/new.ts', 'api/src', 'api/src/same.ts']]);
    expect(await run('search_in_project', { query: 'of the', path: 'api/src' })).toMatchObject({
      result: { matches: [{ path: 'api/src/same.ts', line: 1 }] },
    });
    for (const path of ['api/../web/page.ts', '/api/src/same.ts', 'apis/a.ts/..', 'api/../../x', `${parent}/api/src/same.ts`])
      expect(await run('read_file', { path })).toMatchObject({ ok: false, error: { code: 'PATH_OUTSIDE_WORKSPACE' } });
  },
);

test('one call that names paths of two folders is refused before it is shown to anybody, and a patch goes whole to one folder', async () => {
  const both = { from: 'page.ts', to: 'api/page.ts' };
  expect(await run('move_file', both)).toMatchObject({
    ok: false,
    error: { code: 'INVALID_PATH', message: expect.stringContaining('the main folder and api') },
  });
  expect(await executor.preview('move_file', both, new AbortController().signal)).toMatchObject({ fault: { code: 'INVALID_PATH' } });
  const diff = (path: string): string => `--- a/${path}\n+++ b/${path}\n@@ -1 +1 @@\n-of the api\n+changed\n`;
  const mixed = `${diff('api/src/same.ts')}--- a/page.ts\n+++ b/page.ts\n@@ -1 +1 @@\n-page\n+other\n`;
  expect(await run('apply_patch', { diff: mixed, allow_dirty: true })).toMatchObject({ ok: false, error: { code: 'INVALID_PATH' } });
  const patch = { diff: diff('api/src/same.ts'), allow_dirty: true };
  expect(await run('apply_patch', patch)).toMatchObject({ ok: true, result: { files_modified: ['api/src/same.ts'] } });
  expect(await read('api/src/same.ts')).toBe('changed\n');
});

test(
  verifies(
    'H2:window-folders',
    'what is approved in another folder of a window is bound to the files as they were there, and shown by their paths in the window',
  ),
  async () => {
    const args = { path: 'api/src/same.ts', content: 'new\n' };
    const shown = await executor.preview('write_file', args, new AbortController().signal);
    expect(shown?.preview.text).toContain('+++ b/api/src/same.ts');
    expect(shown?.operands).toMatchObject([{ path: 'api/src/same.ts' }]);
    await write('api/src/same.ts', 'changed meanwhile\n');
    expect(await run('write_file', args, { operands: shown!.operands! })).toMatchObject({
      ok: false,
      error: { code: 'APPROVAL_MISMATCH' },
    });
    const again = await executor.preview('write_file', args, new AbortController().signal);
    expect(await run('write_file', args, { operands: again!.operands! })).toMatchObject({ ok: true });
  },
);

test('commands run where their cwd is, and processes are found by their names', async () => {
  expect(await run('run_command', { command: 'cat same.ts', cwd: 'api/src' })).toMatchObject({
    result: { stdout: 'of the api\n', cwd_after: 'api/src' },
  });
  expect(await run('run_persistent', { process_id: 'dev', command: 'sleep 60', cwd: 'api' })).toMatchObject({ ok: true });
  expect(await run('run_persistent', { process_id: 'dev', command: 'sleep 60' })).toMatchObject({
    error: { message: expect.stringContaining('Another folder') },
  });
  expect(await run('run_persistent', { action: 'list' })).toMatchObject({ result: { processes: [{ process_id: 'dev' }] } });
  expect(await run('run_persistent', { action: 'status', process_id: 'dev' })).toMatchObject({ result: { status: 'running' } });
  expect(await run('kill_process', { process_id: 'dev' })).toMatchObject({ result: { success: true } });
  await eventually('it is over', async () => (await run('run_persistent', { action: 'status', process_id: 'dev' })).ok);
});

test('a turn is undone in all folders that it changed', async () => {
  await run('write_file', { path: 'page.ts', content: 'other\n' }, { callId: 'c1' });
  await run('write_file', { path: 'api/src/same.ts', content: 'other\n' }, { callId: 'c2' });
  const undo = new FolderUndo(folders);
  const [turn] = await undo.list();
  expect(turn?.calls.map(({ callId }) => callId)).toEqual(['c1', 'c2']);
  expect((await undo.plan('t1')).steps.map(({ path }) => path)).toEqual(['page.ts', 'api/src/same.ts']);
  expect((await undo.restore('t1')).restored).toHaveLength(2);
  expect([await read('web/page.ts'), await read('api/src/same.ts')]).toEqual(['page\n', 'of the api\n']);
});

test('mentions, completion and facts know the other folders', async () => {
  const attachments = new FolderAttachments(folders);
  expect(await attachments.mentioned('compare @api/src/same.ts with @src/same.ts and @nothing')).toMatchObject([
    { path: 'api/src/same.ts', content: 'of the api\n' },
    { path: 'src/same.ts', content: 'of the web\n' },
  ]);
  expect(await attachments.complete('a', 9)).toEqual(['api/']);
  expect(await attachments.complete('api/s', 9)).toEqual(['api/src/']);
  const facts = await executor.readFacts!();
  expect(facts.environment?.tree).toMatch(/^api\/ \(another folder of this window: .*api\)\n/);
  expect(facts.files).toMatchObject([{ path: 'api/AGENTS.md', content: 'Speak of routes.\n' }]);
});

test('names of folders are like those of the explorer, and never those of something in the main folder or of another one', async () => {
  expect(await nameFolders(join(parent, 'web'), ['api', 'src', 'API', 'my shop', '日本'])).toEqual([
    'api',
    'src-2',
    'API-2',
    'my-shop',
    'folder',
  ]);
  expect(folders.locate(join(parent, 'api/src/same.ts'))).toBe('api/src/same.ts');
  expect(folders.locate(join(parent, 'web/page.ts'))).toBe('page.ts');
  expect(folders.locate(join(parent, 'other/page.ts'))).toBeUndefined();
});

test('only headers of a diff are named anew', () => {
  const lines = ['-- a/old', '++ b/now', ' -- a/old'];
  const [gone, added, kept] = [`-${lines[0]!}`, `+${lines[1]!}`, lines[2]!];
  const diff = [
    'diff --git a/a b/c b/a b/c',
    '--- a/a b/c',
    '+++ b/a b/c',
    '@@ -1,2 +1,2 @@',
    gone,
    added,
    kept,
    'diff --git a/x b/y',
    'rename from x',
    'rename to y',
    '',
  ];
  expect(nameInDiff(diff.join('\n'), (path) => `api/${path}`).split('\n')).toEqual([
    ...['diff --git a/api/a b/c b/api/a b/c', '--- a/api/a b/c', '+++ b/api/a b/c', '@@ -1,2 +1,2 @@', gone, added, kept],
    ...['diff --git a/api/x b/api/y', 'rename from api/x', 'rename to api/y', ''],
  ]);
});
