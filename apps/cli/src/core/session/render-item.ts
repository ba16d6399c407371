import {
  type AssistantItem,
  type Item,
  type NoticeItem,
  type TurnEndItem,
  type UserItem,
  type ViewAttachment,
  type Todo,
  type ThoughtItem,
  formatBytes,
  formatDuration,
  formatPlural,
  usageParts,
} from '@codelab/client/view';
import { MAX_PROSE_COLUMNS } from '../markdown/render-markdown.js';
import { sanitiseLine } from '@codelab/tools/human';
import { span, type Line, type StyleName } from '../text/span.js';
import { truncateLine, wrapSpans } from '../text/wrap-spans.js';
import type { Look } from './look.js';
import { renderShell } from './render-shell.js';
import { renderCall } from './render-call.js';

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

/** A pasted file need not fill the transcript: it was the user's own. */
const MAX_USER_ROWS = 20;

/** Draws an item that isn't a message of the model. */
export function renderItem(item: Exclude<Item, AssistantItem>, look: Look): readonly Line[] {
  switch (item.kind) {
    case 'user':
      return renderUser(item, look);
    case 'call':
      return renderCall(item, look);
    case 'turn_end':
      return renderTurnEnd(item, look);
    case 'thought':
      return renderThought(item, look);
    case 'notice':
      return renderNotice(item, look);
    case 'shell':
      return renderShell(item, look);
  }
}

function renderUser(item: UserItem, look: Look): readonly Line[] {
  const width = Math.min(look.width, MAX_PROSE_COLUMNS);
  const rows = wrapSpans([span(item.content, 'strong')], { width, first: [span('› ', 'user')], rest: [span('  ')] });
  const chips = (item.attachments ?? []).map((attachment) => renderAttachment(attachment, width));
  if (rows.length <= MAX_USER_ROWS) return [...rows, ...chips];
  return [...rows.slice(0, MAX_USER_ROWS), [span(`  ⋯ ${rows.length - MAX_USER_ROWS} more rows`, 'muted')], ...chips];
}

/** `+ src/a.ts:10-20, 11 lines`: a file that goes with the message. */
function renderAttachment({ path, lines, lineCount, imageBytes }: ViewAttachment, width: number): Line {
  const ofText = lineCount === undefined ? '' : `, ${formatPlural(lineCount, 'line')}`;
  const size = imageBytes === undefined ? ofText : `, image, ${formatBytes(imageBytes)}`;
  const name = sanitiseLine(lines === undefined ? path : `${path}:${lines}`, 255);
  return truncateLine([span('  + ', 'accent'), span(name), span(size, 'muted')], width);
}

function renderTurnEnd(item: TurnEndItem, look: Look): readonly Line[] {
  const facts = [item.elapsedMs === undefined ? undefined : formatDuration(item.elapsedMs), ...usageParts(item.usage)].filter(
    (part) => part !== undefined,
  );
  const tail = facts.join(' · ');
  if (item.status === 'completed') return tail === '' ? [] : [[span(`  ${tail}`, 'muted')]];
  if (item.status === 'cancelled') return [[span('↷ ', 'warn'), span('Cancelled', 'warn'), span(tail === '' ? '' : `  ${tail}`, 'muted')]];
  const why = item.error
    ? [span(`The turn failed: ${item.error.message} `), span(`(${item.error.code})`, 'muted')]
    : [span('The turn failed.')];
  return [
    ...wrapSpans(why, { width: look.width, first: [span('✗ ', 'bad')], rest: [span('  ')] }),
    ...(tail === '' ? [] : [[span(`  ${tail}`, 'muted')]]),
  ];
}

/** Rows of a thought that is still growing. */
const MAX_THOUGHT_ROWS = 10;

/** `✻ thought for 3 s`, or all of it, dim; while it grows its end. */
export function renderThought({ text, done, startedAtMs, endedAtMs }: ThoughtItem, look: Look): readonly Line[] {
  const mark = span('✻ ', 'muted');
  if (look.thoughts !== 'shown') {
    const last = sanitiseLine(text.trimEnd().split('\n').at(-1) ?? '', 500);
    return [truncateLine([mark, span(done ? `thought for ${formatDuration(endedAtMs - startedAtMs)}` : last, 'thought')], look.width)];
  }
  const width = Math.min(look.width, MAX_PROSE_COLUMNS);
  const rows = wrapSpans([span(text.trim(), 'thought')], { width, first: [mark], rest: [span('  ')] });
  return done ? rows : rows.slice(-MAX_THOUGHT_ROWS);
}

const NOTICES: Readonly<Record<NoticeItem['tone'], readonly [string, StyleName]>> = {
  info: ['· ', 'muted'],
  warning: ['! ', 'warn'],
  error: ['✗ ', 'bad'],
};

function renderNotice(item: NoticeItem, look: Look): readonly Line[] {
  const [symbol, style] = NOTICES[item.tone];
  const width = Math.min(look.width, MAX_PROSE_COLUMNS);
  return wrapSpans([span(item.text, item.tone === 'info' ? 'muted' : 'plain')], {
    width,
    first: [span(symbol, style)],
    rest: [span('  ')],
  });
}
