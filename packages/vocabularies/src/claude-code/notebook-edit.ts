import type { JsonObject } from '@codelab/tools';
import { compositeEdit, type Edited } from '../table/composite.js';
import { explainUnreadable } from '../render/unreadable.js';
import { defineRow } from '../table/row.js';
import { takes } from '../table/takes.js';
import { elementsOf, insertion, membersOf, removal, setMembers, splice } from './json-text.js';
import { cellId, type Notebook, parseNotebook } from './notebook.js';
import { writtenMark } from './read-marks.js';
import { pathOf, withPath } from '../table/with-path.js';

interface NotebookArgs {
  readonly notebook_path: string;
  readonly new_source: string;
  readonly cell_id?: string;
  readonly cell_type?: 'code' | 'markdown';
  readonly edit_mode: 'replace' | 'insert' | 'delete';
}

/** `NotebookEdit`: one cell of a Jupyter notebook. */
export const notebookEdit = defineRow<NotebookArgs>({
  name: 'NotebookEdit',
  displayName: 'Edit notebook',
  description:
    'Replaces, inserts or deletes one cell of a Jupyter notebook. Read shows the ids of the cells. insert puts the new cell behind cell_id, or first without ' +
    'one, and needs cell_type. A replaced code cell loses its outputs.',
  parameters: takes(['notebook_path', 'new_source'], {
    notebook_path: { type: 'string', minLength: 1, description: 'Absolute path of the .ipynb file.' },
    new_source: { type: 'string', description: 'The text of the cell.' },
    cell_id: { type: 'string', description: 'The cell.' },
    cell_type: { type: 'string', enum: ['code', 'markdown'] },
    edit_mode: { type: 'string', enum: ['replace', 'insert', 'delete'], default: 'replace' },
  }),
  policy: 'ask',
  readonly: false,
  idempotency: 'unsafe',
  needs: ['read_file', 'write_file'],
  stands: 'write_file',
  composite: true,
  file: ({ notebook_path }, context) => pathOf(notebook_path, context),
  check: ({ edit_mode: mode, cell_type: type, cell_id: id }) => {
    if (mode === 'insert' && type === undefined) return 'cell_type: missing; expected code or markdown';
    return mode !== 'insert' && id === undefined ? 'cell_id: missing; expected the id of a cell' : undefined;
  },
  next: (args, outcomes, context) =>
    withPath(args.notebook_path, context, (path) => {
      const shown = context.toAbsolute(path);
      const unreadable = explainUnreadable({ path, show: context.toAbsolute }, outcomes, context);
      if (unreadable !== undefined) return unreadable;
      const edit = ({ content }: { readonly content: string }): Edited => {
        const notebook = parseNotebook(content);
        if (notebook === undefined) return { refused: `Error: ${shown} is no notebook: its JSON can't be read` };
        const edited = editCells(args, notebook);
        if (typeof edited === 'string') return { refused: edited };
        const verb = { replace: 'Replaced', insert: 'Inserted', delete: 'Deleted' }[args.edit_mode];
        const text = `${verb} cell ${edited.id} in ${shown}.`;
        return {
          content: edited.text,
          done: ({ sha256 }) => ({ text, marks: writtenMark(path, sha256, context.marks.reads[path]) }),
        };
      };
      return compositeEdit({ path, edit }, outcomes, context);
    }),
});

interface EditedCells {
  readonly id: string;
  /** The notebook's text, which differs in that cell only. */
  readonly text: string;
}

/** The notebook after the edit, or why it doesn't fit. */
function editCells(
  { cell_id: id, cell_type: type, new_source: source, edit_mode: mode }: NotebookArgs,
  { text, cells, document, indent }: Notebook,
): EditedCells | string {
  const ids = cells.map(cellId);
  const place = id === undefined ? -1 : ids.indexOf(id);
  if (id !== undefined && place === -1) return `Error: no cell ${id}; there are: ${ids.join(', ') || 'none'}`;
  const list = membersOf(text, text.indexOf('{')).findLast(({ key }) => key === 'cells')!.value;
  const spans = elementsOf(text, list.start);
  if (mode === 'delete') return { id: ids[place]!, text: splice(text, removal(text, spans, place)) };
  if (mode === 'insert') {
    const fresh = newId(ids);
    const hasIds = Number(document.nbformat) > 4 || (Number(document.nbformat) === 4 && Number(document.nbformat_minor) >= 5);
    const code = type === 'code' ? { outputs: [], execution_count: null } : {};
    const cell = { cell_type: type!, ...(hasIds && { id: fresh }), metadata: {}, source: inShapeOf(cells[0]?.source, source), ...code };
    return { id: hasIds ? fresh : `cell-${String(place + 1)}`, text: splice(text, insertion({ text, list, indent }, place, cell)) };
  }
  const old = cells[place]!;
  const kind = type ?? old.cell_type;
  const put = setMembers(text, spans[place]!, indent, {
    ...(type !== undefined && type !== old.cell_type && { cell_type: type }),
    source: inShapeOf(old.source, source),
    outputs: kind === 'code' ? [] : undefined,
    execution_count: kind === 'code' ? null : undefined,
  });
  return { id: ids[place]!, text: splice(text, { ...spans[place]!, put }) };
}

/** A source is a text, or a list of its lines: it stays what it was. */
const inShapeOf = (old: unknown, source: string): JsonObject[string] =>
  Array.isArray(old) ? (source.match(/[^\n]*\n|[^\n]+$/g) ?? []) : source;

/** An id that no cell has; told by the ids alone, since a row draws nothing by chance. */
const newId = (ids: readonly string[]): string => {
  for (let number = ids.length + 1; ; number += 1) if (!ids.includes(`new-${String(number)}`)) return `new-${String(number)}`;
};
