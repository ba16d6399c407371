import type { Browser } from 'playwright-core';

/** Starts the Chromium that `scripts/find-chromium.mjs` found; the caller closes it. Nothing of it outlives this process. */
export async function launchChromium(): Promise<Browser> {
  const executablePath = process.env['CODELAB_CHROMIUM'] ?? '';
  if (executablePath === '') throw new Error('No Chromium was found: apt-get install chromium, or set CODELAB_CHROMIUM to one.');
  const { chromium } = await import('playwright-core'); // 3 MB that tests without a browser don't load
  const isRoot = process.getuid?.() === 0;
  return chromium.launch({ executablePath, args: ['--disable-gpu', ...(isRoot ? ['--no-sandbox'] : [])] });
}
