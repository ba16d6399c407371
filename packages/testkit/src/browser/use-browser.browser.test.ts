import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { eventually } from '../eventually.js';
import { findBarriers, serveFolder, useBrowser, type ServedFolder } from './index.js';

const browser = useBrowser();
let folder: string;
let pages: ServedFolder;

const page = (body: string): string =>
  `<!doctype html><html lang="en"><head><title>A page</title></head><body><main>${body}</main></body></html>`;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'codelab-pages-'));
  await writeFile(join(folder, 'good.html'), page('<h1>Good</h1><button>Go</button>'));
  await writeFile(join(folder, 'bad.html'), page('<h1>Bad</h1><button></button><script>document.title = "ran"</script>'));
  await writeFile(join(folder, 'throws.html'), page('<h1>Throws</h1><script src="/throws.js"></script>'));
  await writeFile(join(folder, 'throws.js'), 'console.error("said"); throw new Error("thrown");');
  pages = await serveFolder(folder);
});
afterAll(async () => {
  await pages.close();
  await rm(folder, { recursive: true });
});

test('a page without faults has none', async () => {
  const good = await browser.open(`${pages.url}/good.html`);
  expect(await good.getByRole('button').textContent()).toBe('Go');
  expect(await findBarriers(good)).toEqual([]);
});

test('a refused inline script and a button without a name are found', async () => {
  const bad = await browser.open(`${pages.url}/bad.html`);
  expect(await bad.title()).toBe('A page');
  expect(await findBarriers(bad)).toEqual([expect.stringMatching(/^button-name: /)]);
  await eventually('the policy reports', () => browser.takeProblems().some((problem) => problem.includes('script-src')));
  browser.takeProblems();
});

test('what a page throws or writes to the console as an error is found', async () => {
  await browser.open(`${pages.url}/throws.html`);
  const problems: string[] = [];
  await eventually('both are told', () => problems.push(...browser.takeProblems()) >= 2);
  expect(problems).toEqual(expect.arrayContaining(['console: said', expect.stringContaining('uncaught: Error: thrown')]));
});
