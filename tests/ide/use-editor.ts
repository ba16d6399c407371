import { afterAll, afterEach, beforeAll } from 'vitest';
import { launchChromium } from '@codelab/testkit';
import type { Browser, BrowserContextOptions, Page } from 'playwright-core';
import { useServices, type Plans, type UsedServices } from '../e2e/use-services.js';
import type { Editor } from './editor-window.js';
import { startEditorServer, type EditorServer } from './start-editor.js';

/** Everything that is started and opened may take so long on a busy machine, in milliseconds. */
const SETUP_MS = 300_000;

/** VS Code on a whole system: real services, a real editor, a real browser; only the model follows plans. */
export interface UsedEditor extends Pick<UsedServices, 'system' | 'model' | 'repository'> {
  readonly server: EditorServer;
  /** Opens a window on the repository, or on another folder or workspace file. It is closed behind the test; a failed one leaves a picture. */
  open(path?: string): Promise<Editor>;
  /** Opens any other page, in a browser of its own. */
  page(url: string, options?: BrowserContextOptions): Promise<Page>;
}

/** One system, one code-server and one browser for all tests of a file. `plans`: what the model does, by words of the message. */
export function useEditor(
  plans: Plans,
  {
    files,
    extensions = {},
  }: { readonly files?: Readonly<Record<string, string>>; readonly extensions?: Readonly<Record<string, string>> } = {},
): UsedEditor {
  const services = useServices(plans, { files });
  let server: EditorServer;
  let browser: Browser;
  let editors: Editor[] = [];
  let pages: Page[] = [];

  beforeAll(async () => {
    server = await startEditorServer(services.system, extensions);
    browser = await launchChromium();
  }, SETUP_MS);
  afterAll(async () => {
    await browser.close();
    await server.stop();
  }, SETUP_MS);
  afterEach(async ({ task }) => {
    for (const editor of editors) {
      if (task.result?.state === 'fail') await editor.picture(`failed-${task.name.slice(0, 60).replaceAll(/\W+/g, '-')}`);
      await editor.page.context().close();
    }
    for (const page of pages) await page.context().close();
    [editors, pages] = [[], []];
    await server.reset();
  }, SETUP_MS);

  return {
    get system() {
      return services.system;
    },
    get model() {
      return services.model;
    },
    get server() {
      return server;
    },
    get repository() {
      return services.repository;
    },
    open: async (path = services.repository.root) => {
      const editor = await server.window(browser, path);
      editors.push(editor);
      return editor;
    },
    page: async (url, options) => {
      const page = await (await browser.newContext({ reducedMotion: 'reduce', ...options })).newPage();
      pages.push(page);
      await page.goto(url);
      return page;
    },
  };
}
