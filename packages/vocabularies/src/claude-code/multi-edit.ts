import type { TextEdit } from '../edits/replace.js';
import { defineRow } from '../table/row.js';
import { takes } from '../table/takes.js';
import { editTexts } from './edit.js';
import { pathOf, withPath } from '../table/with-path.js';

interface MultiEditArgs {
  readonly file_path: string;
  readonly edits: readonly TextEdit[];
}

/** `MultiEdit`: several edits of one file in order, all or nothing. */
export const multiEdit = defineRow<MultiEditArgs>({
  name: 'MultiEdit',
  displayName: 'Edit file',
  description:
    'Several edits of one file that you have read, in order, each on the result of the one before; if one does not fit nothing is changed. Rules as for ' +
    'Edit. Mind that an early edit can change what a later old_string has to be.',
  parameters: takes(['file_path', 'edits'], {
    file_path: { type: 'string', minLength: 1, description: 'Absolute path of the file.' },
    edits: {
      type: 'array',
      minItems: 1,
      maxItems: 100,
      items: takes(['old_string', 'new_string'], {
        old_string: { type: 'string', description: 'The text to replace.' },
        new_string: { type: 'string', description: 'What stands there afterwards.' },
        replace_all: { type: 'boolean', description: 'Wherever it stands.' },
      }),
    },
  }),
  policy: 'ask',
  readonly: false,
  idempotency: 'unsafe',
  needs: ['read_file', 'write_file'],
  stands: 'write_file',
  composite: true,
  file: ({ file_path }, context) => pathOf(file_path, context),
  next: ({ file_path, edits }, outcomes, context) =>
    withPath(file_path, context, (path) =>
      editTexts({
        ...{ path, edits, outcomes, context, numbered: true, show: context.toAbsolute },
        tell: ({ count }) => `Edited ${context.toAbsolute(path)}: ${String(count)} replacements in ${String(edits.length)} edits.`,
      }),
    ),
});
