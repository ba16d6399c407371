import { expect, test } from 'vitest';
import { eventually, verifies } from '@codelab/testkit';
import { findBarriers } from '@codelab/testkit/browser';
import { signIn, useConsole } from './use-console.js';

const used = useConsole({});

/** Everything of a page that its scripts can read. */
const READABLE = `JSON.stringify([document.cookie, {...localStorage}, {...sessionStorage}, location.href, document.documentElement.outerHTML,
  performance.getEntriesByType('resource').map(({ name }) => name), history.state])`;

test(verifies('G1:console-wrong', 'a wrong token is refused with words that help, and the field is empty again'), async () => {
  const page = await used.browser.open(used.url);
  const field = page.getByLabel('Token', { exact: true });
  await field.fill('wrong');
  await field.press('Enter');
  await expect(page.getByRole('alert').textContent()).resolves.toMatch(/not valid here/);
  expect(await field.inputValue()).toBe('');
  expect(await page.title()).toBe('Sign in · CodeLab');
  expect(await findBarriers(page)).toEqual([]);
});

test(
  verifies('S1:console-token', 'after a sign-in no script of the page can read the token, nor find it in an address or a storage'),
  async () => {
    const page = await used.open('/sessions');
    await page.getByRole('heading', { name: 'Sessions', exact: true }).waitFor();
    const readable = await page.evaluate<string>(READABLE);
    expect(readable).not.toContain(used.system.token);
    expect((JSON.parse(readable) as unknown[])[0]).toBe('');
    const [cookie, ...others] = await page.context().cookies();
    expect(others).toEqual([]);
    expect(cookie).toMatchObject({ httpOnly: true, sameSite: 'Strict' });
    expect(cookie?.value).not.toContain(used.system.token);
  },
);

test(verifies('G1:console-place', 'whoever follows a link to a page signs in and is there'), async () => {
  const page = await used.open('/audit?outcome=denied');
  await page.getByRole('heading', { name: 'Audit' }).waitFor();
  expect(new URL(page.url()).search).toBe('?outcome=denied');
});

test(verifies('G1:console-leave', 'a sign-out counts for every tab of the browser'), async () => {
  const page = await used.open('/sessions');
  const other = await page.context().newPage();
  await other.goto(`${used.url}/rules`);
  await other.getByRole('heading', { name: 'Rules' }).waitFor();
  await page.getByRole('button', { name: 'Sign out' }).click();
  await page.getByRole('heading', { name: 'Sign in to CodeLab' }).waitFor();
  await other.getByRole('heading', { name: 'Sign in to CodeLab' }).waitFor(); // by itself: what it waited for was ended
  await signIn(other, used.system.token);
  await other.getByRole('heading', { name: 'Rules' }).waitFor();
});

test(verifies('S1:console-kept', 'colours that were chosen stay, and are all that the browser keeps'), async () => {
  const page = await used.open('/sessions', { colorScheme: 'light' });
  await page.getByRole('button', { name: 'Dark' }).click();
  const background = (): Promise<string> => page.evaluate<string>('getComputedStyle(document.body).backgroundColor');
  await eventually('it is dark', async () => /rgb\((\d{1,2}), /.test(await background()));
  const dark = await background();
  await page.reload();
  await page.getByRole('heading', { name: 'Sessions', exact: true }).waitFor();
  expect(await background()).toBe(dark);
  expect(await page.evaluate<string>('JSON.stringify({...localStorage})')).toBe('{"codelab-theme":"dark"}');
});
