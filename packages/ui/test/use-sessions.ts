import { rm } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll } from 'vitest';
import { buildPages, serveFolder, useBrowser, type PageOptions, type ServedFolder, type UsedBrowser } from '@codelab/testkit/browser';

const GALLERY = fileURLToPath(new URL('../gallery', import.meta.url));

type Page = Awaited<ReturnType<UsedBrowser['open']>>;

/** A page of the gallery. */
export interface GalleryPage {
  readonly page: Page;
  /** The element that scrolls. */
  readonly scroller: ReturnType<Page['locator']>;
  /** Does something in the page with `gallery`, the port of the session: JavaScript whose last value comes back. */
  readonly run: <T>(script: string) => Promise<T>;
  /** Pixels between what is seen and the end of the conversation. */
  readonly distanceFromEnd: () => Promise<number>;
  /** What components asked the port for. */
  readonly asked: () => Promise<readonly unknown[]>;
}

/** The gallery, built once for the tests of a file, in a real Chromium under a strict policy. */
export function useGallery(): { open(fixture: string, options?: PageOptions): Promise<GalleryPage>; takeProblems(): readonly string[] } {
  const browser = useBrowser();
  let folder: string;
  let served: ServedFolder;
  beforeAll(async () => {
    folder = await buildPages(GALLERY);
    served = await serveFolder(folder);
  }, 120_000);
  afterAll(async () => {
    await served.close();
    await rm(folder, { recursive: true });
  });
  return {
    takeProblems: () => browser.takeProblems(),
    open: async (fixture, options) => {
      const page = await browser.open(`${served.url}/?fixture=${fixture}`, options);
      await page.locator('.cl-screen').waitFor();
      const scroller = page.locator('.cl-timeline__scroller');
      return {
        page,
        scroller,
        run: (script) => page.evaluate(script),
        distanceFromEnd: () =>
          page.evaluate(
            `(({ scrollHeight, clientHeight, scrollTop }) => Math.round(scrollHeight - clientHeight - scrollTop))(document.querySelector('.cl-timeline__scroller'))`,
          ),
        asked: () => page.evaluate('JSON.parse(JSON.stringify(gallery.asked))'),
      };
    },
  };
}
