import { beforeEach, expect, test } from 'vitest';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { eventually, verifies } from '@codelab/testkit';
import type { Plans } from '../e2e/use-chats.js';
import type { Editor } from './editor-window.js';
import { useEditor } from './use-editor.js';

const WEATHER = fileURLToPath(new URL('./__fixtures__/weather', import.meta.url));
const LINES = Array.from({ length: 24 }, (_, index) => `line ${String(index + 1)}\n`).join('');
const CHANGED = LINES.replace('line 3\n', 'line three\n').replace('line 20\n', 'line twenty\n');

const PLANS: Plans = {
  'say hello': [{ text: '## Hello\n\nThis is **CodeLab** in an editor.' }],
  'change the lines': [
    { calls: [{ tool: 'write_file', args: { path: 'lines.txt', content: CHANGED } }] },
    { text: 'The lines are changed.' },
  ],
  'read what I typed': [{ calls: [{ tool: 'read_file', args: { path: 'notes.txt' } }] }, { text: 'I have read it.' }],
  'write the notes': [
    { calls: [{ tool: 'write_file', args: { path: 'notes.txt', content: 'from the agent\n' } }] },
    { text: 'The notes are written.' },
  ],
  'how is the weather': [{ calls: [{ tool: 'client__weather_of', args: { city: 'Bonn' } }] }, { text: 'It is sunny.' }],
  'wait for me': [{ calls: [{ tool: 'write_file', args: { path: 'late.txt', content: 'late\n' } }] }, { text: 'It is there now.' }],
};

const used = useEditor(PLANS, { files: { 'notes.txt': 'zero\n', 'lines.txt': LINES }, extensions: { 'test.weather-1.0.0': WEATHER } });
let editor: Editor;

beforeEach(async () => {
  editor = await used.open();
  await editor.run('CodeLab: Open the Chat');
}, 300_000);

const fileOf = (name: string): Promise<string> => readFile(join(used.repository.root, name), 'utf8');

test(
  verifies('L3:ide-chat', 'a window of VS Code talks with the agent, and shows what it says'),
  async () => {
    await editor.say('say hello');
    const chat = await editor.chat();
    await chat.getByRole('heading', { name: 'Hello', exact: true }).waitFor();
    await editor.page.locator('.statusbar-item').filter({ hasText: 'CodeLab gpt-test' }).waitFor();
    await editor.picture('chat');
  },
  300_000,
);

test(
  verifies('H2:ide-hunks', 'a change is shown in the editor’s own diff, hunks are dropped there, and only what is kept is written'),
  async () => {
    await editor.say('change the lines');
    await editor.asked();
    await editor.page.keyboard.press('Control+Alt+R');
    const { page } = editor;
    await page.locator('.tab.active').filter({ hasText: 'lines.txt (proposed)' }).waitFor();
    await editor.picture('diff');
    await page.locator('.codelens-decoration a').filter({ hasText: 'Hunk 2 is kept: drop it' }).click();
    await page.locator('.codelens-decoration a').filter({ hasText: 'Hunk 2 is dropped: keep it' }).waitFor();
    await editor.picture('hunk-dropped');
    await page.locator('.codelens-decoration a').filter({ hasText: 'Approve 1 of 2' }).click();
    await editor.shows('The lines are changed.');
    expect(await fileOf('lines.txt')).toBe(LINES.replace('line 3\n', 'line three\n'));
    await page.locator('.tab').filter({ hasText: 'lines.txt (proposed)' }).waitFor({ state: 'detached' });
  },
  300_000,
);

test(
  verifies('W2:ide-buffers', 'what is typed and not saved is what tools read; what they write can be taken back by the editor’s undo'),
  async () => {
    const { page } = editor;
    await editor.open('notes.txt');
    await editor.type('typed here ');
    await editor.say('read what I typed');
    await editor.shows('I have read it.');
    const told = used.model.requests.at(-1)!.body.messages.at(-1);
    expect(JSON.stringify(told)).toContain('typed here zero');
    expect(await fileOf('notes.txt')).toBe('zero\n');

    await editor.say('write the notes');
    await editor.asked();
    await editor.picture('unsaved');
    await page.keyboard.press('Control+Alt+Y');
    await editor.shows('The notes are written.');
    expect(await fileOf('notes.txt')).toBe('from the agent\n');
    await editor.open('notes.txt');
    await page.locator('.monaco-editor .view-lines').first().click();
    await page.keyboard.press('Control+Z');
    await page.locator('.view-line').filter({ hasText: 'typed here zero' }).waitFor();
  },
  300_000,
);

test(
  verifies(
    'R4:ide-reload',
    'a window that is reloaded in the middle of a turn goes on with it: the question is there again, and is done once',
  ),
  async () => {
    await editor.say('wait for me');
    await editor.asked();
    await editor.load();
    await editor.run('CodeLab: Open the Chat');
    const chat = await editor.chat();
    await editor.asked();
    await editor.picture('reloaded');
    await editor.page.keyboard.press('Control+Alt+Y');
    await chat.getByText('It is there now.').first().waitFor();
    expect(await fileOf('late.txt')).toBe('late\n');
  },
  300_000,
);

test(
  verifies('W2:ide-undo', 'what a turn changed is undone from the palette'),
  async () => {
    await editor.say('write the notes');
    await editor.asked();
    await editor.page.keyboard.press('Control+Alt+Y');
    await editor.shows('The notes are written.');
    await editor.run('CodeLab: Undo What a Turn Changed');
    const { page } = editor;
    await page.locator('.quick-input-list .monaco-list-row').filter({ hasText: 'write_file' }).first().waitFor();
    await page.keyboard.press('Enter');
    await page.locator('.monaco-dialog-box').getByText('restore notes.txt').waitFor();
    await editor.picture('undo');
    await page.locator('.monaco-dialog-box').getByRole('button', { name: 'Undo' }).click();
    await eventually('the notes are back', async () => (await fileOf('notes.txt')) === 'zero\n');
  },
  300_000,
);

test(
  verifies(
    'H1:ide-tools',
    'tools of other extensions are listed to programs as those of the session, and run in the editor once somebody approved',
  ),
  async () => {
    const { url } = used.system.proxies[0]!;
    const listed = async (): Promise<boolean> => {
      const answer = await fetch(`${url}/v1/tools`, { headers: { authorization: `Bearer ${used.system.token}` } });
      return (await answer.text()).includes('weather_of');
    };
    await editor.chat();
    await eventually('the proxy lists the tool', listed, { withinMs: 60_000 });
    await editor.say('how is the weather');
    await editor.asked();
    await editor.picture('host-tool');
    await editor.page.keyboard.press('Control+Alt+Y');
    await editor.shows('It is sunny.');
    expect(JSON.stringify(used.model.requests.at(-1)!.body.messages.at(-1))).toContain('sunny in Bonn');
  },
  300_000,
);
