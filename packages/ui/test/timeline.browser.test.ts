import { expect, test } from 'vitest';
import { eventually, verifies } from '@codelab/testkit';
import { useGallery } from './use-sessions.js';

const gallery = useGallery();

/** `frame`: something was painted. Before that sizes were not seen yet, and a page is not what people see. */
const FRAMES = `const frame = () => new Promise((resolve) => requestAnimationFrame(() => setTimeout(resolve)));
const say = (token, id = 'live') => gallery.hearFrames({ type: 'assistant_message', message_id: id, token, is_final: false });
const scroller = document.querySelector('.cl-timeline__scroller');
const away = () => scroller.scrollHeight - scroller.clientHeight - scroller.scrollTop;`;

test(
  verifies(
    'G4:ui-long',
    'a session of ten thousand items opens at its end, and only what can be seen of it is in the page, wherever one looks',
  ),
  async () => {
    const { page, run, distanceFromEnd, scroller } = await gallery.open('long');
    await page.getByText('Step 9995').waitFor();
    expect(await distanceFromEnd()).toBeLessThanOrEqual(1);
    const most = await run<number>(`(async () => { ${FRAMES}
      let most = 0;
      for (let at = 0; at <= 20; at += 1) {
        scroller.scrollTop = (at / 20) * scroller.scrollHeight;
        await frame(); await frame();
        most = Math.max(most, document.querySelectorAll('.cl-row').length);
      }
      scroller.scrollTop = 0;
      await frame(); await frame();
      return most;
    })()`);
    expect(most).toBeLessThan(60);
    await page.getByText('Step 0:').waitFor();
    expect(await scroller.locator('article').first().getAttribute('aria-setsize')).toBe('10000');
  },
);

test(
  verifies(
    'L3:ui-stream',
    'while a message is written its earlier blocks and all other rows stay as they are, and the page stays at its end',
  ),
  async () => {
    const { run } = await gallery.open('long');
    const seen = await run<{ offs: number[]; touched: string[]; text: string }>(`(async () => { ${FRAMES}
      say('# Title\\n\\nA first paragraph.\\n\\n');
      say('| a | b |\\n');
      await frame(); await frame();
      const live = [...document.querySelectorAll('.cl-row')].at(-1);
      const touched = new Set();
      const observer = new MutationObserver((records) => {
        for (const { target } of records) {
          const element = target.nodeType === 1 ? target : target.parentElement;
          const block = element.closest('.cl-markdown > *');
          touched.add(!live.contains(element) ? 'another row' : !block ? 'the message' : block.className || block.tagName);
        }
      });
      for (const row of document.querySelectorAll('.cl-row')) observer.observe(row, { subtree: true, childList: true, characterData: true });
      const offs = [];
      for (const token of ['| - ', '| - |\\n', '| 1 |', ' 2 |\\n', '| 3 | 4 |\\n']) { say(token); await frame(); offs.push(Math.round(away())); }
      for (let line = 0; line < 60; line += 1) { say((line % 10 === 0 ? '\\n\\n' : ' ') + 'word ' + line); await frame(); offs.push(Math.round(away())); }
      observer.disconnect();
      return { offs, touched: [...touched], text: live.querySelector('.cl-heading').textContent };
    })()`);
    expect(seen.text).toBe('Title');
    expect(seen.offs.filter((pixels) => pixels > 2)).toEqual([]);
    expect([...seen.touched].sort()).toEqual(expect.arrayContaining(['cl-table']));
    expect(seen.touched.filter((name) => !['cl-table', 'P', 'the message'].includes(name))).toEqual([]);
  },
);

test(verifies('G3:ui-reading', 'whoever reads above stays there, is told how much came, and comes back by one press'), async () => {
  const { page, run, distanceFromEnd, scroller } = await gallery.open('short');
  await page.getByText('git status').waitFor();
  const before = await run<number>(
    `(async () => { ${FRAMES} scroller.scrollTop = 0; await frame(); await frame(); return scroller.scrollTop; })()`,
  );
  await run(`(async () => { ${FRAMES} for (const id of ['n1', 'n2', 'n3']) { say('News.', id); await frame(); } })()`);
  await page.getByRole('button', { name: '3 new entries' }).click();
  await eventually('the end is seen', async () => (await distanceFromEnd()) <= 2);
  expect(before).toBe(0);
  await eventually('the button is gone', async () => (await page.locator('.cl-jump').count()) === 0);
  expect(await scroller.getByText('News.').count()).toBe(3);
});

test(verifies('L3:ui-older', 'older pages come in above while somebody scrolls up, and what they read stays where it is'), async () => {
  const { page, run, asked } = await gallery.open('paged');
  await page.getByText('Step 995').waitFor();
  const jumps = await run<number[]>(`(async () => { ${FRAMES}
      const jumps = [];
      for (let step = 0; step < 120; step += 1) {
        scroller.scrollTop -= 150;
        await frame();
        const row = [...document.querySelectorAll('.cl-row')].find((one) => one.getBoundingClientRect().top > 100);
        const key = row?.dataset.key;
        const top = row?.getBoundingClientRect().top;
        await frame(); await frame();
        const same = key && document.querySelector('[data-key="' + key + '"]');
        if (same) jumps.push(Math.round(Math.abs(same.getBoundingClientRect().top - top)));
      }
      return jumps;
    })()`);
  expect((await asked()).filter((one) => 'loadOlder' in (one as object)).length).toBeGreaterThan(1);
  expect(jumps.length).toBeGreaterThan(80);
  expect(Math.max(...jumps)).toBeLessThanOrEqual(4);
});

test(verifies('G4:ui-focus', 'a row that has the focus keeps it when it is scrolled out of sight'), async () => {
  const { page, run } = await gallery.open('long');
  await page.getByText('Step 9995').waitFor();
  const button = page.locator('.cl-call__head').last();
  await button.focus();
  await run(`(async () => { ${FRAMES} scroller.scrollTop -= 20_000; await frame(); await frame(); await frame(); })()`);
  expect(await run<string>('document.activeElement.className')).toContain('cl-call__head');
});

test(verifies('G2:ui-call', 'a call opens by the keyboard and says its state in words; what its agent did stands in it'), async () => {
  const { page } = await gallery.open('short', { viewport: { width: 1280, height: 2_000 } });
  const task = page.getByRole('button', { name: /done:\s*task/ });
  await task.focus();
  await page.keyboard.press('Enter');
  expect(await task.getAttribute('aria-expanded')).toBe('true');
  expect(await page.getByRole('list', { name: 'What the agent of this task did' }).getByRole('listitem').count()).toBe(2);
  const command = page.getByRole('button', { name: /done:\s*run_command/ });
  await command.press('Enter');
  await page.getByText('Tests: 13 passed, 13 total').first().waitFor();
  expect(await page.getByLabel('Result').first().textContent()).not.toContain('\u001b');
});
