import type { Retry, SessionView } from '@codelab/client/view';
import { MAX_PROSE_COLUMNS } from '../markdown/render-markdown.js';
import { spinnerAt, type Look } from '../session/look.js';
import { formatSeconds } from '../text/format.js';
import { sanitiseLine } from '@codelab/tools/human';
import { span, type Line, type StyleName } from '../text/span.js';
import { wrapSpans } from '../text/wrap-spans.js';

const REASONS: Readonly<Record<Retry['reason'], string>> = {
  rate_limited: 'rate limited',
  overloaded: 'the provider is overloaded',
  unavailable: 'the provider is not available',
};

/** Says what goes on while nothing else on the screen moves; nothing where something does, or no turn runs. */
export function renderActivity(view: SessionView, look: Look): readonly Line[] {
  const { turn, items, drafting, retry } = view;
  if (!turn) return [];
  const row = (text: string, style: StyleName = 'accent'): readonly Line[] =>
    wrapSpans([span(text, 'muted')], {
      width: Math.min(look.width, MAX_PROSE_COLUMNS),
      first: [span(`${spinnerAt(look.nowMs)} `, style)],
      rest: [span('  ')],
    });
  if (turn.cancelling) return row('stopping …', 'warn');
  if (retry) return row(describeRetry(retry, look.nowMs), 'warn');
  const last = items.at(-1);
  const moves =
    (last?.kind === 'assistant' && !last.done && last.text !== '' && drafting === undefined) ||
    items.some((item) => item.kind === 'call' && item.progress === 'running');
  if (moves) return [];
  if (drafting !== undefined) return row(`writing a call of ${sanitiseLine(drafting, 64)}`);
  return row(view.activity === 'compacting' ? 'summing up what is older' : 'thinking');
}

/** `rate limited: the provider's words · trying again in 12 s (2 of 5)` */
function describeRetry({ reason, message, attempt, maxAttempts, atMs }: Retry, nowMs: number): string {
  const why = message === undefined ? REASONS[reason] : `${REASONS[reason]}: ${sanitiseLine(message, 300)}`;
  const when = atMs > nowMs ? `trying again in ${formatSeconds(atMs - nowMs + 999)}` : 'asking again';
  return `${why} · ${when} (${maxAttempts === undefined ? `attempt ${attempt}` : `${attempt} of ${maxAttempts}`})`;
}
