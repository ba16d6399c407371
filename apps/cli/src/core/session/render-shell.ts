import { type ShellItem, formatDuration, lastLines } from '@codelab/client/view';
import { span, type Line } from '../text/span.js';
import { truncateLine, wrapSpans } from '../text/wrap-spans.js';
import { spinnerAt, type Look } from './look.js';

/** Rows of the output: while it runs, and once it has ended. */
const MAX_LIVE_ROWS = 12;
const MAX_ROWS = 40;

/** Draws a command that the user ran: what it prints, and how it ended. */
export function renderShell(item: ShellItem, look: Look): readonly Line[] {
  const { command, tail, ended, startedAtMs } = item;
  const head = wrapSpans([span(command, 'strong')], { width: look.width, first: [span('! ', 'user')], rest: [span('  ')] });
  const lines = lastLines({ tail }, Infinity);
  const room = ended ? MAX_ROWS : MAX_LIVE_ROWS;
  const hidden = lines.length - room;
  const more = hidden > 0 ? [[span('  │ ', 'muted'), span(`⋯ ${hidden}${item.cut ? ' and more' : ''} rows above`, 'muted')]] : [];
  const rows = lines
    .slice(-room)
    .map((line) => truncateLine([span('  │ ', 'muted'), span(line.replaceAll('\t', '    ').slice(0, 1_000))], look.width));
  return [...head, ...more, ...rows, footOf(ended, startedAtMs, look)];
}

function footOf(ended: ShellItem['ended'], startedAtMs: number, look: Look): Line {
  if (!ended) return truncateLine([span(`${spinnerAt(look.nowMs)} `, 'accent'), span('runs: Ctrl-C ends it', 'muted')], look.width);
  const how = ended.code === null ? 'ended by a signal' : `exit ${ended.code}`;
  const took = formatDuration(ended.atMs - startedAtMs);
  return truncateLine(
    [span(`  ${how}`, ended.code === 0 ? 'good' : 'bad'), span(` · ${took} · the model reads it with your next message`, 'muted')],
    look.width,
  );
}
