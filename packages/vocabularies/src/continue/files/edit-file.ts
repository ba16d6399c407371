import { compositeEdit, type Edited } from '../../table/composite.js';
import type { Next, Outcome, Row, UseResult } from '../../table/row.js';
import type { UseContext } from '../../table/use-context.js';
import { pathOf, withPath } from '../../table/with-path.js';
import { explainUnreadable } from '../../render/unreadable.js';
import { fileItem, itemsResult } from '../items.js';

/** What all rows that edit a file have in common. */
export const EDITS = {
  policy: 'ask',
  readonly: false,
  idempotency: 'unsafe',
  needs: ['read_file', 'write_file'],
  stands: 'write_file',
  composite: true,
  argumentAliases: { path: 'filepath' },
  file: ({ filepath }: { readonly filepath: string }, context: UseContext) => pathOf(filepath, context),
} as const satisfies Partial<Row<{ readonly filepath: string }>>;

export const FILEPATH = { type: 'string', minLength: 1, description: 'Path of the file, relative to the workspace root.' } as const;

/** The steps of an edit of one file, which must be there. */
export const editFile = (
  { filepath, edit }: { readonly filepath: string; readonly edit: (content: string, path: string) => Edited },
  outcomes: readonly Outcome[],
  context: UseContext,
): Next =>
  withPath(
    filepath,
    context,
    (path) =>
      explainUnreadable({ path, show: (shown) => shown, insteadOfDirectory: '; use ls' }, outcomes, context) ??
      compositeEdit({ path, edit: ({ content }) => edit(content, path) }, outcomes, context),
  );

/** What an edit tells of itself: a line, then what it tolerated. */
export const edited = (path: string, lines: readonly string[], context: UseContext): UseResult =>
  itemsResult(fileItem(path, lines.join('\n'), context, `Edited ${path}`));

/** `matched apart from indentation at lines 3-4`, for one of several edits by its number. */
export const toleratedLine = ([first, last]: readonly [number, number], edit?: number): string =>
  `${edit === undefined ? 'It' : `Edit ${String(edit)}`} matched apart from indentation at lines ${String(first)}-${String(last)}.`;
