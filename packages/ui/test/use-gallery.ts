import { rm } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { buildPages, serveFolder, useBrowser, type PageOptions, type ServedFolder } from '@codelab/testkit/browser';
import { afterAll, beforeAll } from 'vitest';

type Page = Awaited<ReturnType<ReturnType<typeof useBrowser>['open']>>;

/** Builds the gallery of changes, approvals and questions for a file of tests, and opens its pages. */
export function useReviewGallery(): (page: string, options?: PageOptions & { readonly theme?: string }) => Promise<Page> {
  const browser = useBrowser();
  let folder: string;
  let pages: ServedFolder;
  beforeAll(async () => {
    folder = await buildPages(fileURLToPath(new URL('../gallery/review', import.meta.url)));
    pages = await serveFolder(folder);
  }, 90_000);
  afterAll(async () => {
    await pages.close();
    await rm(folder, { recursive: true });
  });
  return (page, { theme = 'light', ...options } = {}) => browser.open(`${pages.url}/?page=${page}&theme=${theme}`, options);
}
