import { mkdir, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { verifies } from '@codelab/testkit';
import { openWorkspace } from '@codelab/workspace';
import { CustomCommands } from './custom-commands.js';

let folder: string;
let commands: string;
let own: string;
let customs: CustomCommands;

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'codelab-commands-'));
  const root = join(folder, 'workspace');
  [commands, own] = [join(root, '.codelab', 'commands'), join(folder, 'config', 'commands')];
  await mkdir(join(commands, 'git'), { recursive: true });
  await mkdir(join(own, 'deep'), { recursive: true });
  const { facts } = await openWorkspace({ root, dataDir: join(folder, 'data') });
  customs = new CustomCommands(facts, join(folder, 'config'));
});

afterEach(() => rm(folder, { recursive: true, force: true }));

test(
  verifies('L3:custom-commands', 'a command of the workspace is the message that its file holds, and never a file from elsewhere'),
  async () => {
    await writeFile(join(folder, 'outside.md'), 'not yours\n');
    await writeFile(join(commands, 'fix.md'), 'Fix $ARGUMENTS.\n');
    await writeFile(join(commands, 'git', 'commit.md'), '---\nmodel: small\n---\nCommit as $1.\n');
    await writeFile(join(commands, 'empty.md'), '\n');
    await writeFile(join(commands, 'binary.md'), Buffer.from([0xff, 0xfe, 0x00, 0xd8]));
    await symlink(join(folder, 'outside.md'), join(commands, 'out.md'));
    expect(await customs.read('fix', 'a.ts')).toEqual({ text: 'Fix a.ts.', scope: 'workspace' });
    expect(await customs.read('git:commit', '"two words" x')).toEqual({ text: 'Commit as two words.', model: 'small', scope: 'workspace' });
    await expect(customs.read('empty', '')).rejects.toThrow('says nothing');
    await expect(customs.read('nosuch', '')).rejects.toThrow('There is no command /nosuch, nor a file .codelab/commands/nosuch.md');
    await expect(customs.read('binary', '')).rejects.toThrow("can't be read");
    await expect(customs.read('out', '')).rejects.toThrow("can't be read");
  },
);

test(verifies('L3:listed-customs', 'commands of the workspace and of the person are listed with what they say of themselves'), async () => {
  await writeFile(join(commands, 'fix.md'), '---\ndescription: Fixes it\nargument-hint: <file>\n---\nFix $1.\n');
  await writeFile(join(commands, 'help.md'), 'never reached\n');
  await writeFile(join(own, 'fix.md'), 'my own way\n');
  await writeFile(join(own, 'deep', 'mine.md'), 'Do it my way.\n');
  expect(await customs.list()).toEqual([
    { name: 'deep:mine', scope: 'user', description: 'Do it my way.' },
    { name: 'fix', scope: 'workspace', description: 'Fixes it', hint: '<file>' },
  ]);
  expect(await customs.read('deep:mine', '')).toEqual({ text: 'Do it my way.', scope: 'user' });
});
