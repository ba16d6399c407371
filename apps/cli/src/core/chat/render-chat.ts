import { renderApproval } from '../approval/render-approval.js';
import { APPROVAL_PANEL } from '../approval/panel.js';
import { renderQuestion } from '../approval/question-prompt.js';
import { renderReview } from '../approval/render-review.js';
import { renderForm } from '../form/render-form.js';
import { renderSearch, SEARCH_PROMPT } from '../input/history-search.js';
import { renderOffered } from '../commands/complete-command.js';
import { renderEditor } from '../input/render-editor.js';
import { renderPicker } from '../picker/render-picker.js';
import { type QueuedMessage, formatSeconds, sessionUsageParts } from '@codelab/client/view';
import type { Cursor, Picture, Size } from '../screen/screen.js';
import type { Look } from '../session/look.js';
import { modeNameOf } from '../session/permission-mode.js';
import { renderTodos } from '../session/render-item.js';
import type { TranscriptRows } from '../session/transcript.js';
import { sanitiseLine } from '@codelab/tools/human';
import { span, STYLES, type Line } from '../text/span.js';
import { measure, truncateLine } from '../text/wrap-spans.js';
import type { ChatState } from './chat-state.js';
import { renderActivity } from './render-activity.js';
import type { Completion } from '../mentions/completion.js';

/** Candidates that are shown at once. */
const MAX_ROWS = 8;

/** What the line can become: paths, or commands. */
const renderCompletions = (state: ChatState, width: number): readonly Line[] =>
  state.completion ? renderCompletion(state.completion, width) : state.search ? [] : renderOffered(state, width);

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

/** Rows that a panel leaves for what stands around it. */
const ROWS_AROUND_PANEL = 7;

/** The whole picture: the conversation, what asks for attention, the message being written, the status line. */
export function renderChat(state: ChatState, transcript: TranscriptRows, look: Look, size: Size): Picture {
  const asking = state.picker ? undefined : renderAttention(state, look, size);
  const panel = asking && look.nowMs < state.armedAtMs ? { ...asking, rows: asking.rows.map(dimKeys) } : asking;
  const above: Line[] = [...transcript.live];
  const todos = renderTodos(state.view.todos, look.width);
  if (todos.length > 0) above.push([], ...todos);
  const middle = panel ? panel.rows : renderActivity(state.view, look);
  if (middle.length > 0) above.push([], ...middle);
  const panelEnd = above.length;
  const inPanel = panel?.cursor && { row: panelEnd - panel.rows.length + panel.cursor.row, column: panel.cursor.column };
  if (!state.writes) return { settled: transcript.settled, live: above, cursor: inPanel };
  above.push([], ...queueRows(state, look), [span('─'.repeat(Math.max(1, look.width)), 'muted')]);
  if (state.picker) {
    const picker = renderPicker(state.picker, look.width, size.rows - ROWS_AROUND_PANEL);
    const cursor = { row: above.length + picker.cursor.row, column: picker.cursor.column };
    return { settled: transcript.settled, live: [...above, ...picker.rows, statusRow(state, look)], cursor };
  }
  const editor = renderLine(state, look);
  const completion = state.focus === 'editor' ? renderCompletions(state, look.width) : [];
  const live = [...above, ...editor.rows, ...completion, statusRow(state, look)];
  const inEditor: Cursor = { row: above.length + editor.cursor.row, column: editor.cursor.column };
  const cursor = state.attention && state.focus === 'attention' ? inPanel : inEditor;
  return { settled: transcript.settled, live, cursor };
}

/** The line that is being written, or the search that is in its place. */
function renderLine({ editor, search, ...state }: ChatState, look: Look): { readonly rows: readonly Line[]; readonly cursor: Cursor } {
  if (!search) return renderEditor(editor, look.width, placeholder({ editor, ...state }));
  const column = Math.min(measure([span(SEARCH_PROMPT + search.query)]), look.width - 1);
  return { rows: renderSearch(search, editor.history, look.width), cursor: { row: 0, column } };
}

/** Keys that don't decide yet don't look as if they did. */
const dimKeys = (row: Line): Line => row.map((part) => (part.style === STYLES.key ? { ...part, style: STYLES.muted } : part));

function renderAttention(
  state: ChatState,
  look: Look,
  size: Size,
): { readonly rows: readonly Line[]; readonly cursor?: Cursor } | undefined {
  const { attention } = state;
  if (!attention) return undefined;
  const todos = renderTodos(state.view.todos, look.width).length;
  const maxRows = Math.max(8, size.rows - ROWS_AROUND_PANEL - (todos === 0 ? 0 : todos + 1));
  const review = { width: look.width, maxRows, highlight: look.highlight, idle: state.focus === 'editor' };
  switch (attention.kind) {
    case 'approval': {
      const position = state.asked.length > 1 ? `1 of ${state.asked.length}` : undefined;
      const preview = attention.prompt.call.isEdited ? undefined : previewOf(state, attention.prompt.callId);
      const prompt = preview ? { ...attention.prompt, call: { ...attention.prompt.call, preview } } : attention.prompt;
      return renderApproval(prompt, { ...review, position });
    }
    case 'hunks':
      return { rows: renderReview(attention.prompt, { ...review, panel: APPROVAL_PANEL }) };
    case 'question':
      return { rows: renderQuestion(attention.prompt, look.width) };
    case 'form':
      return renderForm(attention.prompt, look.width);
    case 'review':
      return { rows: renderReview(attention.prompt, review) };
  }
}

function previewOf(state: ChatState, callId: string): { kind: 'diff' | 'command' | 'text'; text: string } | undefined {
  const item = state.view.items.findLast((one) => one.kind === 'call' && one.callId === callId);
  return item?.kind === 'call' ? item.preview : undefined;
}

/** What was written while the turn runs and the model has not read: before its next step, then after its end. */
function queueRows({ view: { steering, queue } }: ChatState, look: Look): readonly Line[] {
  const row = (mark: string, { content }: QueuedMessage): Line =>
    truncateLine([span(mark, 'muted'), span(sanitiseLine(content, 300), 'muted')], look.width);
  return [...steering.map((message) => row('↳ next step  ', message)), ...queue.map((message) => row('⋯ queued  ', message))];
}

function placeholder(state: ChatState): string {
  if (state.attention && state.focus === 'attention') return 'Tab to write a message';
  if (state.view.turn) return 'Enter: at its next step   Alt-Enter: after it';
  return state.view.items.some((item) => item.kind === 'user') ? '' : 'Ask something, or say what to do   (/help)';
}

function statusRow(state: ChatState, look: Look): Line {
  const { view } = state;
  const elapsed = view.turn ? [formatSeconds(look.nowMs - view.turn.startedAtMs)] : [];
  const model = state.chosenModel ?? view.model;
  const facts = [
    modeNameOf(view.mode),
    ...(model === undefined ? [] : [sanitiseLine(model, 40)]),
    sanitiseLine(view.agent ?? 'coder', 30),
    ...sessionUsageParts(view.usage),
    ...elapsed,
  ];
  const left = [span(`  ${facts.join(' · ')}`, 'muted')];
  const right = hint(state, look.nowMs);
  const space = look.width - measure(left) - measure(right);
  return space < 2 ? truncateLine(right.length > 0 ? right : left, look.width) : [...left, span(' '.repeat(space)), ...right];
}

function hint(state: ChatState, nowMs: number): Line {
  if (state.picker && state.attention) return [span('something waits for your answer: Esc', 'warn')];
  if (nowMs < state.leavesUntilMs && !state.view.turn) return [span('Ctrl-C again leaves', 'warn')];
  if (state.view.turn?.cancelling && nowMs < state.leavesUntilMs) return [span('Ctrl-C again leaves', 'warn')];
  const waits = state.view.items.some((item) => item.kind === 'user' && item.state === 'sent') ? '; your message waits' : '';
  if (state.view.link === 'lost') return [span(`connection lost: trying again${waits}`, 'warn')];
  if (state.view.link === 'connecting') return [span(`connecting …${waits}`, 'muted')];
  return state.view.executor === 'other' ? [span('another client runs the tools', 'muted')] : [];
}
