import type { Chunk } from '@codelab/tools';
import { toDiffFile, toDiffHunk } from '../diff/read-diff.js';
import { headOfFile, renderHunk } from '../diff/render-diff.js';
import { formatPlural } from '../text/format.js';
import { sanitiseLine } from '../text/sanitise.js';
import type { Line, Span } from '../text/span.js';
import { span } from '../text/span.js';
import { truncateLine, wrapSpans } from '../text/wrap-spans.js';
import type { Panel } from './panel.js';
import { QUESTION_PANEL, inPanel, keyRow, panelText } from './panel.js';
import type { ReviewPrompt } from './review-prompt.js';

const KEYS = [
  ['↑↓', 'look'],
  ['space', 'keep or drop'],
  ['a', 'all'],
  ['n', 'none'],
  ['Enter', 'done'],
  ['Esc', 'cancel'],
] as const;
/** Chunks that are listed at once. */
const MAX_LISTED = 8;

/** Draws a review: the chunks with their marks, and the one that is looked at. */
export function renderReview(prompt: ReviewPrompt, width: number, maxRows: number, panel: Panel = QUESTION_PANEL): readonly Line[] {
  const inner = width - 2;
  const title = [
    span('Which changes do you keep?', panel.style),
    span(`  ${prompt.picked.size} of ${formatPlural(prompt.chunks.length, 'change')}`, 'muted'),
  ];
  const message =
    prompt.message === '' ? [] : wrapSpans([span('The model: ', 'muted'), span(prompt.message)], { width: inner }).slice(0, 4);
  const foot = [[], ...panelText(keyRow(KEYS), inner)];
  const room = Math.max(6, maxRows - 2 - message.length - foot.length);
  const listed = windowAround(prompt.chunks, prompt.current - 1, Math.max(2, Math.min(MAX_LISTED, Math.floor(room / 3))));
  const list = listed.map((chunk) => chunkRow(prompt, chunk, inner));
  const body = bodyOf(prompt.chunks[prompt.current - 1], inner - 2);
  const left = Math.max(1, room - list.length - 1);
  const shown = body.length > left ? [...body.slice(0, left - 1), [span(`⋯ ${body.length - left + 1} more rows`, 'muted')]] : body;
  return inPanel(panel, [title, ...message, [], ...list, [], ...shown.map((line): Line => [span('  '), ...line]), ...foot]);
}

const bodyOf = (chunk: Chunk | undefined, width: number): readonly Line[] =>
  !chunk ? [] : chunk.hunk ? renderHunk(toDiffHunk(chunk.hunk), width) : wrapSpans(headOfFile(toDiffFile(chunk.file)), { width });

function chunkRow(prompt: ReviewPrompt, chunk: Chunk, width: number): Line {
  const here = chunk.number === prompt.current;
  const kept = prompt.picked.has(chunk.number);
  const marks: readonly Span[] = [span(here ? '▸ ' : '  ', 'question'), span(kept ? '☑ ' : '☐ ', kept ? 'good' : 'muted')];
  const path = sanitiseLine(chunk.file.newPath ?? chunk.file.oldPath ?? '', 120);
  const line = chunk.hunk && toDiffHunk(chunk.hunk).lines.find(({ kind }) => kind !== 'context');
  const place = line ? `${path}:${line.now ?? line.old}` : path;
  const what = line ? `${line.kind === 'added' ? '+' : '−'} ${sanitiseLine(line.text, 80)}` : chunk.file.kind;
  return truncateLine([...marks, span(`${chunk.number}  ${place}`, here ? 'strong' : 'plain'), span(`  ${what}`, 'muted')], width);
}

function windowAround<T>(values: readonly T[], index: number, size: number): readonly T[] {
  const start = Math.max(0, Math.min(index - Math.floor(size / 2), values.length - size));
  return values.slice(start, start + size);
}
