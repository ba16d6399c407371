import { sanitiseLine } from '../text/sanitise.js';
import type { Line } from '../text/span.js';
import { span } from '../text/span.js';
import { truncateLine } from '../text/wrap-spans.js';
import type { Completion } from './completion.js';

/** Candidates that are shown at once. */
const MAX_ROWS = 8;

/** Draws the candidates of a completion, around the one that stands in the text. */
export function renderCompletion({ candidates, picked }: Completion, width: number): readonly Line[] {
  const more = candidates.length > MAX_ROWS;
  const size = more ? MAX_ROWS - 1 : MAX_ROWS;
  const first = Math.max(0, Math.min(picked - Math.floor(size / 2), candidates.length - size));
  const rows = candidates.slice(first, first + size).map((path, index): Line => {
    const here = first + index === picked;
    return [span(here ? '  ▸ ' : '    ', 'accent'), span(sanitiseLine(path, 255), here ? 'strong' : 'muted')];
  });
  const rest = more ? [[span(`    ⋯ ${candidates.length} in all: type more, or Tab`, 'muted')]] : [];
  return [...rows, ...rest].map((row) => truncateLine(row, width));
}
