import { verifies } from '@codelab/testkit';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { temporaryWorkspace, type TemporaryWorkspace } from '../../../test/temporary-workspace.js';
import { findWorkspaceRoot } from '../../files/paths/workspace-root.js';
import { Commands, type CommandOrder } from '../commands.js';
import { previewCommand } from '../approval/preview-command.js';

let temporary: TemporaryWorkspace;
beforeEach(async () => {
  temporary = await temporaryWorkspace();
});
afterEach(() => temporary.remove());

const CMD = 'C:\\Windows\\System32\\cmd.exe';
const commandsOf = async (posix: boolean): Promise<Commands> =>
  new Commands(await findWorkspaceRoot(temporary.root, temporary.dataDir), () =>
    Promise.resolve({ program: posix ? '/bin/sh' : CMD, posix }),
  );
const order = (command: string, approved: boolean): CommandOrder => ({ command, approved, signal: new AbortController().signal });

describe(verifies('H1:foreign-shell', 'where no POSIX shell runs a command nothing runs unasked, whatever servers and rules say'), () => {
  test.each(['ls', 'git status', 'echo "a & calc"', "echo 'a' '&' calc"])('%s', async (command) => {
    const commands = await commandsOf(false);
    await expect(commands.prepare(order(command, false), () => Promise.resolve('ran'))).rejects.toMatchObject({ code: 'DENIED_BY_POLICY' });
    await expect(commands.prepare(order(command, true), ({ shell }) => Promise.resolve(shell))).resolves.toEqual({
      program: CMD,
      args: ['/d', '/s', '/c', `"${command}"`],
      verbatim: true,
    });
  });

  test('by a POSIX shell what is harmless does', async () => {
    const shell = await (await commandsOf(true)).prepare(order('ls', false), (ready) => Promise.resolve(ready.shell));
    expect(shell).toEqual({ program: '/bin/sh', args: ['-c', '--', 'ls'], verbatim: false });
  });

  test('who approves it is told which shell runs it', async () => {
    expect((await previewCommand(await commandsOf(false), 'ls')).preview.text).toContain(`${CMD} runs it`);
    expect((await previewCommand(await commandsOf(true), 'ls')).preview.text).not.toContain('runs it');
  });
});
