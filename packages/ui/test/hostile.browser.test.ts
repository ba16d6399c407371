import { expect, test } from 'vitest';
import { verifies } from '@codelab/testkit';
import { useGallery } from './use-sessions.js';

const gallery = useGallery();

/** Looks at all of the conversation, and says what must not be in it. */
const LOOK = `(async () => {
  const scroller = document.querySelector('.cl-timeline__scroller');
  const found = { elements: new Set(), links: new Set(), texts: [] };
  const frame = () => new Promise(requestAnimationFrame);
  for (let top = 0; top < scroller.scrollHeight; top += 500) {
    scroller.scrollTop = top;
    await frame();
    await frame();
    for (const element of scroller.querySelectorAll('script, img, iframe, object, embed, details, style, link, form, [onerror], [ontoggle], [style*="url"]'))
      found.elements.add(element.outerHTML.slice(0, 100));
    for (const { href, rel, target } of scroller.querySelectorAll('a')) found.links.add([href, rel, target].join(' '));
    found.texts.push(scroller.innerText);
  }
  const text = found.texts.join('\\n') + document.querySelector('.cl-header').innerText + document.querySelector('.cl-dock').innerText;
  return {
    elements: [...found.elements],
    links: [...found.links],
    hidden: [...new Set(text.match(/[\\u0000-\\u0008\\u000b-\\u001f\\u007f-\\u009f\\u200b-\\u200f\\u202a-\\u202e\\u2066-\\u2069\\ufeff]/gu) ?? [])].map((one) => one.codePointAt(0).toString(16)),
    shows: ['\\\\u{202e}', '\\\\u{200b}', '\\\\x1b', '<img src=x onerror='].filter((escape) => text.includes(escape)).length,
    title: document.title,
  };
})()`;

test(
  verifies(
    'H3:ui-hostile',
    'what a model or a workspace says is text: nothing of it runs, leads astray, is fetched or hides, and the page goes on',
  ),
  async () => {
    const requests: string[] = [];
    const before = Date.now();
    const { page, run } = await gallery.open('hostile');
    page.on('request', (request) => requests.push(request.url()));
    await page.locator('.cl-row').first().waitFor();
    expect(Date.now() - before).toBeLessThan(20_000);
    const seen = await run<{ elements: string[]; links: string[]; hidden: string[]; shows: number; title: string }>(LOOK);
    expect(seen).toMatchObject({ elements: [], hidden: [], shows: 4, title: 'CodeLab: gallery' });
    expect(seen.links.every((link) => /^(https:\/\/(evil\.)?example(\.com)?\/\S*) noopener noreferrer nofollow _blank$/.test(link))).toBe(
      true,
    );
    expect(requests).toEqual([]);
    await page.getByLabel('Your message').fill('still here');
    expect(await page.getByRole('button', { name: 'Send' }).isEnabled()).toBe(true);
    expect(await run('Object.prototype.hasOwnProperty.call(Object.prototype, "0") || ({}).href')).toBeUndefined();
  },
);

test(verifies('G4:ui-megabytes', 'of a text of some megabytes the beginning is drawn, and more on demand'), async () => {
  const { page, run } = await gallery.open('empty');
  await run(
    `gallery.hearFrames({ type: 'assistant_message', message_id: 'x', token: '', content: 'x'.repeat(5_000_000), is_final: true })`,
  );
  const more = page.getByRole('button', { name: /MB more: show/ });
  await more.waitFor();
  expect(await run<number>(`document.querySelector('.cl-plain').textContent.length`)).toBeLessThan(21_000);
  await more.click();
  expect(await run<number>(`document.querySelector('.cl-plain').textContent.length`)).toBeGreaterThan(200_000);
});

test(verifies('R5:ui-broken', 'an entry that can’t be drawn stands there as it came, and everything around it is as ever'), async () => {
  const { page, run } = await gallery.open('empty');
  await run(`gallery.hearFrames({ type: 'assistant_message', message_id: 'before', token: '', content: 'Before it.', is_final: true })`);
  const history =
    "{ role: 'assistant', message_id: 'm', content: '', tool_calls: [{ call_id: 'broken', tool_name: 'write_file', arguments: '{}' }] }";
  await run(`gallery.hear({ kind: 'history_read', history: [${history}], atMs: 1 })`);
  await run(`gallery.hearFrames({ type: 'approval_updated', call_id: 'broken', preview: { kind: 'diff', text: { not: 'a text <b>' } } },
    { type: 'tool_status', call_id: 'broken', status: 'done' },
    { type: 'assistant_message', message_id: 'after', token: '', content: 'After it.', is_final: true })`);
  await page.getByLabel('The entry as it came').getByText('a text <b>').waitFor();
  for (const text of ['Before it.', 'After it.']) await page.getByText(text, { exact: true }).waitFor();
  await page.getByLabel('Your message').fill('still here');
  gallery.takeProblems(); // React tells the console of what it caught
});
