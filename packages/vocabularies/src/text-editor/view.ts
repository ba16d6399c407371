import { fitLines, numberLines, shownLines } from '../render/shown-lines.js';
import { canonicalError } from '../table/composite.js';
import { resultOf } from '../table/result-of.js';
import type { Next, Outcome, UseResult } from '../table/row.js';
import { failed, type FileUse, READ_FAULTS } from './edit-file.js';

type Range = readonly [number, number];
const MEDIA = /\.(png|jpe?g|gif|webp|pdf)$/i;
const ALL_LINES = 100_000;

/** `view`: a file with line numbers, or what a directory holds, two levels deep. */
export function view(use: FileUse, range: Range | undefined): Next {
  const { path, given, outcomes, context } = use;
  const last = outcomes.at(-1);
  if (last === undefined) {
    if (MEDIA.test(path) && context.has('media.read')) return { call: { tool: 'media.read', args: { path } } };
    return { call: { tool: 'read_file', args: context.has('x1') ? { path, ...rangeArgs(range) } : { path } } };
  }
  if (last.tool === 'list_files') return viewDirectory(use, range, last);
  if (!last.ok) {
    if (last.code === 'INVALID_PATH' && context.has('list_files')) {
      return { call: { tool: 'list_files', args: { path, recursive: true, ...(context.has('x3') && { depth: 2 }) } } };
    }
    return failed((last.code === 'FILE_NOT_FOUND' ? READ_FAULTS(last.code, given) : undefined) ?? canonicalError(last.code, last.message));
  }
  if (last.tool === 'read_file') return viewFile(use, range, last);
  const { media_type: mediaType = '', data = '' } = resultOf('media.read', last);
  return { text: `${given} (${mediaType})`, images: [{ mediaType, data }] };
}

/** A range that fits no file is found out by a look at one line, since the answer says how many lines there are. */
const rangeArgs = (range: Range | undefined): { readonly offset: number; readonly limit: number } => {
  if (range === undefined) return { offset: 1, limit: ALL_LINES };
  const [first, last] = range;
  if (first < 1 || (last !== -1 && last < first)) return { offset: 1, limit: 1 };
  return { offset: first, limit: last === -1 ? ALL_LINES : last - first + 1 };
};

function viewFile({ given, context }: FileUse, range: Range | undefined, outcome: Extract<Outcome, { ok: true }>): UseResult {
  const { content = '', lines_total: known } = resultOf('read_file', outcome);
  const lines = shownLines(content);
  const total = known ?? lines.length;
  const [first, last] = range ?? [1, -1];
  if (range !== undefined && (first < 1 || first > total || (last !== -1 && last < first))) {
    return failed(`Error: view_range [${String(first)}, ${String(last)}] doesn't fit ${given} (${String(total)} lines)`);
  }
  const wanted = known === undefined ? lines.slice(first - 1, last === -1 ? undefined : last) : lines;
  const numbered = numberLines(wanted, first, ': ');
  const fitting = fitLines(numbered, context.maxCharacters);
  if (fitting.length === numbered.length) return { text: numbered.join('\n') };
  return { text: [...fitting, `[cut: ${String(fitting.length)} of ${String(numbered.length)} lines; use view_range]`].join('\n') };
}

function viewDirectory({ path, given, context }: FileUse, range: Range | undefined, outcome: Outcome): UseResult {
  if (!outcome.ok) return failed(canonicalError(outcome.code, outcome.message));
  if (range !== undefined) return failed(`Error: view_range is for files; ${given} is a directory`);
  const { entries = [] } = resultOf('list_files', outcome);
  const prefix = path === '.' ? '' : `${path}/`;
  const lines = entries.flatMap(({ path: entry, size }) => {
    const below = entry.startsWith(prefix) ? entry.slice(prefix.length) : entry;
    const parts = below.split('/');
    if (parts.length > 2 || parts.some((part) => part.startsWith('.') || part === 'node_modules')) return [];
    return [`${toSize(size)}\t${given.replace(/\/+$/, '')}/${below}`];
  });
  const shown = fitLines(lines, context.maxCharacters);
  const cut = shown.length < lines.length ? [`[cut: ${String(shown.length)} of ${String(lines.length)}; view a directory below]`] : [];
  return { text: [`${given}, two levels, without hidden entries and node_modules:`, ...shown, ...cut].join('\n') };
}

/** `5.5K`, as `du -h` writes sizes; a directory has none. */
const toSize = (bytes: number | undefined): string => {
  if (bytes === undefined) return '-';
  let [size, unit] = [bytes, 0];
  while (size >= 1_024 && unit < 3) [size, unit] = [size / 1_024, unit + 1];
  return unit === 0 ? String(bytes) : `${size < 10 ? size.toFixed(1) : String(Math.round(size))}${'BKMG'[unit]!}`;
};
