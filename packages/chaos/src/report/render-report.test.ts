import { expect, test } from 'vitest';
import { madeUpReport } from './__fixtures__/made-up-report.js';
import { renderReport } from './render-report.js';

const HOSTILE = '</script><script>window.hurt=1</script><img src=x onerror="hurt()">\'" onclick="hurt()" \u202e<!--';

const tagsOf = (page: string): string[] => [...page.matchAll(/<[a-z!/][^\s>]*/gi)].map(([tag]) => tag);

test('hostile text changes neither the elements of the page nor their attributes', () => {
  const page = renderReport(madeUpReport(HOSTILE));
  expect(tagsOf(page)).toEqual(tagsOf(renderReport(madeUpReport('x'))));
  const tags = page.replaceAll(/<(script|style)>[^]*?<\/\1>/g, '').replaceAll(/"[^"]*"/g, '""');
  expect(/<[^>]* on[a-z]+=/.test(tags)).toBe(false); // no handler in any tag
  expect(/<[^>]* style=/.test(tags)).toBe(false);
  expect(page.includes('\u202e')).toBe(false);
});

test('the page asks for nothing outside of itself, and its policy allows nothing', () => {
  const page = renderReport(madeUpReport());
  expect(page).toContain('content="default-src &#39;none&#39;; script-src &#39;sha256-');
  expect(/(src|href)="(?!#)/.test(page)).toBe(false);
  expect(/url\(|@import|https?:/.test(page)).toBe(false);
});

test('parts without anything to show are left out', () => {
  const { sample, recovery, mutants, ...rest } = madeUpReport();
  const page = renderReport({ ...rest, failures: [] });
  for (const id of ['failures', 'timeline', 'recovery', 'mutants']) expect(page).not.toContain(`id="${id}"`);
  expect(page).toContain('id="seeds"');
});

test('a failure is told with its promise, the schedule that was found and the command that repeats it', () => {
  const page = renderReport(madeUpReport());
  for (const part of [
    '<b>R2</b>',
    'the call s1-t2-c1 took effect twice',
    'kill runtime-1 when a call is open',
    'codelab chaos --seed 212',
  ]) {
    expect(page).toContain(part);
  }
});
