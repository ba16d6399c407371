import { createHash } from 'node:crypto';
import { explainUnreadable } from '../render/unreadable.js';
import { fitLines, MAX_RESULT, numberLines, shownLines } from '../render/shown-lines.js';
import { renderNotebook } from './notebook.js';
import { canonicalError } from '../table/composite.js';
import { defineRow, type Next, type Outcome, type UseResult } from '../table/row.js';
import { takes } from '../table/takes.js';
import type { ReadMark, UseContext } from '../table/use-context.js';
import { failed, fileOf, withPath } from './read-marks.js';

interface ReadArgs {
  readonly file_path: string;
  readonly offset?: number;
  readonly limit?: number;
  readonly pages?: string;
}

const DEFAULT_LIMIT = 2_000;
const MEDIA = /\.(png|jpe?g|gif|webp|pdf)$/i;

/** `Read`: lines of a file with their numbers, images and PDF as images, notebooks by cells. */
export const read = defineRow<ReadArgs>({
  name: 'Read',
  displayName: 'Read file',
  description:
    'Reads a file of the workspace: text with line numbers, images and PDF as images, notebooks cell by cell. Up to 2,000 lines from the start unless ' +
    'offset and limit say otherwise. The number and the tab before a line are not part of the file. Read a file before you edit it. Not for directories: use Glob.',
  parameters: takes(['file_path'], {
    file_path: { type: 'string', minLength: 1, description: 'Absolute path of the file.' },
    offset: { type: 'integer', minimum: 0, description: 'First line, from 1.' },
    limit: { type: 'integer', minimum: 1, description: 'How many lines.' },
    pages: { type: 'string', description: 'Of a PDF: "1-5", at most 20 pages.' },
  }),
  policy: 'allow',
  readonly: true,
  idempotency: 'safe',
  needs: ['read_file'],
  stands: 'read_file',
  file: ({ file_path }, context) => fileOf(file_path, context),
  next: (args, outcomes, context) => withPath(args.file_path, context, (path) => nextOf(args, path, outcomes, context)),
});

function nextOf(args: ReadArgs, path: string, outcomes: readonly Outcome[], context: UseContext): Next {
  const isMedia = MEDIA.test(path) && context.has('media.read');
  const last = outcomes.at(-1);
  if (last === undefined) return isMedia ? mediaCall(path, args) : { call: { tool: 'read_file', args: rangeOf(args, path, context) } };
  if (last.tool === 'media.read') return readMedia(last, path, context);
  const fault = explainUnreadable({ path, show: context.toAbsolute }, outcomes, context);
  if (fault !== undefined) return fault;
  const done = outcomes.find((outcome) => outcome.tool === 'read_file');
  return done?.ok === true ? show(args, path, done.result, context) : failed(canonicalError('INTERNAL', 'nothing was read'));
}

const isNotebook = (path: string): boolean => path.toLowerCase().endsWith('.ipynb');
const startOf = ({ offset = 1 }: ReadArgs): number => Math.max(1, offset);

/** An old client gives the whole file, which is cut here. */
const rangeOf = (args: ReadArgs, path: string, context: UseContext): Record<string, string | number> =>
  context.has('x1') && !isNotebook(path) ? { path, offset: startOf(args), limit: args.limit ?? DEFAULT_LIMIT } : { path };

const mediaCall = (path: string, { pages }: ReadArgs): Next => ({
  call: { tool: 'media.read', args: pages === undefined ? { path } : { path, pages } },
});

function readMedia(outcome: Outcome, path: string, context: UseContext): UseResult {
  const shown = context.toAbsolute(path);
  if (!outcome.ok)
    return failed(outcome.code === 'FILE_NOT_FOUND' ? `Error: no file at ${shown}` : canonicalError(outcome.code, outcome.message));
  const { media_type: mediaType, data, width, height } = outcome.result;
  if (typeof mediaType !== 'string' || typeof data !== 'string') return failed(canonicalError('ENCODING_ERROR', `${shown} can't be shown`));
  const size = typeof width === 'number' && typeof height === 'number' ? `, ${String(width)} × ${String(height)}` : '';
  return { text: `${shown} (${mediaType}${size})`, images: [{ mediaType, data }] };
}

function show(args: ReadArgs, path: string, result: Readonly<Record<string, unknown>>, context: UseContext): UseResult {
  const shown = context.toAbsolute(path);
  const content = String(result.content);
  const ranged = typeof result.lines_total === 'number';
  if (isNotebook(path)) return showNotebook(path, content, result, context);
  const start = startOf(args);
  const lines = shownLines(content);
  const total = ranged ? Number(result.lines_total) : lines.length;
  if (total === 0) return { text: `(${shown} is empty)`, marks: markOf(path, result, content, { whole: true, cut: false }, context) };
  if (start > total) return failed(`Error: offset ${String(start)} is past the end; ${shown} has ${String(total)} lines`);
  const wanted = ranged ? lines : lines.slice(start - 1, start - 1 + (args.limit ?? DEFAULT_LIMIT));
  const fitting = fitLines(numberLines(wanted, start), MAX_RESULT);
  const end = start + fitting.length - 1;
  const whole = start === 1 && end >= total;
  const more = end < total ? [`[lines ${String(start)}-${String(end)} of ${String(total)}; read on with offset ${String(end + 1)}]`] : [];
  const cut = !whole && ((args.offset === undefined && args.limit === undefined) || fitting.length < wanted.length);
  return { text: [...fitting, ...more].join('\n'), marks: markOf(path, result, content, { whole, cut }, context) };
}

const hashOf = (content: string): string => createHash('sha256').update(content).digest('hex');

/** What was read whole before, and has not changed since, stays known. */
function markOf(
  path: string,
  { sha256 }: Readonly<Record<string, unknown>>,
  content: string,
  seen: Pick<ReadMark, 'whole' | 'cut'>,
  context: UseContext,
): UseResult['marks'] {
  const hash = typeof sha256 === 'string' ? sha256 : hashOf(content);
  const before = context.marks.reads[path];
  const known = before?.sha256 === hash && before.whole ? { whole: true, cut: false } : seen;
  return { reads: { [path]: { sha256: hash, ...known } } };
}

function showNotebook(path: string, content: string, result: Readonly<Record<string, unknown>>, context: UseContext): UseResult {
  const cells = renderNotebook(content);
  if (cells === undefined)
    return failed(canonicalError('ENCODING_ERROR', `${context.toAbsolute(path)} is no notebook: its JSON can't be read`));
  const fitting = fitLines(cells.split('\n'), MAX_RESULT);
  const isCut = fitting.length < cells.split('\n').length;
  const more = isCut ? ['[cut: the rest of the notebook is left out; read it as text with Bash]'] : [];
  return { text: [...fitting, ...more].join('\n'), marks: markOf(path, result, content, { whole: !isCut, cut: isCut }, context) };
}
