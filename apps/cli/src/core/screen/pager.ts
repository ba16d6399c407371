import type { Key } from '../input/key.js';
import type { Line } from '../text/span.js';
import { span } from '../text/span.js';
import { truncateLine } from '../text/wrap-spans.js';
import type { Picture, Size } from './screen.js';

/** A text that is read on a screen of its own. */
export interface Pager {
  readonly title: string;
  readonly rows: readonly Line[];
  readonly top: number;
}

/** The pager after a key; undefined when it is left. */
export function stepPager(pager: Pager, key: Key, size: Size): Pager | undefined {
  const page = pageRows(size);
  const to = (top: number): Pager => ({ ...pager, top: Math.max(0, Math.min(top, pager.rows.length - page)) });
  if (key.kind === 'control') return key.letter === 'c' || key.letter === 'd' ? undefined : pager;
  const name = key.kind === 'named' ? key.name : key.kind === 'text' ? key.text : '';
  switch (name) {
    case 'up':
    case 'k':
      return to(pager.top - 1);
    case 'down':
    case 'j':
    case 'enter':
      return to(pager.top + 1);
    case 'page-up':
    case 'b':
      return to(pager.top - page);
    case 'page-down':
    case ' ':
      return to(pager.top + page);
    case 'home':
    case 'g':
      return to(0);
    case 'end':
    case 'G':
      return to(pager.rows.length);
    case 'escape':
    case 'q':
    case 'd':
      return undefined;
    default:
      return pager;
  }
}

/** Draws the rows that fit, and below them where the reader is. */
export function renderPager(pager: Pager, size: Size): Picture {
  const page = pageRows(size);
  const rows = pager.rows.slice(pager.top, pager.top + page);
  const fill = Array.from({ length: page - rows.length }, (): Line => []);
  const last = Math.min(pager.rows.length, pager.top + page);
  const foot = [span(pager.title, 'strong'), span(`   ${last} of ${pager.rows.length} rows   ↑↓ space scroll   q goes back`, 'muted')];
  return { settled: [], live: [...rows, ...fill, [], truncateLine(foot, size.columns - 1)] };
}

const pageRows = (size: Size): number => Math.max(1, size.rows - 3);
