import { expect, test } from 'vitest';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { verifies } from '@codelab/testkit';
import { signIn } from '../browser/use-console.js';
import { startChat } from '../e2e/start-chat.js';
import { useEditor } from './use-editor.js';

const used = useEditor({
  'write the notes': [
    { calls: [{ tool: 'write_file', args: { path: 'notes.txt', content: 'from the editor\n' } }] },
    { text: 'The notes are written.' },
  ],
  'add the rest': [
    { calls: [{ tool: 'write_file', args: { path: 'rest.txt', content: 'from the terminal\n' } }] },
    { text: 'The rest is there, too.' },
  ],
});

const fileOf = (name: string): Promise<string> => readFile(join(used.repository.root, name), 'utf8');

test(
  verifies(
    'R4:places',
    'one session is begun in VS Code, approved in the console, continued in a terminal, and read again in VS Code: nothing is done twice or lost',
  ),
  async () => {
    const { system } = used;
    const editor = await used.open();
    await editor.run('CodeLab: Open the Chat');
    await editor.say('write the notes');
    await editor.asked();
    expect(await fileOf('notes.txt')).toBe('zero\n');

    const page = await used.page(`${system.gateways[0]!.url}/approvals`);
    await signIn(page, system.token);
    const asked = page.getByRole('article', { name: 'write_file in write the notes' });
    await asked.locator('[data-armed]').waitFor();
    await asked.getByRole('button', { name: 'Approve', exact: true }).click();
    await editor.shows('The notes are written.');
    expect(await fileOf('notes.txt')).toBe('from the editor\n');

    await editor.leave();
    const chat = await startChat(system, { root: used.repository.root, isLocal: true, argv: ['--continue'] });
    try {
      await chat.shows('The notes are written.');
      chat.say('add the rest');
      await chat.decide(/rest\.txt/, 'a');
      await chat.shows('The rest is there, too.');
      await chat.rests();
    } finally {
      await chat.close();
    }
    expect(await fileOf('rest.txt')).toBe('from the terminal\n');
    const said = JSON.stringify(used.model.requests.at(-1)!.body.messages);
    for (const words of ['write the notes', 'The notes are written.', 'add the rest']) expect(said).toContain(words);

    await editor.load();
    await editor.run('CodeLab: Open the Chat');
    await editor.shows('The rest is there, too.');
    await editor.picture('again');
    expect((await used.repository.git('status', '--porcelain')).trim().split('\n').sort()).toEqual(['?? rest.txt', 'M notes.txt']);
  },
  300_000,
);
