import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { verifies } from '@codelab/testkit';
import { findBarriers, useBrowser } from '@codelab/testkit/browser';
import { madeUpReport } from './__fixtures__/made-up-report.js';
import { writeReport } from './write-report.js';

const browser = useBrowser();
let folder: string;
let url: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'codelab-report-'));
  url = pathToFileURL(await writeReport(folder, madeUpReport())).href;
});
afterAll(() => rm(folder, { recursive: true }));

test(
  verifies('R3:report', 'a report opens from the disk with its timelines, plots and tables, and its script is let run by its own policy'),
  async () => {
    const page = await browser.open(url);
    for (const id of ['failures', 'timeline', 'recovery', 'mutants', 'seeds']) expect(await page.locator(`#${id}`).count(), id).toBe(1);
    const shown = await page.locator('svg:visible').all();
    expect(shown.length).toBeGreaterThan(3);
    for (const plot of shown) expect((await plot.boundingBox())?.width ?? 0).toBeGreaterThan(0);
    // A timeline without its script is a picture: choosing an event shows all of it.
    const chosen = page.locator('#failures pre').filter({ hasText: '"kind"' });
    const before = await chosen.textContent();
    await page.locator('#failures [data-go]').nth(1).click(); // the first is chosen already
    expect(await chosen.textContent()).toContain('"tool_result"');
    expect(await chosen.textContent()).not.toBe(before);
    expect(await findBarriers(page)).toEqual([]);
  },
);
