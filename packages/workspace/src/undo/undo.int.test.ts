import { afterEach, beforeEach, expect, test } from 'vitest';
import { verifies } from '@codelab/testkit';
import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setImmediate } from 'node:timers/promises';
import { temporaryWorkspace, type TemporaryWorkspace } from '../../test/temporary-workspace.js';
import { openWorkspace } from '../open-workspace.js';

const HERE = import.meta.dirname;
const REPOSITORY = join(HERE, '../../../..');
const FILES = 150;

let temporary: TemporaryWorkspace;
beforeEach(async () => {
  temporary = await temporaryWorkspace();
});
afterEach(() => {
  writeFileSync(join(temporary.outside, 'stop'), ''); // a command that outlives its client ends
  temporary.remove();
});

const start = async (what: 'command' | 'undo'): Promise<ChildProcess> => {
  const program = [join(REPOSITORY, 'scripts/register-swc.mjs'), join(HERE, '../../test/undo-until-killed.ts')];
  const args = ['--conditions=codelab-source', '--import', ...program, what, temporary.root, temporary.dataDir];
  const child = spawn(process.execPath, args, { stdio: ['ignore', 'ignore', 'inherit', 'ipc'] });
  const ended = once(child, 'exit').then((code) => Promise.reject(new Error(`it ended: ${String(code)}`)));
  ended.catch(() => undefined); // it is killed below
  await Promise.race([once(child, 'message'), ended]);
  return child;
};

const kill = async (child: ChildProcess): Promise<void> => {
  const exit = once(child, 'exit');
  child.kill('SIGKILL');
  await exit;
};

test(verifies('W2:undo-crash', 'what a command did is undone although its client was killed meanwhile'), async () => {
  temporary.write('changed', 'old\n');
  temporary.write('deleted', 'gone');
  await kill(await start('command'));
  const { undo } = await openWorkspace({ root: temporary.root, dataDir: temporary.dataDir });
  expect(await undo.list()).toMatchObject([{ turnId: 'turn_1', uncovered: ['Its client stopped while it ran.'] }]);
  expect((await undo.restore('turn_1')).conflicts).toEqual([]);
  expect(temporary.snapshot()).toEqual({ changed: 'old\n', deleted: 'gone' });
});

test(verifies('W2:undo-half-way', 'an undoing that is killed leaves whole files, and calling it again does the rest'), async () => {
  for (let index = 0; index < FILES; index += 1) temporary.write(`f${String(index)}`, 'old');
  const command = 'for f in f*; do echo new > $f; done';
  const options = { signal: new AbortController().signal, callId: 'c', turnId: 'turn_1', approved: true };
  expect(await temporary.workspace.run('run_command', { command }, options)).toMatchObject({ ok: true });
  const child = await start('undo');
  while (!Object.values(temporary.snapshot()).includes('old')) await setImmediate();
  await kill(child);
  for (const text of Object.values(temporary.snapshot())) expect(['old', 'new\n', '']).toContain(text);
  const { undo } = await openWorkspace({ root: temporary.root, dataDir: temporary.dataDir });
  expect((await undo.restore('turn_1')).conflicts).toEqual([]);
  expect(new Set(Object.values(temporary.snapshot()))).toEqual(new Set(['old']));
  expect(Object.keys(temporary.snapshot())).toHaveLength(FILES);
});

test('two processes look at one workspace at once, and both effects are kept', async () => {
  const other = await openWorkspace({ root: temporary.root, dataDir: temporary.dataDir });
  const run = (workspace: typeof other, name: string): Promise<unknown> =>
    workspace.run(
      'run_command',
      { command: `echo ${name} > ${name}` },
      { signal: new AbortController().signal, callId: name, turnId: name, approved: true },
    );
  await Promise.all([run(temporary.workspace, 'one'), run(other, 'two')]);
  const turns = await other.undo.list();
  expect(turns.map(({ turnId }) => turnId).sort()).toEqual(['one', 'two']);
  for (const { turnId } of turns) expect((await other.undo.plan(turnId)).steps.map(({ path }) => path)).toContain(turnId);
});
