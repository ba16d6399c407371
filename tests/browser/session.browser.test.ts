import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import type { Locator, Page } from 'playwright-core';
import { eventually, verifies } from '@codelab/testkit';
import { findBarriers } from '@codelab/testkit/browser';
import { useConsole } from './use-console.js';

/** What a page must never make of it: an element, a request, a script. */
const HOSTILE =
  '<img src=x onerror="window.owned=1"><script>window.owned=1</script> [press](javascript:window.owned=1) ![p](http://example.com/p.png)';
let release: () => void = () => undefined;
const held = new Promise<void>((resolve) => (release = resolve));

const LINES = Array.from({ length: 40 }, (_, index) => `line ${String(index)}`);
const CHANGED = ['first', ...LINES.slice(1, -1), 'last'].join('\n');

const used = useConsole({
  'change both ends': [{ calls: [{ tool: 'write_file', args: { path: 'notes.txt', content: CHANGED } }] }, { text: 'Both ends are done.' }],
  'write it': [{ calls: [{ tool: 'write_file', args: { path: 'notes.txt', content: 'one\n' } }] }, { text: 'It is **one** now.' }],
  'tell a long story': [{ text: `${'word '.repeat(120)}the end`, slow: 20 }],
  'hold on': [{ text: 'At last.', hold: held }],
  'be hostile': [
    { text: HOSTILE, calls: [{ tool: 'write_file', args: { path: HOSTILE.slice(0, 40), content: HOSTILE } }] },
    { text: 'done' },
  ],
  'no more': [{ text: 'All right.' }],
});

const say = async (page: Page, text: string): Promise<void> => {
  await page.getByLabel('Your message').fill(text);
  await page.getByRole('button', { name: 'Send' }).click();
};
const shows = (page: Page, text: string): Promise<void> => page.getByLabel('Conversation').getByText(text).first().waitFor();
/** A question that has been in sight long enough to be answered: what is pressed at once was meant for something else. */
const question = (page: Page): Locator => page.locator('.cl-approval[data-armed]').first();
const notes = (): Promise<string> => readFile(join(used.repository.root, 'notes.txt'), 'utf8');

test(
  verifies('H2:console-decides', 'what is approved in the console is done by the client that has the files, and nothing before'),
  async () => {
    const { sessionId } = await used.join({ title: 'Notes' });
    const page = await used.open(`/sessions/${sessionId}`);
    await say(page, 'write it');
    const approve = question(page).getByRole('button', { name: 'Approve' });
    await approve.waitFor();
    expect(await notes()).toBe('zero\n');
    await eventually('the title counts it', async () => (await page.title()) === '(1) Notes · CodeLab');
    expect(await findBarriers(page)).toEqual([]);
    await approve.click();
    await shows(page, 'It is one now.');
    expect(await notes()).toBe('one\n');
    await eventually('nothing waits', async () => (await page.title()) === 'Notes · CodeLab');
  },
);

test(verifies('H3:console-inbox', 'a call is decided in the inbox on a phone, and every tab that shows the session sees it'), async () => {
  const laptop = await used.join({ title: 'From the train' });
  const watching = await used.open(`/sessions/${laptop.sessionId}`);
  const phone = await used.open('/approvals', { viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true });
  await phone.getByRole('heading', { name: 'Approvals' }).waitFor();
  await laptop.say('write it');
  const entry = phone.getByRole('article', { name: 'write_file in From the train' });
  await entry.locator('[data-armed]').waitFor();
  expect(await findBarriers(phone)).toEqual([]);
  await watching
    .getByRole('button', { name: /^Approve/ })
    .first()
    .waitFor();
  await entry.getByRole('button', { name: 'Reject…' }).tap();
  await entry.getByLabel('Why not? The model reads it').fill('not from here');
  await entry.getByRole('button', { name: 'Reject with these words' }).tap();
  await entry.waitFor({ state: 'detached' });
  await watching
    .getByRole('button', { name: /^Approve/ })
    .first()
    .waitFor({ state: 'detached' });
  expect(await notes()).toBe('zero\n');
});

test(verifies('H2:console-edits', 'arguments that are edited in the console are those that run'), async () => {
  const { sessionId } = await used.join();
  const page = await used.open(`/sessions/${sessionId}`);
  await say(page, 'write it');
  await question(page).getByRole('button', { name: 'Edit' }).click();
  await page.getByLabel('Conversation').locator('.cm-content').first().press('ControlOrMeta+a');
  await page.keyboard.press('Delete'); // what a browser writes over may keep its look by a style, which the policy reports
  await page.keyboard.insertText('{ "path": "notes.txt", "content": "two\\n" }');
  await page.getByRole('button', { name: 'Approve with these arguments' }).click();
  await shows(page, 'It is one now.');
  expect(await notes()).toBe('two\n');
});

test(verifies('H2:console-hunks', 'of a change only the parts that are kept in the console are written'), async () => {
  await writeFile(join(used.repository.root, 'notes.txt'), LINES.join('\n'));
  const { sessionId } = await used.join();
  const page = await used.open(`/sessions/${sessionId}`);
  await say(page, 'change both ends');
  await question(page).getByRole('button', { name: 'Choose changes' }).click();
  await page
    .getByRole('article', { name: /^Change 2 of 2/ })
    .getByRole('button', { name: 'Drop' })
    .click();
  await page
    .getByRole('article', { name: /^Change 1 of 2/ })
    .getByRole('button', { name: 'Keep' })
    .click();
  await page.getByRole('button', { name: 'Approve what is kept' }).click();
  await shows(page, 'Both ends are done.');
  expect((await notes()).split('\n')).toEqual(['first', ...LINES.slice(1)]);
});

test(verifies('R4:console-reload', 'a page that is reloaded in mid-turn goes on where the turn is'), async () => {
  const { sessionId } = await used.join();
  const page = await used.open(`/sessions/${sessionId}`);
  await say(page, 'tell a long story');
  await shows(page, 'word word');
  await page.reload();
  await shows(page, 'the end');
  expect(await page.getByLabel('Conversation').getByText('tell a long story').count()).toBe(1);
  expect(await page.getByText('the end').count()).toBe(1);
});

test(verifies('R4:console-gateway', 'a gateway that is killed in mid-stream loses nothing that a page shows'), async () => {
  const { sessionId } = await used.join();
  const page = await used.open(`/sessions/${sessionId}`);
  await say(page, 'tell a long story');
  await shows(page, 'word word');
  process.kill(await used.system.pidOf(used.url), 'SIGKILL');
  await shows(page, 'the end');
  await say(page, 'no more');
  await shows(page, 'All right.');
  expect(await page.getByText('the end').count()).toBe(1);
});

test(verifies('G3:console-tabs', 'a message that is sent in one tab is in the other, and the turn is stopped there'), async () => {
  const { sessionId } = await used.join();
  const one = await used.open(`/sessions/${sessionId}`);
  const other = await one.context().newPage();
  await other.goto(`${used.url}/sessions/${sessionId}`);
  await other.getByLabel('Your message').waitFor();
  await say(one, 'hold on');
  await shows(other, 'hold on');
  await other.getByRole('button', { name: 'Stop the turn' }).click();
  await one.getByRole('button', { name: 'Stop the turn' }).waitFor({ state: 'detached' });
  release();
});

test(verifies('S1:console-html', 'what a model says becomes no HTML, no script, no request and no address but of the web'), async () => {
  const { sessionId } = await used.join({ title: HOSTILE.slice(0, 60) });
  const page = await used.open(`/sessions/${sessionId}`);
  const asked: string[] = [];
  page.on('request', (request) => asked.push(request.url()));
  await say(page, 'be hostile');
  await page
    .getByRole('button', { name: /^Approve/ })
    .first()
    .waitFor();
  expect(await page.evaluate('window.owned')).toBeUndefined();
  expect(await page.locator('[onerror], img[src="x"], .cl script, a[href^="javascript"]').count()).toBe(0);
  await page.goto(`${used.url}/approvals`);
  await page.getByRole('article').first().waitFor();
  await page.goto(`${used.url}/sessions`);
  await page.getByText(HOSTILE.slice(0, 60)).waitFor();
  expect(await page.evaluate('window.owned')).toBeUndefined();
  expect(asked.filter((url) => !url.startsWith(used.url) && !url.startsWith(used.url.replace('http', 'ws')))).toEqual([]);
});

test(verifies('R4:console-away', 'a session whose client is away says so, and takes a message'), async () => {
  const laptop = await used.join();
  await laptop.leave();
  const page = await used.open(`/sessions/${laptop.sessionId}`, { viewport: { width: 390, height: 844 } });
  await page.getByText('The client that has the files is not connected').waitFor();
  await say(page, 'no more');
  await shows(page, 'All right.');
  expect(await page.evaluate('document.documentElement.scrollWidth - document.documentElement.clientWidth')).toBe(0);
  expect(await findBarriers(page)).toEqual([]);
});

test(verifies('S1:console-nobody', 'a session of nobody is none'), async () => {
  const page = await used.open('/sessions/of-somebody-else');
  await page.getByText('You have no session of this name.').waitFor();
});
