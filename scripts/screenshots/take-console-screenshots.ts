/**
 * Takes the pictures of the web console, in a real Chromium before a whole system with a scripted model:
 * `node --conditions=codelab-source --import ./scripts/register-swc.mjs scripts/screenshots/take-console-screenshots.ts`, after
 * `./codelab --version`.
 */
import { mkdir } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import type { Browser, Page } from 'playwright-core';
import { launchChromium } from '@codelab/testkit';
import { joinSession } from '../../tests/browser/join-session.js';
import { findChromium } from '../find-chromium.mjs';
import { REQUEST, startTide } from './tide.js';

const IMAGES = fileURLToPath(new URL('../../docs/images/', import.meta.url));
const DESKTOP = { viewport: { width: 1280, height: 820 } };
const PHONE = { viewport: { width: 390, height: 780 }, hasTouch: true, isMobile: true, deviceScaleFactor: 1.5 };

process.env['CODELAB_CHROMIUM'] ??= findChromium() ?? '';
const tide = await startTide();
const { system, root } = tide;
const url = system.gateways[0]?.url ?? '';
const browser = await launchChromium();
try {
  await mkdir(IMAGES, { recursive: true });
  const laptop = await joinSession(system, root, { session: 'tide', title: 'Tell when the tide is late', folder: 'tide' });
  const page = await signIn(browser, DESKTOP);
  await page.goto(`${url}/sessions/tide`);
  await page.getByLabel('Your message').fill(REQUEST);
  await page.getByRole('button', { name: 'Send' }).click();
  await asks(page);
  await save(page, 'console-session');
  const phone = await signIn(browser, { ...PHONE, colorScheme: 'dark' });
  await phone.goto(`${url}/approvals`);
  await asks(phone);
  await save(phone, 'console-approvals-phone');
  await page.getByRole('button', { name: 'Approve' }).click();
  await page.locator('.cl-approval[data-armed]', { hasText: 'npm test' }).getByRole('button', { name: 'Approve' }).click();
  await page.getByText('later than predicted').last().waitFor();
  await page.goto(`${url}/services`);
  await page.locator('canvas').first().waitFor({ timeout: 30_000 });
  await page.mouse.wheel(0, 0);
  await save(page, 'console-health');
  await laptop.leave();
} finally {
  await browser.close();
  await tide.stop();
}

async function signIn(chromium: Browser, options: Parameters<Browser['newPage']>[0]): Promise<Page> {
  const page = await chromium.newPage({ reducedMotion: 'reduce', colorScheme: 'light', ...options });
  await page.goto(url);
  await page.getByLabel('Token', { exact: true }).fill(system.token);
  await page.getByRole('button', { name: 'Sign in' }).click();
  await page.locator('.co-shell').waitFor();
  return page;
}

/** A question is there, and can be answered. */
async function asks(page: Page): Promise<void> {
  await page.locator('.cl-approval[data-armed]').waitFor({ timeout: 30_000 });
  await page.evaluate('document.fonts.ready');
}

async function save(page: Page, name: string): Promise<void> {
  await page.screenshot({ path: `${IMAGES}${name}.png`, animations: 'disabled', caret: 'hide' });
}
