import { splitFile } from '../../edits/file-lines.js';
import { MAX_RESULT } from '../../render/cut.js';
import { explainUnreadable } from '../../render/unreadable.js';
import { defineRow, type Next } from '../../table/row.js';
import { takes } from '../../table/takes.js';
import { pathOf, withPath } from '../../table/with-path.js';
import { failed, fileItem, itemsResult } from '../items.js';
import { textIn } from '../../render/text-in.js';

/** Reads a whole file of up to 60,000 characters. */
export const readFile = defineRow<{ readonly filepath: string }>({
  name: 'read_file',
  displayName: 'Read file',
  description:
    'Reads a whole text file, without line numbers. Read a file before you change it. For a part of a file, and for files of more than ' +
    '60,000 characters, use read_file_range.',
  parameters: takes(['filepath'], {
    filepath: { type: 'string', minLength: 1, description: 'Path of the file, relative to the workspace root, such as "src/main.ts".' },
  }),
  argumentAliases: { path: 'filepath' },
  policy: 'allow',
  readonly: true,
  idempotency: 'safe',
  needs: ['read_file'],
  stands: 'read_file',
  file: ({ filepath }, context) => pathOf(filepath, context),
  next: ({ filepath }, outcomes, context) =>
    withPath(filepath, context, (path): Next => {
      const [first, second] = outcomes;
      if (first === undefined) return { call: { tool: 'read_file', args: { path } } };
      if (!first.ok && first.code === 'FILE_TOO_LARGE') {
        if (second === undefined && context.has('x1')) return { call: { tool: 'read_file', args: { path, offset: 1, limit: 1 } } };
        if (second?.ok === true) return tooLarge(path, Number(second.result.lines_total));
        return failed(`Error [FILE_TOO_LARGE]: ${first.message}`);
      }
      const unreadable = explainUnreadable({ path, show: (shown) => shown, insteadOfDirectory: '; use ls' }, outcomes, context);
      if (unreadable !== undefined || !first.ok) return unreadable!;
      const { lines } = splitFile(textIn(first.result, 'content'));
      const text = lines.map((line) => line.text).join('\n');
      if (text.length > MAX_RESULT && [...text].length > MAX_RESULT) return tooLarge(path, lines.length);
      const result = itemsResult(fileItem(path, text, context));
      return lines.length === 0 ? { ...result, text: `(${path} is empty)` } : result;
    }),
});

const tooLarge = (path: string, lines: number): Next =>
  failed(`Error [FILE_TOO_LARGE]: ${path} has ${String(lines)} lines; use read_file_range`);
