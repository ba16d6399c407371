import { expect, test } from 'vitest';
import { eventually, verifies } from '@codelab/testkit';
import { useGallery } from './use-sessions.js';

const gallery = useGallery();

test(verifies('G2:ui-keys', 'Enter sends, Shift-Enter makes a line, Up brings back what was said'), async () => {
  const { page, asked } = await gallery.open('empty');
  const field = page.getByLabel('Your message');
  await field.pressSequentially('one');
  await field.press('Shift+Enter');
  await field.pressSequentially('two');
  await field.press('Enter');
  expect(await asked()).toEqual([{ send: 'one\ntwo' }]);
  expect(await field.inputValue()).toBe('');
  await field.press('ArrowUp');
  expect(await field.inputValue()).toBe('one\ntwo');
  await field.press('ArrowUp'); // from the last line to the first
  await field.press('Control+Home');
  await field.press('ArrowUp');
  expect(await field.inputValue()).toBe('the message before this session');
});

test(
  verifies(
    'R3:ui-busy',
    'while a turn runs a message waits, steers or interrupts, as chosen; what waits can be taken back, and the turn stopped',
  ),
  async () => {
    const { page, asked } = await gallery.open('busy');
    const field = page.getByLabel('Your message');
    await field.fill('steer it');
    await page.getByLabel('While the turn runs, this message').selectOption('steer');
    await field.press('Enter');
    await field.fill('now');
    await field.press('Control+Enter');
    await page.getByRole('button', { name: 'Remove: Then write the release notes.' }).click();
    await page.getByRole('button', { name: 'Stop the turn' }).click();
    expect(await asked()).toEqual([
      { send: 'steer it', whenBusy: 'steer' },
      { send: 'now', whenBusy: 'interrupt' },
      { removeQueued: 'm3' },
      { cancel: {} },
    ]);
    expect(await page.getByRole('button', { name: 'Stopping' }).isDisabled()).toBe(true);
    await page.getByText('stopping …').waitFor();
  },
);

test(verifies('G2:ui-message', 'a message that is refused is back where it was written, with the reason'), async () => {
  const { page } = await gallery.open('errors');
  const field = page.getByLabel('Your message');
  await field.fill('hello');
  await field.press('Enter');
  expect(await page.getByRole('alert').textContent()).toContain('32 messages wait already');
  expect(await field.inputValue()).toBe('hello');
});

test(verifies('G2:ui-completion', 'paths and commands are completed by the keyboard'), async () => {
  const { page } = await gallery.open('empty');
  const field = page.getByLabel('Your message');
  await field.pressSequentially('look at @src/p');
  const list = page.getByRole('listbox');
  await list.getByRole('option', { name: 'src/parse.test.ts' }).waitFor();
  await field.press('ArrowDown');
  await field.press('Tab');
  expect(await field.inputValue()).toBe('look at @src/parse.test.ts ');
  await field.fill('');
  await field.pressSequentially('/co');
  await list.getByRole('option', { name: /compact/ }).waitFor();
  expect(await field.getAttribute('aria-activedescendant')).toMatch(/-0$/);
  await field.press('Enter');
  expect(await field.inputValue()).toBe('/compact ');
  expect(await list.count()).toBe(0);
});

test(verifies('G4:ui-message', 'ten thousand characters go with a message, and no more'), async () => {
  const { page, asked } = await gallery.open('empty');
  const field = page.getByLabel('Your message');
  await field.fill('x'.repeat(10_001));
  expect(await page.getByRole('alert').textContent()).toContain('at most 10k go with one message');
  await field.press('Enter');
  expect(await asked()).toEqual([]);
  await field.fill('😀'.repeat(10_000));
  expect(await page.getByRole('button', { name: 'Send' }).isEnabled()).toBe(true);
});

const PASTE = `(async () => {
  const canvas = document.createElement('canvas');
  canvas.width = canvas.height = 8;
  const blob = await new Promise((resolve) => canvas.toBlob(resolve, 'image/png'));
  const data = new DataTransfer();
  data.items.add(new File([blob], 'image.png', { type: 'image/png' }));
  document.querySelector('.cl-composer__field').dispatchEvent(new ClipboardEvent('paste', { clipboardData: data, bubbles: true, cancelable: true }));
})()`;

test(verifies('L3:ui-image', 'a pasted image goes with the message'), async () => {
  const { page, run, asked } = await gallery.open('empty');
  await run(PASTE);
  await page.getByRole('img', { name: /^pasted-1.png/ }).waitFor();
  await run(PASTE);
  await page.getByRole('button', { name: 'Remove pasted-2.png' }).click();
  await page.getByLabel('Your message').press('Enter');
  await eventually('it is sent', async () => (await asked()).length === 1);
  expect(await asked()).toEqual([
    { send: 'See the image.', attachments: [{ path: 'pasted-1.png', media_type: 'image/png', content: expect.stringMatching(/^iVBOR/) }] },
  ]);
});

test(verifies('G2:ui-choosers', 'mode, agent and model are chosen; what the servers refuse is said'), async () => {
  const { page, asked } = await gallery.open('empty');
  await page.getByLabel('Mode', { exact: true }).selectOption('plan');
  await page.getByLabel('Agent').selectOption('reviewer');
  await page.getByLabel('Model', { exact: true }).selectOption('gpt-6');
  expect(await asked()).toEqual([{ choose: { mode: 'plan' } }, { choose: { agent: 'reviewer' } }, { choose: { model: 'gpt-6' } }]);
});
