import { expect, test } from 'vitest';
import { eventually, verifies } from '@codelab/testkit';
import { findBarriers } from '@codelab/testkit/browser';
import { useGallery } from './use-sessions.js';

const gallery = useGallery();

const PICTURES = ['short', 'busy', 'errors', 'hostile', 'empty', 'connecting', 'long'];
/** Colours don't depend on the width: each is looked at in one. */
const LOOKS = [
  ['dark', { width: 360, height: 740 }],
  ['light', { width: 1280, height: 900 }],
] as const;

test.each(PICTURES)(
  verifies('G2:ui-pictures', '%s has no barriers, dark and narrow or light and wide, and nothing sticks out of it'),
  async (name) => {
    for (const [colorScheme, viewport] of LOOKS) {
      const { page, run } = await gallery.open(name, { colorScheme, viewport });
      await page.locator('.cl-row, .cl-empty').first().waitFor();
      expect(await findBarriers(page)).toEqual([]);
      expect(await run<number>('document.documentElement.scrollWidth')).toBe(viewport.width);
    }
  },
);

test(verifies('G2:ui-said', 'what is news is said once it is whole, and no token of it before'), async () => {
  const { page, run } = await gallery.open('empty');
  const spoken = page.locator('p[aria-live="polite"]');
  await run(`gallery.hearFrames({ type: 'assistant_message', message_id: 'a', token: 'Half a sen', is_final: false })`);
  await page.getByText('Half a sen').waitFor();
  expect(await spoken.textContent()).toBe('');
  await run(`gallery.hearFrames({ type: 'assistant_message', message_id: 'a', token: 'tence.', is_final: true })`);
  await eventually('it is said', async () => (await spoken.textContent()) === 'CodeLab says: Half a sentence.');
});

test(
  verifies('R4:ui-links', 'a session without an executor, and one that lost its connection, say what that means and what to do'),
  async () => {
    const { page, run } = await gallery.open('errors');
    await page.getByText('No executor is connected: nothing can run.').waitFor();
    await page.getByRole('button', { name: 'Start it' }).waitFor();
    await run(`gallery.hear({ kind: 'link', link: 'lost', atMs: 0 })`);
    await page.getByText('The connection is lost. It is tried again by itself').waitFor();
    await page.getByText(/trying again in \d+ min/).waitFor();
  },
);

test(verifies('G2:ui-meters', 'the meters explain themselves, and Escape puts the words away'), async () => {
  const { page, run } = await gallery.open('busy');
  const meter = page.getByRole('button', { name: 'Context: 168k tokens of 200k, 84%' });
  await meter.press('Enter');
  await page.getByText('When the window is nearly full').waitFor();
  await page.keyboard.press('Escape');
  expect(await page.getByText('When the window is nearly full').isVisible()).toBe(false);
  expect(await run<string>('document.activeElement.className')).toBe('cl-explained__face');
});
