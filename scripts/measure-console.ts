/**
 * How long the console takes from the navigation to its frames, in a real Chromium before a whole system:
 * `node --conditions=codelab-source --import ./scripts/register-swc.mjs scripts/measure-console.ts`, after a build. Prints a Markdown table with the load of
 * the machine, and how large the files are that each page loads.
 *
 * "Cold" is a browser that has never been here; "again" is its second visit. `BENCH_OPENINGS` (7): of each the median is told, and the slowest.
 */
import { cpus, loadavg } from 'node:os';
import type { Browser, BrowserContext } from 'playwright-core';
import { launchChromium } from '@codelab/testkit';
import { findChromium } from './find-chromium.mjs';
import { REQUEST, startTide } from './screenshots/tide.js';
import { joinSession } from '../tests/browser/join-session.js';

const OPENINGS = Number(process.env['BENCH_OPENINGS'] ?? 7);
const DESKTOP = { viewport: { width: 1280, height: 820 } };

/** A page, and what stands there once it is of use. */
const PAGES = [
  { name: 'sign-in', path: '/', shown: 'input[name=token]', isSignedIn: false },
  { name: 'sessions', path: '/sessions', shown: '.co-table tbody tr', isSignedIn: true },
  { name: 'a session', path: '/sessions/tide', shown: '.cl-approval', isSignedIn: true },
  { name: 'approvals', path: '/approvals', shown: '.cl-approval', isSignedIn: true },
  { name: 'usage', path: '/usage', shown: 'canvas', isSignedIn: true },
] as const;

/** Notes in the page itself when what is awaited was painted. */
const watchFor = (selector: string): string => `
  const seen = () => document.querySelector(${JSON.stringify(selector)}) !== null &&
    (requestAnimationFrame(() => setTimeout(() => tell(performance.now()))), true);
  let tell;
  window.shown = new Promise((resolve) => (tell = resolve));
  new MutationObserver((_, observer) => seen() && observer.disconnect()).observe(document, { childList: true, subtree: true });`;
const READ = `Promise.all([window.shown, new Promise((resolve) => new PerformanceObserver((list) => list.getEntries().forEach(({ name, startTime }) =>
  name === 'first-contentful-paint' && resolve(startTime))).observe({ type: 'paint', buffered: true }))]).then(([shownMs, frameMs]) => ({
  shownMs,
  frameMs,
  bytes: performance.getEntriesByType('resource').filter(({ name }) => /[.](js|css)$/.test(name)).reduce((sum, { encodedBodySize: size }) => sum + size, 0),
}))`;

type StorageState = Awaited<ReturnType<BrowserContext['storageState']>>;

interface Opening {
  readonly frameMs: number;
  readonly shownMs: number;
  readonly bytes: number;
}

process.env['CODELAB_CHROMIUM'] ??= findChromium() ?? '';
const tide = await startTide();
const url = tide.system.gateways[0]?.url ?? '';
const browser = await launchChromium();
try {
  const first = await open(await browser.newContext(DESKTOP), PAGES[0]); // the gateway reads and compresses its files for this one
  const laptop = await joinSession(tide.system, tide.root, { session: 'tide', title: 'Tell when the tide is late', folder: 'tide' });
  await laptop.say(REQUEST);
  const person = await signIn(browser);
  const rows: string[] = [];
  for (const page of PAGES) {
    const cold: Opening[] = [];
    const again: Opening[] = [];
    for (let opening = 0; opening < OPENINGS; opening += 1) {
      const context = await browser.newContext({ ...DESKTOP, ...(page.isSignedIn ? { storageState: person } : {}) });
      cold.push(await open(context, page));
      again.push(await open(context, page));
      await context.close();
    }
    const told = [cold, again].flatMap((openings) => [tell(openings, 'frameMs'), tell(openings, 'shownMs')]);
    const [{ bytes }] = cold as [Opening];
    rows.push(`| ${[page.name, ...told, `${(bytes / 1_000).toFixed(0)} kB`].join(' | ')} |`);
  }
  await laptop.leave();
  const load = loadavg().map((each) => each.toFixed(1));
  process.stdout.write(
    [
      `${String(cpus().length)} cores, load ${load.join(' ')}; median of ${String(OPENINGS)} (slowest). The first opening of all: ` +
        `frame ${first.frameMs.toFixed(0)} ms, form ${first.shownMs.toFixed(0)} ms.`,
      '',
      '| page | cold: first frame | cold: content | again: first frame | again: content | scripts and styles |',
      '| --- | --- | --- | --- | --- | --- |',
      ...rows,
      '',
    ].join('\n'),
  );
} finally {
  await browser.close();
  await tide.stop();
}

async function open(context: BrowserContext, { path, shown }: (typeof PAGES)[number]): Promise<Opening> {
  const page = await context.newPage();
  await page.addInitScript(watchFor(shown));
  await page.goto(`${url}${path}`, { waitUntil: 'commit' });
  const opening = await page.evaluate<Opening>(READ);
  await page.close();
  return opening;
}

/** @returns the state of a browser that is signed in, without anything in its cache */
async function signIn(chromium: Browser): Promise<StorageState> {
  const context = await chromium.newContext(DESKTOP);
  const page = await context.newPage();
  await page.goto(url);
  await page.getByLabel('Token', { exact: true }).fill(tide.system.token);
  await page.getByRole('button', { name: 'Sign in' }).click();
  await page.locator('.co-shell').waitFor();
  const state = await context.storageState();
  await context.close();
  return state;
}

function tell(openings: readonly Opening[], what: 'frameMs' | 'shownMs'): string {
  const times = openings.map((opening) => opening[what]).sort((one, other) => one - other);
  return `${times[Math.floor(times.length / 2)]!.toFixed(0)} ms (${times.at(-1)!.toFixed(0)})`;
}
