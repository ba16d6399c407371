/** For tests of pages in a real Chromium. Not in the front door, which programs without vitest import as well. */
export { useBrowser, type PageOptions, type UsedBrowser } from './use-browser.js';
export { findBarriers } from './find-barriers.js';
export { serveFolder, type ServedFolder } from './serve-folder.js';
export { buildPages } from './build-pages.js';
