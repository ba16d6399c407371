import { splitFile } from '../../edits/file-lines.js';
import { cutLines } from '../../render/cut.js';
import { explainUnreadable } from '../../render/unreadable.js';
import { defineRow, type Next } from '../../table/row.js';
import { takes } from '../../table/takes.js';
import { pathOf, withPath } from '../../table/with-path.js';
import { failed, fileItem, itemsResult } from '../items.js';
import { textIn } from '../../render/text-in.js';

interface Args {
  readonly filepath: string;
  readonly startLine: number;
  readonly endLine: number;
}

/** Reads lines of a file of any size. */
export const readFileRange = defineRow<Args>({
  name: 'read_file_range',
  displayName: 'Read lines',
  description:
    'Reads some lines of a text file, without line numbers. Use it for large files, or for the part that a search has shown; ask for ' +
    'enough lines at once instead of many small ranges.',
  parameters: takes(['filepath', 'startLine', 'endLine'], {
    filepath: { type: 'string', minLength: 1, description: 'Path of the file, relative to the workspace root.' },
    startLine: { type: 'integer', minimum: 1, description: 'The first line, from 1.' },
    endLine: { type: 'integer', minimum: 1, description: 'The last line; beyond the end of the file means its end.' },
  }),
  argumentAliases: { path: 'filepath' },
  policy: 'allow',
  readonly: true,
  idempotency: 'safe',
  needs: ['read_file'],
  stands: 'read_file',
  file: ({ filepath }, context) => pathOf(filepath, context),
  check: ({ startLine, endLine }) =>
    endLine < startLine ? `endLine: ${String(endLine)}; expected integer ≥ ${String(startLine)}` : undefined,
  next: ({ filepath, startLine, endLine }, outcomes, context) =>
    withPath(filepath, context, (path): Next => {
      const [first] = outcomes;
      const range = { offset: startLine, limit: endLine - startLine + 1 };
      if (first === undefined) return { call: { tool: 'read_file', args: context.has('x1') ? { path, ...range } : { path } } };
      const unreadable = explainUnreadable({ path, show: (shown) => shown, insteadOfDirectory: '; use ls' }, outcomes, context);
      if (unreadable !== undefined || !first.ok) return unreadable!;
      const all = splitFile(textIn(first.result, 'content')).lines.map((line) => line.text);
      const total = typeof first.result.lines_total === 'number' ? first.result.lines_total : all.length;
      // A client that was not asked for lines gives all of them.
      const lines = first.args.offset === undefined ? all.slice(startLine - 1, endLine) : all.slice(0, range.limit);
      if (startLine > total) {
        return failed(`Error: lines ${String(startLine)}-${String(endLine)} don't fit ${path} (${String(total)} lines)`);
      }
      const wanted = Math.min(endLine, total) - startLine + 1;
      const text = cutLines(lines, (shown) => `read on with startLine ${String(startLine + shown)}`, { total: wanted });
      return itemsResult(fileItem(path, text, context, `Lines ${String(startLine)}-${String(startLine + wanted - 1)} of ${path}`));
    }),
});
