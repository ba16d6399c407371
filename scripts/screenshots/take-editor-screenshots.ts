/**
 * Takes the pictures of the extension in a real VS Code server (`CODELAB_CODE_SERVER`), before a whole system with a scripted model:
 * `node --conditions=codelab-source --import ./scripts/register-swc.mjs scripts/screenshots/take-editor-screenshots.ts`, after
 * `./codelab --version`.
 */
import { mkdir } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { launchChromium } from '@codelab/testkit';
import type { Editor } from '../../tests/ide/editor-window.js';
import { startEditorServer } from '../../tests/ide/start-editor.js';
import { findChromium } from '../find-chromium.mjs';
import { findCodeServer, NO_CODE_SERVER } from '../find-code-server.mjs';
import { REQUEST, startTide } from './tide.js';

/** The pages of the extension show them, too: they are packed with it. */
const MEDIA = fileURLToPath(new URL('../../apps/vscode/media/', import.meta.url));

process.env['CODELAB_CHROMIUM'] ??= findChromium() ?? '';
const home = findCodeServer();
if (home === undefined) throw new Error(NO_CODE_SERVER);
process.env['CODELAB_CODE_SERVER'] = home;
const tide = await startTide();
const server = await startEditorServer(tide.system);
const browser = await launchChromium();
try {
  await mkdir(MEDIA, { recursive: true });
  const editor = await server.window(browser, tide.root);
  const { page } = editor;
  await page.setViewportSize({ width: 1280, height: 960 });
  await editor.open('tide.js');
  await page.locator('.view-line').filter({ hasText: 'High water' }).waitFor();
  await editor.run('CodeLab: Open the Chat');
  await widen(editor);
  await editor.say(REQUEST);
  await editor.asked();
  await page.locator('.monaco-list-row').filter({ hasText: 'waits for you' }).waitFor();
  await quiet(editor);
  await save(editor, 'chat');
  await page.keyboard.press('Control+Alt+R');
  await page.locator('.codelens-decoration a').filter({ hasText: 'Approve' }).first().waitFor();
  await quiet(editor);
  await save(editor, 'review');
  await page.keyboard.press('Control+Alt+Y');
  await (await editor.chat()).getByText('npm test').first().waitFor();
  await editor.asked();
  await page.keyboard.press('Control+Alt+Y');
  await editor.shows('to a tide that is late');
  await quiet(editor);
  await save(editor, 'done');
} finally {
  await browser.close();
  await server.stop();
  await tide.stop();
}

/** Gives the side bar room: its border is drawn to the right. */
async function widen({ page }: Editor): Promise<void> {
  const box = await page.locator('.part.sidebar').boundingBox();
  if (box === null) return;
  await page.mouse.move(box.x + box.width, box.y + box.height / 2);
  await page.mouse.down();
  await page.mouse.move(470, box.y + box.height / 2, { steps: 5 });
  await page.mouse.up();
}

/** Nothing blinks, hovers, or tells of something else. */
async function quiet(editor: Editor): Promise<void> {
  await editor.page.mouse.move(900, 700);
  const chat = await editor.chat();
  await chat.evaluate('document.fonts.ready');
  await editor.page.locator('.monaco-hover:visible').waitFor({ state: 'hidden' });
}

async function save({ page }: Editor, name: string): Promise<void> {
  await page.screenshot({ path: `${MEDIA}${name}.png`, animations: 'disabled', caret: 'hide' });
}
