import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { verifies } from '@codelab/testkit';
import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { temporaryWorkspace, type TemporaryWorkspace } from '../../test/temporary-workspace.js';

/** How long each test fights the attacker, in milliseconds. */
const FIGHT_MS = 400;

/** Swaps, as fast as it can, a name in the workspace between what it is and a link to something outside. */
const ATTACKER = `
const { renameSync, symlinkSync } = require('node:fs');
const [name, target] = process.argv.slice(1);
symlinkSync(target, name + '.link');
process.send('ready');
for (;;) {
  try { renameSync(name, name + '.own'); } catch {}
  try { renameSync(name + '.link', name); } catch {}
  try { renameSync(name, name + '.link'); } catch {}
  try { renameSync(name + '.own', name); } catch {}
}`;

let temporary: TemporaryWorkspace;
let attacker: ChildProcess;

const attack = async (name: string, target: string): Promise<void> => {
  attacker = spawn(process.execPath, ['-e', ATTACKER, join(temporary.root, name), target], {
    stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
  });
  await once(attacker, 'message');
};

const fight = async (call: () => Promise<unknown>): Promise<Map<string, number>> => {
  const seen = new Map<string, number>();
  const end = Date.now() + FIGHT_MS;
  while (Date.now() < end) {
    const answer = await call();
    const key = typeof answer === 'string' ? answer : JSON.stringify(answer);
    seen.set(key, (seen.get(key) ?? 0) + 1);
  }
  return seen;
};

afterEach(async () => {
  const ended = once(attacker, 'exit');
  attacker.kill('SIGKILL');
  await ended;
  temporary.remove();
});

describe(verifies('W1:race', 'swapping a name behind the check leads no tool outside'), () => {
  beforeEach(async () => {
    temporary = await temporaryWorkspace({ anchoring: 'descriptor' });
  });

  test('writing below a directory that is now and then a link to outside', async () => {
    mkdirSync(join(temporary.root, 'dir'));
    await attack('dir', temporary.outside);
    await fight(() => temporary.run('write_file', { path: 'dir/written.txt', content: 'W' }));
    await fight(() => temporary.run('write_file', { path: 'dir/new/written.txt', content: 'W' }));
    expect(temporary.snapshot(temporary.outside)).toEqual({ 'secret.txt': 'SECRET' });
  });

  test('reading below a directory, and a file, that is now and then a link to outside', async () => {
    mkdirSync(join(temporary.root, 'dir'));
    await attack('dir', temporary.outside);
    const seen = await fight(() => temporary.run('read_file', { path: 'dir/secret.txt' }));
    expect([...seen.keys()].filter((key) => key.includes('SECRET'))).toEqual([]);
  });

  test('reading a file that is now and then a link to outside', async () => {
    writeFileSync(join(temporary.root, 'leaf'), 'inside');
    await attack('leaf', join(temporary.outside, 'secret.txt'));
    const seen = await fight(() => temporary.run('read_file', { path: 'leaf' }));
    expect([...seen.keys()].filter((key) => key.includes('SECRET'))).toEqual([]);
  });

  test('writing a file that is now and then a link to outside', async () => {
    writeFileSync(join(temporary.root, 'leaf'), 'inside');
    await attack('leaf', join(temporary.outside, 'secret.txt'));
    await fight(() => temporary.run('write_file', { path: 'leaf', content: 'W' }));
    expect(temporary.snapshot(temporary.outside)).toEqual({ 'secret.txt': 'SECRET' });
  });

  test('listing and searching below a directory that is now and then a link to outside', async () => {
    mkdirSync(join(temporary.root, 'dir'));
    await attack('dir', temporary.outside);
    const args = { query: 'SECRET', include_ignored: true };
    const seen = [
      ...(await fight(() => temporary.run('search_in_project', args))).keys(),
      ...(await fight(() => temporary.run('search_in_project', { ...args, path: 'dir' }))).keys(),
      ...(await fight(() => temporary.run('list_files', { path: 'dir', recursive: true }))).keys(),
      ...(await fight(() => temporary.run('list_files', { recursive: true }))).keys(),
    ];
    expect(seen.filter((key) => /secret/i.test(key))).toEqual([]);
  });

  test('making, moving and deleting below a directory that is now and then a link to outside', async () => {
    mkdirSync(join(temporary.root, 'dir'));
    await attack('dir', temporary.outside);
    const seen = [
      ...(await fight(() => temporary.run('create_directory', { path: 'dir/made' }))).keys(),
      ...(await fight(() => temporary.run('delete_file', { path: 'dir/secret.txt' }))).keys(),
      ...(await fight(() => temporary.run('move_file', { from: 'dir/secret.txt', to: 'stolen' }))).keys(),
      ...(
        await fight(() => {
          temporary.write('own', 'own');
          return temporary.run('move_file', { from: 'own', to: 'dir/own' });
        })
      ).keys(),
    ];
    expect(seen).not.toContain('OUTCOME_UNKNOWN');
    expect(readdirSync(temporary.outside)).toEqual(['secret.txt']);
    expect(temporary.snapshot(temporary.outside)).toEqual({ 'secret.txt': 'SECRET' });
  });
});
