import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { verifies } from '@codelab/testkit';
import { startChat } from '../e2e/start-chat.js';
import { startEditor } from '../e2e/start-editor.js';
import { agentOf } from '../e2e/use-editors.js';
import { useConsole } from './use-console.js';

const used = useConsole({
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

// The same story with VS Code itself is tests/ide/places.ide.test.ts: here any editor that speaks ACP stands in its place.
test(
  verifies(
    'R4:places-acp',
    'one session is begun in an editor by ACP, approved in the console and continued in a terminal; each write is done once',
  ),
  async () => {
    const { system, repository } = used;
    const editor = await startEditor({ root: repository.root, ...agentOf(system) });
    const { sessionId } = await editor.open();
    const turn = editor.prompt(sessionId, 'write the notes');
    const page = await used.open('/approvals');
    const asked = page.getByRole('article', { name: 'write_file in write the notes' });
    await asked.locator('[data-armed]').waitFor();
    expect(await fileOf('notes.txt')).toBe('zero\n');
    await asked.getByRole('button', { name: 'Approve', exact: true }).click();
    expect(await turn).toMatchObject({ stopReason: 'end_turn' });
    expect(editor.said(sessionId)).toContain('The notes are written.');
    expect(await fileOf('notes.txt')).toBe('from the editor\n');
    await editor.close();

    const chat = await startChat(system, { root: repository.root, argv: ['--session', sessionId] });
    try {
      await chat.shows('The notes are written.');
      await page.goto(`${used.url}/sessions/${sessionId}`);
      chat.say('add the rest');
      await chat.decide(/rest\.txt/, 'a');
      await page.getByLabel('Conversation').getByText('The rest is there, too.').first().waitFor();
    } finally {
      await chat.close();
    }
    expect(await fileOf('rest.txt')).toBe('from the terminal\n');
    expect(JSON.stringify(used.model.requests.at(-1)!.body.messages)).toContain('write the notes');
    expect((await repository.git('status', '--porcelain')).trim().split('\n').sort()).toEqual(['?? rest.txt', 'M notes.txt']);
  },
);
