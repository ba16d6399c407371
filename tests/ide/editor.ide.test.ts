import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { eventually, launchChromium, verifies, type ScriptedProvider } from '@codelab/testkit';
import type { Browser } from 'playwright-core';
import { makeRepository, type Repository } from '../e2e/make-repository.js';
import { startPlannedModel, type Planned } from '../e2e/planned-model.js';
import { startSystem, type System } from '../e2e/start-system.js';
import { startEditorServer, type Editor, type EditorServer } from './start-editor.js';

const WEATHER = fileURLToPath(new URL('./__fixtures__/weather', import.meta.url));
const LINES = Array.from({ length: 24 }, (_, index) => `line ${String(index + 1)}\n`).join('');
const CHANGED = LINES.replace('line 3\n', 'line three\n').replace('line 20\n', 'line twenty\n');

const PLANS: Readonly<Record<string, readonly Planned[]>> = {
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

let model: ScriptedProvider;
let system: System;
let server: EditorServer;
let browser: Browser;
let repository: Repository;
let editor: Editor;

beforeAll(async () => {
  model = await startPlannedModel(PLANS);
  system = await startSystem({ env: { OPENAI_BASE_URL: model.baseUrl, OPENAI_API_KEY: 'k', CODELAB_MODEL: 'gpt-test' } });
  server = await startEditorServer(system, {}, { 'test.weather-1.0.0': WEATHER });
  browser = await launchChromium();
}, 300_000);
afterAll(async () => {
  await browser.close();
  await server.stop();
  await system.stop();
  await model.close();
}, 60_000);
beforeEach(async () => {
  repository = await makeRepository({ extra: { 'notes.txt': 'zero\n', 'lines.txt': LINES } });
  editor = await server.window(browser, repository.root);
  await editor.run('CodeLab: Open the Chat').catch(async (error: unknown) => {
    await editor.picture('no-chat');
    throw error;
  });
}, 300_000);
afterEach(async ({ task }) => {
  if (task.result?.state === 'fail') await editor.picture(`failed-${String(Date.now())}`);
  await editor.page.context().close();
  await repository.remove();
}, 60_000);

const fileOf = (name: string): Promise<string> => readFile(join(repository.root, name), 'utf8');

test(
  verifies('L3:ide-chat', 'a window of VS Code talks with the agent, and shows what it says'),
  async () => {
    await editor.say('say hello');
    const chat = await editor.chat();
    await chat.getByRole('heading', { name: 'Hello' }).waitFor();
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
    await (await editor.chat()).getByText('The lines are changed.').first().waitFor();
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
    await page.keyboard.press('Control+Home');
    await page.keyboard.type('typed here ');
    await editor.say('read what I typed');
    await (await editor.chat()).getByText('I have read it.').first().waitFor();
    const told = model.requests.at(-1)!.body.messages.at(-1);
    expect(JSON.stringify(told)).toContain('typed here zero');
    expect(await fileOf('notes.txt')).toBe('zero\n');

    await editor.say('write the notes');
    await editor.asked();
    await editor.picture('unsaved');
    await page.keyboard.press('Control+Alt+Y');
    await (await editor.chat()).getByText('The notes are written.').first().waitFor();
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
    await editor.page.reload();
    await editor.page.waitForSelector('.monaco-workbench .statusbar-item');
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
    await (await editor.chat()).getByText('The notes are written.').first().waitFor();
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
    const { url } = system.proxies[0]!;
    const listed = async (): Promise<boolean> => {
      const answer = await fetch(`${url}/v1/tools`, { headers: { authorization: `Bearer ${system.token}` } });
      return (await answer.text()).includes('weather_of');
    };
    await editor.chat();
    await eventually('the proxy lists the tool', listed, { withinMs: 60_000 });
    await editor.say('how is the weather');
    await editor.asked();
    await editor.picture('host-tool');
    await editor.page.keyboard.press('Control+Alt+Y');
    await (await editor.chat()).getByText('It is sunny.').first().waitFor();
    expect(JSON.stringify(model.requests.at(-1)!.body.messages.at(-1))).toContain('sunny in Bonn');
  },
  300_000,
);
