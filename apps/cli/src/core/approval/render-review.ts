import { formatPlural } from '@codelab/client/view';
import {
  canSplit,
  languageOf,
  linesOfPart,
  pathOfPart,
  tallyParts,
  toDiffFile,
  toDiffHunk,
  withNeighbours,
  type ReviewPart,
} from '@codelab/tools/patch';
import { headOfFile, renderHunk } from '../diff/render-diff.js';
import type { Highlighter } from '../markdown/highlight-code.js';
import { sanitiseLine } from '@codelab/tools/human';
import type { Line, Span } from '../text/span.js';
import { span } from '../text/span.js';
import { wrapSpans } from '../text/wrap-spans.js';
import type { Panel } from './panel.js';
import { QUESTION_PANEL, inPanel, keyRow, panelText } from './panel.js';
import type { ReviewPrompt } from './review-prompt.js';

export interface ReviewLook {
  readonly width: number;
  /** Rows that the panel may fill. */
  readonly maxRows: number;
  readonly highlight: Highlighter;
  readonly panel?: Panel;
  /** The keys go to the message that is being written. */
  readonly idle: boolean;
}

/** Rows of the model's message. */
const MAX_MESSAGE_ROWS = 4;

/** Draws a review: where it stands, the hunk that is looked at, and the keys. */
export function renderReview(prompt: ReviewPrompt, look: ReviewLook): readonly Line[] {
  const { panel = QUESTION_PANEL } = look;
  const inner = look.width - 2;
  const part = prompt.parts[prompt.current]!;
  const message =
    prompt.message === ''
      ? []
      : wrapSpans([span('The model: ', 'muted'), span(prompt.message)], { width: inner }).slice(0, MAX_MESSAGE_ROWS);
  const head = [
    ...panelText([span('Which changes do you keep?  ', panel.style), ...tally(prompt.parts)], inner),
    ...message,
    [],
    ...panelText([span(`hunk ${prompt.current + 1} of ${prompt.parts.length}`, 'strong'), span(' · '), ...headOf(part)], inner),
  ];
  const foot = [[], ...footRows(prompt, part, look, inner)];
  const room = Math.max(3, look.maxRows - head.length - foot.length);
  const body = bodyRows(prompt, inner - 2, room, look.highlight);
  return inPanel(panel, [...head, ...body.map((line): Line => [span('  '), ...line]), ...foot]);
}

/** `2 kept, 1 edited, 1 dropped, 3 to go`. */
function tally(parts: readonly ReviewPart[]): readonly Span[] {
  const { kept, edited, dropped, open } = tallyParts(parts);
  const facts = [
    kept > 0 ? [span(`${kept} kept`, 'good')] : [],
    edited > 0 ? [span(`${edited} edited`, 'warn')] : [],
    dropped > 0 ? [span(`${dropped} dropped`, 'bad')] : [],
    open > 0 ? [span(`${open} to go`, 'muted')] : [],
  ].filter((spans) => spans.length > 0);
  return facts.flatMap((spans, index) => (index === 0 ? spans : [span(', ', 'muted'), ...spans]));
}

function headOf(part: ReviewPart): readonly Span[] {
  const file = toDiffFile({ ...part.chunk.file, hunks: part.hunk ? [{ ...part.hunk, lines: linesOfPart(part) }] : [] });
  const verdict =
    part.verdict === 'open'
      ? []
      : part.verdict === 'drop'
        ? [span('  ✗ dropped', 'bad')]
        : [span(part.edited ? '  ✓ edited' : '  ✓ kept', 'good')];
  return [...headOfFile(file), ...verdict];
}

function bodyRows(prompt: ReviewPrompt, width: number, room: number, highlight: Highlighter): readonly Line[] {
  const part = prompt.parts[prompt.current]!;
  if (!part.hunk) return [[span('The patch changes no line of this file.', 'muted')]];
  const hunk = withNeighbours(prompt.parts, prompt.current)!;
  const last = hunk.lines.length;
  const colours = { highlight, language: languageOf(pathOfPart(part)) };
  const rows = renderHunk(toDiffHunk(hunk), width, colours, [prompt.scroll, Math.min(last, prompt.scroll + room)]);
  const above = prompt.scroll === 0 ? [] : [[span(`⋯ ${formatPlural(prompt.scroll, 'line')} above: PgUp`, 'muted')]];
  const fits = rows.length <= room - above.length && prompt.scroll + room >= last;
  if (fits) return [...above, ...rows];
  return [...above, ...rows.slice(0, Math.max(1, room - above.length - 1)), [span('⋯ more below: space scrolls', 'warn')]];
}

function footRows(prompt: ReviewPrompt, part: ReviewPart, look: ReviewLook, inner: number): readonly Line[] {
  if (look.idle) return panelText(keyRow([['Tab', 'decides; the keys go to your message now']]), inner);
  const { open } = tallyParts(prompt.parts);
  const done = open === 0 ? 'Everything is decided.' : '';
  const notes = {
    finish: `${formatPlural(open, 'hunk')} ${open === 1 ? 'is' : 'are'} undecided and would be dropped: Enter again finishes.`,
    cancel: 'Your decisions would be lost: Esc again cancels the review.',
  };
  const note = prompt.fault ? sanitiseLine(prompt.fault, 400) : prompt.confirm ? notes[prompt.confirm] : done;
  const style = prompt.fault ? 'bad' : prompt.confirm ? 'warn' : 'good';
  const keys = keyRow([
    ['y', 'keep'],
    ['n', 'drop'],
    ...(part.hunk ? [['e', 'edit'] as const] : []),
    ...(canSplit(part) ? [['s', 'split'] as const] : []),
    ['a', 'keep rest of file'],
    ['d', 'drop rest of file'],
    ['A', 'keep all left'],
    ['↑↓', 'look'],
    ['Enter', 'finish'],
    ['Esc', 'cancel'],
  ]);
  return [
    ...(note === '' ? [] : panelText([span(`${prompt.fault ? '✗' : prompt.confirm ? '!' : '✓'} `, style), span(note)], inner)),
    ...panelText(keys, inner),
  ];
}
