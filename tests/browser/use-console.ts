import { afterAll, afterEach, beforeAll, beforeEach } from 'vitest';
import type { Page } from 'playwright-core';
import type { ScriptedProvider } from '@codelab/testkit';
import { useBrowser, type PageOptions, type UsedBrowser } from '@codelab/testkit/browser';
import { makeRepository, type Repository } from '../e2e/make-repository.js';
import { startPlannedModel } from '../e2e/planned-model.js';
import { startSystem, type System } from '../e2e/start-system.js';
import type { Plans } from '../e2e/use-chats.js';
import { joinSession, type JoinOptions, type Laptop } from './join-session.js';

/** The console of a whole system: real services, a real browser, clients with real workspaces; only the model follows plans. */
export interface UsedConsole {
  readonly browser: UsedBrowser;
  readonly system: System;
  readonly model: ScriptedProvider;
  /** A new one for each test. */
  readonly repository: Repository;
  /** `http://…` of the gateway, where the console is. */
  readonly url: string;
  /** Opens a page of the console, signed in by its own form. */
  open(path: string, options?: PageOptions): Promise<Page>;
  /** A client with the repository joins a session, and leaves behind the test. */
  join(options?: JoinOptions): Promise<Laptop>;
}

/** A system and a browser for all tests of a file. `plans`: what the model does, by words of the message. */
export function useConsole(plans: Plans, files: Readonly<Record<string, string>> = { 'notes.txt': 'zero\n' }): UsedConsole {
  const browser = useBrowser();
  let model: ScriptedProvider;
  let system: System;
  let repository: Repository;
  let laptops: Laptop[] = [];

  beforeAll(async () => {
    model = await startPlannedModel(plans);
    system = await startSystem({ env: { OPENAI_BASE_URL: model.baseUrl, OPENAI_API_KEY: 'k', CODELAB_MODEL: 'gpt-test' } });
  }, 60_000);
  afterAll(async () => {
    await system.stop();
    await model.close();
  });
  beforeEach(async () => {
    repository = await makeRepository({ extra: files });
  });
  afterEach(async () => {
    await Promise.all(laptops.map((laptop) => laptop.leave()));
    laptops = [];
    await repository.remove();
  });

  const used: UsedConsole = {
    browser,
    get system() {
      return system;
    },
    get model() {
      return model;
    },
    get repository() {
      return repository;
    },
    get url() {
      return system.gateways[0]?.url ?? '';
    },
    open: async (path, options) => {
      const page = await browser.open(`${used.url}${path}`, options);
      await signIn(page, system.token);
      return page;
    },
    join: async (options) => {
      const laptop = await joinSession(system, repository.root, options);
      laptops.push(laptop);
      return laptop;
    },
  };
  return used;
}

/** Types the token and waits until a page is there. */
export async function signIn(page: Page, token: string): Promise<void> {
  await page.getByLabel('Token', { exact: true }).fill(token);
  await page.getByRole('button', { name: 'Sign in' }).click();
  await page.locator('.co-shell').waitFor();
}
