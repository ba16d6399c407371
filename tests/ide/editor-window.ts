import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { eventually } from '@codelab/testkit';
import type { Browser, Frame, Locator, Page } from 'playwright-core';

const PICTURES = fileURLToPath(new URL('../../.turbo/pictures/ide', import.meta.url));
/** How long an editor may take to load, in milliseconds. */
export const LOAD_MS = 120_000;

/** A window of a real editor. */
export interface Editor {
  readonly page: Page;
  /** Leaves the window, as by closing it; what the editor remembers stays. */
  leave(): Promise<void>;
  /** Comes back to it, or loads it anew. */
  load(): Promise<void>;
  /** The chat of the extension. */
  chat(): Promise<Frame>;
  /** Waits until the chat shows a text. */
  shows(text: string): Promise<void>;
  /** Types a message in the chat and sends it. */
  say(message: string): Promise<void>;
  /** Runs a command of the palette by its title. */
  run(title: string): Promise<void>;
  /** Fills the box that asks by this title, and confirms it. */
  answer(title: string, text: string): Promise<void>;
  /** Waits until the chat asks for a decision. */
  asked(): Promise<void>;
  /** Opens a file of the folder. */
  open(name: string): Promise<void>;
  /** Types at the beginning of the file that is open. */
  type(text: string): Promise<void>;
  /** Keeps a picture of the window in `.turbo/pictures/ide`. */
  picture(name: string): Promise<void>;
}

/** Opens a window on a folder, or on a workspace file, and waits until it is there. */
export async function openWindow(browser: Browser, url: string, path: string): Promise<Editor> {
  const context = await browser.newContext({ viewport: { width: 1440, height: 900 }, reducedMotion: 'reduce' });
  context.setDefaultTimeout(90_000);
  const page = await context.newPage();
  const load = async (): Promise<void> => {
    await page.goto(`${url}?${path.endsWith('.code-workspace') ? 'workspace' : 'folder'}=${encodeURIComponent(path)}`);
    await page.waitForSelector('.monaco-workbench .statusbar-item', { timeout: LOAD_MS });
  };
  await load();
  const chat = (): Promise<Frame> => eventually('the chat is there', () => findChat(page), { withinMs: LOAD_MS });
  const shows = async (text: string): Promise<void> => (await chat()).locator('.cl-screen').getByText(text).first().waitFor();
  return {
    ...{ page, load, chat, shows },
    leave: async () => void (await page.goto('about:blank')),
    run: (title) => choose(page, `>${title}`, title),
    async say(message) {
      const box = (await chat()).locator('.cl-composer textarea');
      await box.fill(message);
      await box.press('Enter');
    },
    open: (name) => openFile(page, name),
    async type(text) {
      const typed = async (): Promise<boolean> => {
        await page.locator('.editor-group-container.active .monaco-editor .view-lines').first().click();
        await page.keyboard.press('Control+Home');
        await page.keyboard.type(text);
        return appears(page.locator('.view-line').filter({ hasText: text }));
      };
      await eventually('the editor takes what is typed', typed, { withinMs: LOAD_MS });
    },
    async answer(title, text) {
      await page.locator('.quick-input-widget .quick-input-title').filter({ hasText: title }).waitFor();
      await page.locator('.quick-input-widget input').first().fill(text);
      await page.keyboard.press('Enter');
    },
    async asked() {
      await (await chat()).getByRole('button', { name: 'Approve', exact: true }).waitFor();
    },
    async picture(name) {
      await mkdir(PICTURES, { recursive: true });
      await page.screenshot({ path: join(PICTURES, `${name}.png`) });
    },
  };
}

const appears = (what: Locator): Promise<boolean> =>
  what
    .first()
    .waitFor({ timeout: 5_000 })
    .then(
      () => true,
      () => false, // not yet
    );

async function findChat(page: Page): Promise<Frame | undefined> {
  for (const frame of page.frames()) {
    if (!frame.url().includes('fake.html') && !frame.url().includes('extensionId=')) continue;
    const screens = await frame
      .locator('.cl-screen')
      .count()
      .catch(() => 0); // a frame that goes away
    if (screens > 0) return frame;
  }
  return undefined;
}

/** Chooses a row in the quick input: commands of extensions come into the palette only when these have been found. */
async function choose(page: Page, typed: string, row: string): Promise<void> {
  const found = page.locator('.quick-input-list .monaco-list-row').filter({ hasText: row }).first();
  const offers = async (): Promise<boolean> => {
    await page.keyboard.press('Escape');
    await page.keyboard.press('F1');
    const input = page.locator('.quick-input-widget input').first();
    if (!(await appears(input))) return false;
    await input.fill(typed);
    return appears(found);
  };
  await eventually(`the quick input offers ${row}`, offers, { withinMs: LOAD_MS });
  await page.keyboard.press('Enter');
}

async function openFile(page: Page, name: string): Promise<void> {
  const tab = page.locator('.tab.active').filter({ hasText: name });
  const opens = async (): Promise<boolean> => {
    await choose(page, name, name);
    return appears(tab);
  };
  await eventually(`${name} is open`, opens, { withinMs: LOAD_MS });
}
