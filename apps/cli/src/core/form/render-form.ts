import { QUESTION_PANEL, inPanel, keyRow, panelText } from '../approval/panel.js';
import { renderEditor } from '../input/render-editor.js';
import type { Cursor } from '../screen/screen.js';
import { type FormAnswer, type FormField, type FormOption, sanitiseLine } from '@codelab/tools/human';
import { span, type Line } from '../text/span.js';
import { truncateLine, wrapSpans } from '../text/wrap-spans.js';
import { fieldOf, optionsOf, type FormPrompt } from './form-prompt.js';

/** Rows of what a server says, and options that are shown at once. */
const MAX_MESSAGE_ROWS = 12;
const MAX_OPTIONS = 9;

/** What a key says that is pressed now. */
const COMMON_KEYS = [
  ['Esc', 'decline'],
  ['Ctrl-X', 'leave unanswered'],
] as const;

/** Draws what a server asks. It says who asks, and looks like no approval. */
export function renderForm(prompt: FormPrompt, width: number): { readonly rows: readonly Line[]; readonly cursor?: Cursor } {
  const inner = width - 2;
  const { request } = prompt;
  const head = [...panelText([span(titleOf(prompt), 'question')], inner), ...messageRows(request.message, inner), []];
  const body = bodyOf(prompt, inner);
  const fault = prompt.fault === undefined ? [] : panelText([span('✗ ', 'bad'), span(prompt.fault)], inner);
  const keys = panelText(keyRow([...keysOf(prompt), ...COMMON_KEYS]), inner);
  const rows = inPanel(QUESTION_PANEL, [...head, ...body.rows, ...fault, [], ...keys]);
  return { rows, cursor: body.cursor && { row: head.length + body.cursor.row, column: body.cursor.column + 2 } };
}

function titleOf({ request, at }: FormPrompt): string {
  const server = sanitiseLine(request.server, 64);
  if (request.kind === 'address') return `The MCP server ${server} wants you to open an address:`;
  if (request.kind === 'sampling') return `The MCP server ${server} wants to ask the model, at your cost:`;
  const count = request.fields.length;
  return count < 2 || at >= count ? `The MCP server ${server} asks:` : `The MCP server ${server} asks (${at + 1} of ${count}):`;
}

function messageRows(message: string, inner: number): readonly Line[] {
  const rows = wrapSpans([span(message)], { width: inner - 2, first: [span('  ')], rest: [span('  ')] });
  return rows.length > MAX_MESSAGE_ROWS ? [...rows.slice(0, MAX_MESSAGE_ROWS - 1), [span('  ⋯', 'muted')]] : rows;
}

function bodyOf(prompt: FormPrompt, inner: number): { readonly rows: readonly Line[]; readonly cursor?: Cursor } {
  const { request } = prompt;
  if (request.kind === 'address')
    return {
      rows: wrapSpans([span(sanitiseLine(request.url, 2_000), 'strong')], { width: inner - 2, first: [span('  ')], breaks: 'anywhere' }),
    };
  if (request.kind === 'sampling') return { rows: messageRows(request.prompt, inner) };
  const field = fieldOf(prompt);
  if (field === undefined) return { rows: summaryRows(request.fields, prompt.answers, inner) };
  const label = [span(sanitiseLine(field.title, 200), 'strong'), span(field.required ? '' : '  (optional)', 'muted')];
  const told = field.description === undefined ? [] : panelText([span(sanitiseLine(field.description, 400), 'muted')], inner);
  const above = [...panelText(label, inner), ...told];
  if (optionsOf(field) !== undefined) return { rows: [...above, ...optionRows(prompt, field, inner)] };
  const { rows, cursor } = renderEditor(prompt.editor, inner, field.input.kind === 'number' ? 'a number' : '');
  return { rows: [...above, ...rows], cursor: { row: above.length + cursor.row, column: cursor.column } };
}

function optionRows({ selected, chosen }: FormPrompt, field: FormField, inner: number): readonly Line[] {
  const options = optionsOf(field) ?? [];
  const first = Math.max(0, Math.min(selected - Math.floor(MAX_OPTIONS / 2), options.length - MAX_OPTIONS));
  const shown = options.slice(first, first + MAX_OPTIONS).map(({ value, title }, index): Line => {
    const here = first + index === selected;
    const box = field.input.kind === 'choices' ? [span(chosen.includes(value) ? '[x] ' : '[ ] ', 'muted')] : [];
    const words = [span(here ? '  ▸ ' : '    ', 'question'), ...box, span(sanitiseLine(title, 200), here ? 'strong' : 'plain')];
    return truncateLine(words, inner);
  });
  const left = options.length - shown.length;
  return left === 0 ? shown : [...shown, [span(`    ⋯ ${options.length} in all`, 'muted')]];
}

/** What is sent, before it is sent. */
function summaryRows(fields: readonly FormField[], answers: FormPrompt['answers'], inner: number): readonly Line[] {
  if (fields.length === 0) return panelText([span('It asks for nothing but your yes.', 'muted')], inner);
  return fields.flatMap((field) => {
    const { name, title } = field;
    const answer = answers[name];
    const said =
      answer === undefined ? span('(no answer)', 'muted') : span(sanitiseLine(sayAnswer(answer, optionsOf(field) ?? []), 200), 'strong');
    return wrapSpans([span(`${sanitiseLine(title, 100)}: `, 'muted'), said], {
      width: inner - 2,
      first: [span('  ')],
      rest: [span('    ')],
    });
  });
}

/** The titles of what was chosen, or what was typed. */
const sayAnswer = (answer: FormAnswer, options: readonly FormOption[]): string =>
  (Array.isArray(answer) ? answer : [answer])
    .map((each: unknown) => options.find(({ value }) => value === String(each))?.title ?? String(each))
    .join(', ');

function keysOf(prompt: FormPrompt): readonly (readonly [string, string])[] {
  const { request } = prompt;
  if (request.kind === 'address') return [['Enter', 'open it']];
  if (request.kind === 'sampling') return [['Enter', 'ask the model once']];
  const back = prompt.at === 0 ? [] : [['Ctrl-B', 'back'] as const];
  const field = fieldOf(prompt);
  if (field === undefined) return [['Enter', `send to ${sanitiseLine(request.server, 32)}`], ...back];
  const moves = optionsOf(field) === undefined ? [] : [['↑↓', 'choose'] as const];
  const marks = field.input.kind === 'choices' ? [['space', 'mark'] as const] : [];
  return [...moves, ...marks, ['Enter', 'next'], ...back];
}
