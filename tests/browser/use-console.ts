import type { Page } from 'playwright-core';
import { useBrowser, type PageOptions, type UsedBrowser } from '@codelab/testkit/browser';
import { useServices, type Plans, type ServicesOptions, type UsedServices } from '../e2e/use-services.js';
import { joinSession, type JoinOptions, type Laptop } from './join-session.js';

/** The console of a whole system: real services, a real browser, clients with real workspaces; only the model follows plans. */
export interface UsedConsole extends Pick<UsedServices, 'system' | 'model' | 'repository'> {
  readonly browser: UsedBrowser;
  /** `http://…` of the gateway, where the console is. */
  readonly url: string;
  /** Opens a page of the console, signed in by its own form. */
  open(path: string, options?: PageOptions): Promise<Page>;
  /** A client with the repository joins a session, and leaves behind the test. */
  join(options?: JoinOptions): Promise<Laptop>;
}

/** A system and a browser for all tests of a file. `plans`: what the model does, by words of the message. */
export function useConsole(plans: Plans, options?: ServicesOptions): UsedConsole {
  const browser = useBrowser();
  const services = useServices(plans, options);
  const used: UsedConsole = {
    browser,
    get system() {
      return services.system;
    },
    get model() {
      return services.model;
    },
    get repository() {
      return services.repository;
    },
    get url() {
      return services.system.gateways[0]?.url ?? '';
    },
    open: async (path, pageOptions) => {
      const page = await browser.open(`${used.url}${path}`, pageOptions);
      await signIn(page, services.system.token);
      return page;
    },
    join: async (joinOptions) => {
      const laptop = await joinSession(services.system, services.repository.root, joinOptions);
      services.after(() => laptop.leave());
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
