import { applyEdits, findEditFault } from '../../edits/apply-edits.js';
import type { TextEdit } from '../../edits/replace.js';
import { editFault } from '../../render/edit-faults.js';
import { defineRow } from '../../table/row.js';
import { takes } from '../../table/takes.js';
import type { UseContext } from '../../table/use-context.js';
import type { Outcome } from '../../table/row.js';
import { withPath } from '../../table/with-path.js';
import { failed } from '../items.js';
import { edited, EDITS, editFile, FILEPATH, toleratedLine } from './edit-file.js';

export const EDIT = {
  old_string: { type: 'string', description: 'The text to replace, exactly as in the file, with enough lines around it to be unique.' },
  new_string: { type: 'string', description: 'The text to put there.' },
  replace_all: { type: 'boolean', default: false, description: 'Replace it wherever it stands.' },
} as const;

interface TextEdits {
  readonly filepath: string;
  readonly edits: readonly TextEdit[];
  /** Behind `Edited {path}: `, with how many places were replaced. */
  readonly summary: (count: number) => string;
}

/** The steps of a row that replaces texts; what can be told without the file is told before it is read. */
export function replaceTexts({ filepath, edits, summary }: TextEdits, outcomes: readonly Outcome[], context: UseContext) {
  const faulty = findEditFault(edits);
  if (faulty !== undefined) return withPath(filepath, context, (path) => failed(editFault(faulty.fault, { path, edit: faulty.edit })));
  return editFile(
    {
      filepath,
      edit: (content, path) => {
        const applied = applyEdits(content, edits);
        if (!applied.ok) return { refused: editFault(applied.fault, { path, edit: applied.edit, tellsUnchanged: true }) };
        const tolerated = applied.tolerated.map(({ edit, lines }) => toleratedLine(lines, edits.length > 1 ? edit : undefined));
        return {
          content: applied.content,
          done: () => edited(path, [`Edited ${path}: ${summary(applied.count)}.`, ...tolerated], context),
        };
      },
    },
    outcomes,
    context,
  );
}

/** Replaces several texts of one file, all of them or none. */
export const multiEdit = defineRow<{ readonly filepath: string; readonly edits: readonly TextEdit[] }>({
  ...EDITS,
  name: 'multi_edit',
  displayName: 'Edit file',
  description:
    'Makes several replacements in one file at once, each on the result of the one before; if one fails, nothing is changed. Prefer it to ' +
    'several calls for one file. An empty old_string in the first edit puts text at the start of the file.',
  parameters: takes(['filepath', 'edits'], {
    filepath: FILEPATH,
    edits: {
      type: 'array',
      minItems: 1,
      maxItems: 100,
      description: 'In the order in which they are made.',
      items: takes(['old_string', 'new_string'], EDIT),
    },
  }),
  next: ({ filepath, edits }, outcomes, context) =>
    replaceTexts(
      { filepath, edits, summary: (count) => `${String(count)} replacements in ${String(edits.length)} edits` },
      outcomes,
      context,
    ),
});
