import { afterAll, afterEach, beforeAll, beforeEach } from 'vitest';
import { launchChromium, type ScriptedProvider } from '@codelab/testkit';
import type { Browser, BrowserContextOptions, Page } from 'playwright-core';
import { makeRepository, type Repository } from '../e2e/make-repository.js';
import { startPlannedModel } from '../e2e/planned-model.js';
import { startSystem, type System } from '../e2e/start-system.js';
import type { Plans } from '../e2e/use-chats.js';
import type { Editor } from './editor-window.js';
import { startEditorServer, type EditorServer } from './start-editor.js';

/** Everything that is started and opened may take so long on a busy machine, in milliseconds. */
const SETUP_MS = 300_000;

/** VS Code on a whole system: real services, a real editor, a real browser; only the model follows plans. */
export interface UsedEditor {
  readonly system: System;
  readonly model: ScriptedProvider;
  readonly server: EditorServer;
  /** A new one for each test. */
  readonly repository: Repository;
  /** Opens a window on the repository, or on another folder or workspace file. It is closed behind the test; a failed one leaves a picture. */
  open(path?: string): Promise<Editor>;
  /** Opens any other page, in a browser of its own. */
  page(url: string, options?: BrowserContextOptions): Promise<Page>;
}

/** One system, one code-server and one browser for all tests of a file. `plans`: what the model does, by words of the message. */
export function useEditor(
  plans: Plans,
  {
    files = { 'notes.txt': 'zero\n' },
    extensions = {},
  }: { readonly files?: Readonly<Record<string, string>>; readonly extensions?: Readonly<Record<string, string>> } = {},
): UsedEditor {
  let model: ScriptedProvider;
  let system: System;
  let server: EditorServer;
  let browser: Browser;
  let repository: Repository;
  let editors: Editor[] = [];
  let pages: Page[] = [];

  beforeAll(async () => {
    model = await startPlannedModel(plans);
    system = await startSystem({ env: { OPENAI_BASE_URL: model.baseUrl, OPENAI_API_KEY: 'k', CODELAB_MODEL: 'gpt-test' } });
    server = await startEditorServer(system, extensions);
    browser = await launchChromium();
  }, SETUP_MS);
  afterAll(async () => {
    await browser.close();
    await server.stop();
    await system.stop();
    await model.close();
  }, SETUP_MS);
  beforeEach(async () => {
    repository = await makeRepository({ extra: files });
  });
  afterEach(async ({ task }) => {
    for (const editor of editors) {
      if (task.result?.state === 'fail') await editor.picture(`failed-${task.name.slice(0, 60).replaceAll(/\W+/g, '-')}`);
      await editor.page.context().close();
    }
    for (const page of pages) await page.context().close();
    [editors, pages] = [[], []];
    await server.reset();
    await repository.remove();
  }, SETUP_MS);

  return {
    get system() {
      return system;
    },
    get model() {
      return model;
    },
    get server() {
      return server;
    },
    get repository() {
      return repository;
    },
    open: async (path = repository.root) => {
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
