import { readFileSync } from 'node:fs';
import { afterAll, expect, test } from 'vitest';
import { verifies } from '@codelab/testkit';
import { PageReader } from './page-reader.js';

const reader = new PageReader();
afterAll(() => reader.close());

const read = (name: string) =>
  reader.read(readFileSync(new URL(`../../test/pages/${name}.html`, import.meta.url), 'utf8'), 'https://docs.test/a/b.html');

test('a page of documentation: headings, lists, tables, code with its language, absolute links; no navigation', async () => {
  const { title, markdown } = await read('docs');
  expect(title).toBe('fs.fsync()');
  expect(markdown).toContain('# fs.fsync()\n\nRequests that all data of an open file is *flushed*');
  expect(markdown).toContain('[open flags](https://docs.test/fs/open.html#flags)');
  expect(markdown).toContain(
    "```ts\nimport { fsync } from 'node:fs';\n\nfsync(fd: number, callback: (error: Error | null) => void): void;\n```",
  );
  expect(markdown).toContain('| `fd` | `number` | An open file descriptor |\n| `callback` | `Function` | Called with an error \\| null |');
  expect(markdown).toContain('1. `EBADF`: not an open descriptor');
  expect(markdown).toContain('```\n# flush everything\nsync --file-system /data\n```');
  for (const left of ['Download', 'Assertion testing', 'Privacy', 'Copy', 'analytics']) expect(markdown).not.toContain(left);
});

test('a blog post: the article, without newsletter, tags and related posts', async () => {
  const { title, markdown } = await read('blog');
  expect(title).toBe('Why our queue stopped losing jobs');
  expect(markdown).toContain('> A queue that never repeats a job is a queue that sometimes forgets one.');
  expect(markdown).toContain('```\nmissing = produced - consumed\nalert if missing > 0\n```');
  expect(markdown).toContain('of which thirty are tests.');
  for (const left of ['newsletter', 'Ten years of cron', 'Share']) expect(markdown).not.toContain(left);
});

test('the page of a repository: its README', async () => {
  const { markdown } = await read('readme');
  expect(markdown).toContain("import { Cache } from 'tiny-cache';\n\nconst cache = new Cache({ maxBytes: 1_000_000 });");
  expect(markdown).toMatch(/\| `maxBytes` \| +1 MB \|/);
  expect(markdown).toContain('[SECURITY.md](https://docs.test/acme/tiny-cache/blob/main/SECURITY.md)');
  for (const left of ['Sign in', 'Pricing', 'Releases']) expect(markdown).not.toContain(left);
});

test('news: the report, without advertisements, cookies and what others read', async () => {
  const { title, markdown } = await read('news');
  expect(title).toBe('Harbour bridge reopens after repairs');
  expect(markdown).toContain('Engineers replaced 412 steel cables');
  expect(markdown).toMatch(/until the end of June\.$/);
  for (const left of ['partners', 'Buy one', 'Advertisement', 'Cat elected', 'Sponsored', 'election']) expect(markdown).not.toContain(left);
});

test('a thread: the question and every answer, not the one that looks most like an article', async () => {
  const { title, markdown } = await read('forum');
  expect(title).toBe('How do I cancel a fetch in a worker?');
  for (const kept of ['want to stop it when the user navigates away', 'running.set(data.id, controller);', 'SharedArrayBuffer']) {
    expect(markdown).toContain(kept);
  }
  for (const left of ['sandwich', 'Log in']) expect(markdown).not.toContain(left);
});

test('a page that is a table keeps it, with cells over several rows', async () => {
  const { markdown } = await read('table');
  for (const kept of ['Moved Permanently', 'rowspan="2"', 'https://rfc.test/9110', 'RFC 2324']) expect(markdown).toContain(kept);
});

test('a list of links keeps them', async () => {
  expect((await read('listing')).markdown).toContain(
    '- [abel](https://docs.test/p/abel) – queues\n- [bora](https://docs.test/p/bora) – wind data',
  );
});

test('a page of scripts only has no text', async () => {
  expect(await read('app')).toEqual({ title: 'Dashboard', markdown: '' });
});

test('markup that is no markup is read as far as it goes', async () => {
  const { title, markdown } = await read('malformed');
  expect(title).toBe('Old & broken');
  for (const kept of ['[link without quotes](https://docs.test/a/other.htm)', '- two\n\t- deep', '| c | d |', '&nosuch;']) {
    expect(markdown).toContain(kept);
  }
});

test('a huge page is read', async () => {
  const sections = Array.from({ length: 1_500 }, (_, place) => `<h2>Part ${String(place)}</h2><p>${'word '.repeat(80)}</p>`);
  const { markdown } = await reader.read(`<title>Huge</title><body><article>${sections.join('')}</article>`, 'https://docs.test/');
  expect(markdown).toContain('## Part 1499');
});

test(verifies('G4:hostile-pages', 'a page that is made to block costs a thread and its own answer: others are read after it'), async () => {
  const small = new PageReader({ timeoutMs: 1_500 });
  const hostile = ['<div>'.repeat(200_000), `<body>${'<p>a<b>'.repeat(60_000)}`, `<body>${'<table><tr><td>'.repeat(3_000)}`];
  let ticks = 0;
  const ticking = setInterval(() => (ticks += 1), 50);
  for (const html of hostile) {
    await expect(small.read(html, 'https://docs.test/')).rejects.toMatchObject({ name: 'UnreadablePage' });
  }
  clearInterval(ticking);
  expect(ticks).toBeGreaterThan(10); // this process went on
  expect(await small.read('<title>T</title><body><p>Fine.', 'https://docs.test/')).toEqual({ title: 'T', markdown: 'Fine.' });
  await small.close();
});

test('more pages than may wait are refused; a thread that was ended comes again', async () => {
  const small = new PageReader({ maxWaiting: 2 });
  const page = '<body><p>Fine.';
  const [one, two, three] = await Promise.allSettled(['a', 'b', 'c'].map((name) => small.read(page, `https://docs.test/${name}`)));
  expect([one?.status, two?.status, three?.status]).toEqual(['fulfilled', 'fulfilled', 'rejected']);
  await small.close();
  expect(await small.read(page, 'https://docs.test/')).toMatchObject({ markdown: 'Fine.' });
  await small.close();
});
