import type { TextEdit } from '../../edits/replace.js';
import { defineRow } from '../../table/row.js';
import { takes } from '../../table/takes.js';
import { EDITS, FILEPATH } from './edit-file.js';
import { EDIT, replaceTexts } from './multi-edit.js';

/** Replaces one text of a file. */
export const singleFindAndReplace = defineRow<TextEdit & { readonly filepath: string }>({
  ...EDITS,
  name: 'single_find_and_replace',
  displayName: 'Edit file',
  description:
    'Replaces one text of a file, which must stand there exactly once unless replace_all is set. Copy it from the file, with its blanks. ' +
    'Example: {"filepath": "src/a.ts", "old_string": "PORT = 8080", "new_string": "PORT = 9090"}. For several changes use multi_edit.',
  parameters: takes(['filepath', 'old_string', 'new_string'], { filepath: FILEPATH, ...EDIT }),
  next: ({ filepath, ...edit }, outcomes, context) =>
    replaceTexts({ filepath, edits: [edit], summary: (count) => `${String(count)} replacement(s)` }, outcomes, context),
});
