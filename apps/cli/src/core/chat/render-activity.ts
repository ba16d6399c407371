import { describeActivity, type SessionView } from '@codelab/client/view';
import { MAX_PROSE_COLUMNS } from '../markdown/render-markdown.js';
import { spinnerAt, type Look } from '../session/look.js';
import { span, type Line } from '../text/span.js';
import { wrapSpans } from '../text/wrap-spans.js';

/** Says what goes on while nothing else on the screen moves; nothing where something does, or no turn runs. */
export function renderActivity(view: SessionView, look: Look): readonly Line[] {
  const activity = describeActivity(view, look.nowMs);
  if (activity === undefined) return [];
  return wrapSpans([span(activity.text, 'muted')], {
    width: Math.min(look.width, MAX_PROSE_COLUMNS),
    first: [span(`${spinnerAt(look.nowMs)} `, activity.tone === 'warn' ? 'warn' : 'accent')],
    rest: [span('  ')],
  });
}
