import { mkdir, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from '@jest/globals';
import { verifies } from '@codelab/testkit';
import { openWorkspace } from '@codelab/workspace';
import { readCustomCommand } from './custom-commands.js';

test(
  verifies('L3:custom-commands', 'a command of the workspace is the message that its file holds, and never a file from elsewhere'),
  async () => {
    const folder = await mkdtemp(join(tmpdir(), 'codelab-commands-'));
    try {
      const root = join(folder, 'workspace');
      const commands = join(root, '.codelab', 'commands');
      await mkdir(commands, { recursive: true });
      await writeFile(join(folder, 'outside.md'), 'not yours\n');
      await writeFile(join(commands, 'fix.md'), 'Fix $ARGUMENTS.\n');
      await writeFile(join(commands, 'empty.md'), '\n');
      await symlink(join(folder, 'outside.md'), join(commands, 'out.md'));
      const { attachments } = await openWorkspace({ root, dataDir: join(folder, 'data') });
      expect(await readCustomCommand(attachments, 'fix', 'a.ts')).toBe('Fix a.ts.');
      await expect(readCustomCommand(attachments, 'empty', '')).rejects.toThrow('says nothing');
      await expect(readCustomCommand(attachments, 'nosuch', '')).rejects.toThrow('There is no command /nosuch');
      await expect(readCustomCommand(attachments, 'out', '')).rejects.toThrow();
    } finally {
      await rm(folder, { recursive: true, force: true });
    }
  },
);
