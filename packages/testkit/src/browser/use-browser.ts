import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, expect } from 'vitest';
import type { Browser, BrowserContext, BrowserContextOptions, Page } from 'playwright-core';
import { launchChromium } from './launch-chromium.js';
import { watchPage } from './watch-page.js';

/** How a page is opened: all that playwright's contexts know, such as `colorScheme`, `reducedMotion`, `hasTouch`. */
export interface PageOptions extends BrowserContextOptions {
  /** CSS pixels. Default: 1280 by 800; a phone is 390 by 844. */
  readonly viewport?: { readonly width: number; readonly height: number };
}

/** A real Chromium for all tests of a file. */
export interface UsedBrowser {
  /** A page in a context (cookies, storages) of its own; closed behind the test. `page.context().newPage()` opens a second tab. */
  open(url: string, options?: PageOptions): Promise<Page>;
  /**
   * What the pages of this test complained of: uncaught errors, errors on the console, violations of their content security policy. Behind
   * each test there must be none; a test that makes some on purpose takes them: `expect(browser.takeProblems()).toEqual([…])`.
   */
  takeProblems(): readonly string[];
}

/** Where pictures of the pages of a failed test are left. */
const PICTURES = '.turbo/pictures';
const DESKTOP = { width: 1280, height: 800 };
/** For one action or expectation of a page; the machine may be busy. */
const ACTION_MS = 30_000;

/** Starts Chromium for the tests of a file, and closes it. After a failed test, pictures of its pages are in `.turbo/pictures`. */
export function useBrowser(): UsedBrowser {
  let browser: Browser;
  let contexts: BrowserContext[] = [];
  let problems: string[] = [];

  beforeAll(async () => {
    browser = await launchChromium();
  }, 60_000);
  afterAll(async () => browser.close());
  afterEach(async ({ task }) => {
    if (task.result?.state === 'fail') await takePictures(contexts);
    await Promise.all(contexts.map((context) => context.close()));
    const found = problems;
    contexts = [];
    problems = [];
    expect({ problems: found }).toEqual({ problems: [] });
  });

  return {
    open: async (url, options = {}) => {
      const context = await browser.newContext({ viewport: DESKTOP, reducedMotion: 'reduce', ...options });
      contexts.push(context);
      context.setDefaultTimeout(ACTION_MS);
      await watchPage(context, (problem) => problems.push(problem));
      const page = await context.newPage();
      await page.goto(url);
      return page;
    },
    takeProblems: () => problems.splice(0),
  };
}

async function takePictures(contexts: readonly BrowserContext[]): Promise<void> {
  await mkdir(PICTURES, { recursive: true });
  const name = (expect.getState().currentTestName ?? 'test').replaceAll(/\W+/g, '-').slice(0, 100);
  const pages = contexts.flatMap((context) => context.pages());
  for (const [index, page] of pages.entries()) {
    const path = join(PICTURES, `${name}${index === 0 ? '' : `-${String(index + 1)}`}.png`);
    const words = await page.screenshot({ path, timeout: ACTION_MS }).then(
      () => path,
      (error: Error) => `no picture of ${page.url()}: ${error.message.split('\n')[0] ?? ''}`, // the page hangs: the test says more
    );
    process.stderr.write(`${words}\n`);
  }
}
