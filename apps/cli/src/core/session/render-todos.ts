import type { Todo } from '@codelab/client/view';
import { sanitiseLine } from '../text/sanitise.js';
import type { Line, StyleName } from '../text/span.js';
import { span } from '../text/span.js';
import { truncateLine } from '../text/wrap-spans.js';

/** Tasks that are shown at once. */
const MAX_ROWS = 6;

const LOOKS: Readonly<Record<Todo['status'], readonly [mark: string, style: StyleName, text: StyleName]>> = {
  done: ['☑', 'good', 'muted'],
  active: ['▸', 'accent', 'strong'],
  open: ['☐', 'muted', 'plain'],
};

/** Draws the task list around what is being done; nothing once all of it is done. */
export function renderTodos(todos: readonly Todo[], width: number): readonly Line[] {
  const next = todos.findIndex(({ status }) => status !== 'done');
  if (next === -1) return [];
  const done = todos.filter(({ status }) => status === 'done').length;
  const first = Math.max(0, Math.min(next - 1, todos.length - MAX_ROWS));
  const rows = todos.slice(first, first + MAX_ROWS).map(({ content, status }): Line => {
    const [mark, style, text] = LOOKS[status];
    return truncateLine([span(`${mark} `, style), span(sanitiseLine(content, 200), text)], width);
  });
  return todos.length > MAX_ROWS ? [...rows, [span(`  ${done} of ${todos.length} done`, 'muted')]] : rows;
}
