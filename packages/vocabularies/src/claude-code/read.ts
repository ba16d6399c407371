import { createHash } from 'node:crypto';
import type { ResultOf } from '@codelab/tools';
import { explainUnreadable } from '../render/unreadable.js';
import { fitLines, MAX_RESULT, numberLines, shownLines } from '../render/shown-lines.js';
import { renderNotebook } from './notebook.js';
import { canonicalError } from '../table/composite.js';
import { resultOf } from '../table/result-of.js';
import { defineRow, type Next, type Outcome, type UseResult } from '../table/row.js';
import { takes } from '../table/takes.js';
import type { ReadMark, UseContext } from '../table/use-context.js';
import { failed } from './read-marks.js';
import { pathOf, withPath } from '../table/with-path.js';

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
  file: ({ file_path }, context) => pathOf(file_path, context),
  next: (args, outcomes, context) =>
    withPath(args.file_path, context, (path) => readLines({ ...args, path, show: context.toAbsolute }, outcomes, context)),
});

/** What is read, and how its path is shown. */
export interface Reading extends Omit<ReadArgs, 'file_path'> {
  readonly path: string;
  readonly show: (path: string) => string;
}

/** Reads lines of a file, an image, a PDF or a notebook, and marks what was read. */
export function readLines(reading: Reading, outcomes: readonly Outcome[], context: UseContext): Next {
  const { path, show } = reading;
  const isMedia = MEDIA.test(path) && context.has('media.read');
  const last = outcomes.at(-1);
  if (last === undefined) return isMedia ? mediaCall(reading) : { call: { tool: 'read_file', args: rangeOf(reading, context) } };
  if (last.tool === 'media.read') return readMedia(last, show(path));
  const fault = explainUnreadable({ path, show }, outcomes, context);
  if (fault !== undefined) return fault;
  const done = outcomes.find((outcome) => outcome.tool === 'read_file');
  return done?.ok === true
    ? showRead(reading, resultOf('read_file', done), context)
    : failed(canonicalError('INTERNAL', 'nothing was read'));
}

const isNotebook = (path: string): boolean => path.toLowerCase().endsWith('.ipynb');
const startOf = ({ offset = 1 }: Reading): number => Math.max(1, offset);

/** An old client gives the whole file, which is cut here. */
const rangeOf = (reading: Reading, { has }: UseContext): Record<string, string | number> => {
  const { path, limit = DEFAULT_LIMIT } = reading;
  return has('x1') && !isNotebook(path) ? { path, offset: startOf(reading), limit } : { path };
};

const mediaCall = ({ path, pages }: Reading): Next => ({
  call: { tool: 'media.read', args: pages === undefined ? { path } : { path, pages } },
});

function readMedia(outcome: Outcome, shown: string): UseResult {
  if (!outcome.ok)
    return failed(outcome.code === 'FILE_NOT_FOUND' ? `Error: no file at ${shown}` : canonicalError(outcome.code, outcome.message));
  const { media_type: mediaType = '', data = '', width, height } = resultOf('media.read', outcome);
  const size = width !== undefined && height !== undefined ? `, ${String(width)} × ${String(height)}` : '';
  return { text: `${shown} (${mediaType}${size})`, images: [{ mediaType, data }] };
}

type ReadResult = Partial<ResultOf<'read_file'>>;

function showRead(reading: Reading, result: ReadResult, context: UseContext): UseResult {
  const { path, show, limit, offset } = reading;
  const shown = show(path);
  const { content = '', lines_total: known } = result;
  if (isNotebook(path)) return showNotebook(reading, content, result, context);
  const start = startOf(reading);
  const lines = shownLines(content);
  const total = known ?? lines.length;
  if (total === 0) return { text: `(${shown} is empty)`, marks: markOf(path, result, { whole: true, cut: false }, context) };
  if (start > total) return failed(`Error: offset ${String(start)} is past the end; ${shown} has ${String(total)} lines`);
  const wanted = known === undefined ? lines.slice(start - 1, start - 1 + (limit ?? DEFAULT_LIMIT)) : lines;
  const fitting = fitLines(numberLines(wanted, start), MAX_RESULT);
  const end = start + fitting.length - 1;
  const whole = start === 1 && end >= total;
  const more = end < total ? [`[lines ${String(start)}-${String(end)} of ${String(total)}; read on with offset ${String(end + 1)}]`] : [];
  const cut = !whole && ((offset === undefined && limit === undefined) || fitting.length < wanted.length);
  return { text: [...fitting, ...more].join('\n'), marks: markOf(path, result, { whole, cut }, context) };
}

const hashOf = (content: string): string => createHash('sha256').update(content).digest('hex');

/** What was read whole before, and has not changed since, stays known. */
function markOf(
  path: string,
  { sha256, content = '' }: ReadResult,
  seen: Pick<ReadMark, 'whole' | 'cut'>,
  context: UseContext,
): UseResult['marks'] {
  const hash = sha256 ?? hashOf(content);
  const before = context.marks.reads[path];
  const known = before?.sha256 === hash && before.whole ? { whole: true, cut: false } : seen;
  return { reads: { [path]: { sha256: hash, ...known } } };
}

function showNotebook({ path, show }: Reading, content: string, result: ReadResult, context: UseContext): UseResult {
  const lines = renderNotebook(content)?.split('\n');
  if (lines === undefined) return failed(canonicalError('ENCODING_ERROR', `${show(path)} is no notebook: its JSON can't be read`));
  const fitting = fitLines(lines, MAX_RESULT);
  const isCut = fitting.length < lines.length;
  const more = isCut ? ['[cut: the rest of the notebook is left out]'] : [];
  return { text: [...fitting, ...more].join('\n'), marks: markOf(path, result, { whole: !isCut, cut: isCut }, context) };
}
