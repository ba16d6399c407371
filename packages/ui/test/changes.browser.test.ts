import { verifies } from '@codelab/testkit';
import { findBarriers } from '@codelab/testkit/browser';
import { expect, test } from 'vitest';
import { useReviewGallery } from './use-gallery.js';

const open = useReviewGallery();

test(
  verifies('H1:ui-diff', 'a diff is read in one column or side by side, with its lines spoken and what isn’t lines said in words'),
  async () => {
    const page = await open('diff');
    const first = page.getByRole('region', { name: 'Changes of src/queue.ts: 6 lines added, 4 removed' });
    expect(await first.textContent()).toContain('line 15 removed: ');
    await page.getByRole('button', { name: 'Side by side' }).first().click();
    expect(await first.locator('.cl-diff-pair').count()).toBeGreaterThan(10);
    const many = page.getByRole('region', { name: /^Changes of 9 files/ });
    for (const words of ['renamed', 'can be executed', 'created, not text', 'new file', 'no newline at the end', '\\u{202e}', '\\x1b'])
      expect(await many.textContent()).toContain(words);
    for (const hidden of ['\u202e', '\u2066', '\u001b']) expect(await many.innerHTML()).not.toContain(hidden);
    await many.getByRole('button', { name: 'Show 22 unchanged lines' }).click();
    expect(await many.textContent()).toContain('step1();');
    expect(await findBarriers(page)).toEqual([]);
  },
);

test(verifies('H1:ui-changes', 'n and p go from change to change, and tell where'), async () => {
  const page = await open('diff');
  await page.getByRole('region', { name: /^Changes of src\/queue.ts/ }).focus();
  const status = page.locator('[aria-live=polite]').first();
  await page.keyboard.press('n');
  expect(await status.textContent()).toMatch(/^line 15 removed: /);
  await page.keyboard.press('n');
  await page.keyboard.press('n');
  expect(await status.textContent()).toMatch(/^line 15 removed: /); // round again
  await page.keyboard.press('p');
  expect(await status.textContent()).toMatch(/^line 43 removed: /);
});

test(
  verifies('G4:ui-diff-large', 'a diff of ten thousand lines is scrolled from its start to its end with few rows in the page'),
  async () => {
    const page = await open('huge');
    const rows = page.locator('.cl-diff-rows');
    await rows.locator('.cl-diff-line').first().waitFor();
    await page.evaluate("document.querySelector('.cl-diff-rows').scrollTop = 100000");
    await rows.getByText('setting4990 ').first().waitFor();
    await page.evaluate("document.querySelector('.cl-diff-rows').scrollTop = 1e9");
    await rows.getByText('setting4999').first().waitFor();
    expect(await rows.locator('.cl-diff-line').count()).toBeLessThan(150);
  },
);

test(
  verifies(
    'H2:ui-review',
    'hunks are kept, dropped, edited and commented with the keyboard alone, and the decision is exactly what was kept',
  ),
  async () => {
    const page = await open('write');
    await armed(page);
    await page.keyboard.press('h');
    const change = page.getByRole('article', { name: /^Change 1 of 2/ });
    await change.click({ position: { x: 5, y: 5 } });
    await page.keyboard.press('n');
    await page.getByRole('article', { name: 'Change 1 of 2: src/queue.ts, lines 12–20, dropped' }).waitFor();
    await page.keyboard.press('e');
    const editor = page.getByRole('textbox', { name: 'The lines of this change' });
    await editor.waitFor();
    await editor.press('Control+End');
    await editor.press('ArrowUp');
    await editor.press('ArrowUp');
    await editor.press('ArrowUp');
    await editor.press('End');
    await page.keyboard.type(' in bytes');
    await editor.press('Control+Enter');
    await page.getByRole('article', { name: /^Change 2 of 2.*, edited$/ }).waitFor();
    expect(await page.getByRole('status').first().textContent()).toBe('1 edited, 1 dropped');
    await page.getByText('Comment', { exact: true }).first().click();
    await page.getByLabel('Comment for the model').first().fill('It must not refuse.');
    expect(await findBarriers(page)).toEqual([]);
    await page.getByRole('button', { name: 'Approve what is kept' }).click();
    const [decision] =
      await page.evaluate<readonly { decision: string; modifiedArgs: { content: string }; feedback: string; argsSha256: string }[]>(
        'played.decisions',
      );
    expect(decision).toMatchObject({ decision: 'edit', argsSha256: 'a'.repeat(64) });
    expect(decision!.modifiedArgs.content).toContain('push(item: T): void {');
    expect(decision!.modifiedArgs.content).toContain('that was measured in bytes');
    expect(decision!.feedback).toContain('src/queue.ts, lines 12–20: dropped. It must not refuse.');
  },
);

test(
  verifies('H2:review-changed', 'a preview that comes while somebody reviews sets the review aside, says so, and nothing is decided on it'),
  async () => {
    const page = await open('patch');
    await armed(page);
    await page.keyboard.press('h');
    await page.getByRole('button', { name: 'Show 22 unchanged lines' }).click();
    await page.getByText('step1();').waitFor();
    await page.getByRole('button', { name: 'Keep', exact: true }).first().click();
    await page.getByRole('button', { name: 'Keep the rest' }).click();
    await page.evaluate("port.update('call_patch', port.view().items[0].preview.text.replace('256', '512'))");
    await page.getByRole('alert').getByText('The call has changed since you looked at it').waitFor();
    expect(await page.getByRole('button', { name: 'Approve all of it' }).isDisabled()).toBe(true);
    expect(await page.getByRole('status').first().textContent()).toMatch(/kept/);
    await page.getByRole('button', { name: 'Show the new version' }).click();
    expect(await page.evaluate('played.decisions')).toEqual([]);
    await page.getByRole('button', { name: 'Approve' }).first().waitFor();
  },
);

/** A card takes keys once it has been in sight for a moment. */
const armed = async (page: Awaited<ReturnType<typeof open>>): Promise<void> => {
  await page.locator('.cl-approval[data-armed]').first().waitFor();
};
