import { PassThrough } from 'node:stream';
import { mkdtempSync, mkdirSync, readFileSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { verifies } from '@codelab/testkit';
import { openWorkspace } from '@codelab/workspace';
import { runUndo, type UndoIo, type UndoOptions } from './run-undo.js';

let base: string;
let root: string;
let before: string | undefined;

beforeEach(() => {
  base = realpathSync(mkdtempSync(join(tmpdir(), 'codelab-undo-')));
  root = join(base, 'ws');
  mkdirSync(root);
  before = process.env['CODELAB_DATA_DIR'];
  process.env['CODELAB_DATA_DIR'] = join(base, 'data');
});
afterEach(() => {
  if (before === undefined) delete process.env['CODELAB_DATA_DIR'];
  else process.env['CODELAB_DATA_DIR'] = before;
  rmSync(base, { recursive: true, force: true });
});

const file = (): string => readFileSync(join(root, 'a.txt'), 'utf8');

/** A turn that changed `a.txt` from `old` to `new`. */
const makeTurn = async (): Promise<void> => {
  writeFileSync(join(root, 'a.txt'), 'old');
  const workspace = await openWorkspace({ root, dataDir: join(base, 'data') });
  const options = { signal: new AbortController().signal, callId: 'c1', turnId: 'turn_1' };
  expect(await workspace.run('write_file', { path: 'a.txt', content: 'new' }, options)).toMatchObject({ ok: true });
};

/** Runs the command with what is typed; at a terminal if something is. */
const run = async (
  turn: string | undefined,
  options: Partial<UndoOptions> = {},
  typed?: string,
): Promise<{ code: number; text: string }> => {
  const [stdin, stdout, stderr] = [new PassThrough(), new PassThrough(), new PassThrough()];
  let text = '';
  for (const stream of [stdout, stderr]) stream.on('data', (chunk: Buffer) => (text += chunk.toString('utf8')));
  stdin.end(typed ?? '');
  Object.assign(stdin, { isTTY: typed !== undefined });
  const code = await runUndo(turn, { workspace: root, ...options }, { stdin, stdout, stderr } as unknown as UndoIo); // a terminal, to it
  return { code, text };
};

test(
  verifies('W2:undo-command-line', 'codelab undo shows what it will do, asks, does it without any server, and can be undone'),
  async () => {
    await makeTurn();
    expect(await run(undefined, { list: true })).toMatchObject({ code: 0, text: expect.stringContaining('turn_1') });
    expect(await run(undefined, {}, 'n\n')).toMatchObject({ code: 1, text: expect.stringMatching(/~ a\.txt[^]*Nothing was undone/) });
    expect(await run(undefined, {}, '')).toMatchObject({ code: 1 });
    expect(file()).toBe('new');
    const undone = await run(undefined, {}, 'y\n');
    expect([undone.code, file()]).toEqual([0, 'old']);
    const again = /codelab undo (undo_[\w-]+)/.exec(undone.text)![1]!;
    expect(await run(undefined)).toMatchObject({ code: 1, text: expect.stringContaining('no turn to undo') });
    expect((await run(again.slice(0, 12), { yes: true }, 'n\n')).code).toBe(0);
    expect(file()).toBe('new');
    expect((await run('turn_1')).code).toBe(0); // a script is not asked
    expect(file()).toBe('old');
  },
);

test('what is in the way is named, and put back only if that is insisted on', async () => {
  await makeTurn();
  writeFileSync(join(root, 'a.txt'), 'mine');
  expect(await run('turn_1', { yes: true })).toMatchObject({ code: 1, text: expect.stringContaining('codelab undo turn_1 --force') });
  expect(file()).toBe('mine');
  expect((await run('turn_1', { yes: true, force: true })).code).toBe(0);
  expect(file()).toBe('old');
});

test('an unknown turn and a folder that is none are usage errors', async () => {
  await makeTurn();
  await expect(run('turn_9', { yes: true })).rejects.toMatchObject({ exitCode: 2, message: expect.stringContaining('--list') });
  await expect(run(undefined, { workspace: join(root, 'none') })).rejects.toMatchObject({ exitCode: 2 });
});
