import { defineRow } from '../../table/row.js';
import { takes } from '../../table/takes.js';
import { pathOf, withPath } from '../../table/with-path.js';
import { fileItem, itemsResult } from '../items.js';
import { createFile } from './create-file.js';

/** Writes a file that is not there yet. */
export const createNewFile = defineRow<{ readonly filepath: string; readonly contents: string }>({
  name: 'create_new_file',
  displayName: 'Create file',
  description:
    'Creates a new file with its whole content; directories are made. Never for a file that exists: change it with an edit tool.',
  parameters: takes(['filepath', 'contents'], {
    filepath: { type: 'string', minLength: 1, description: 'Path of the new file, relative to the workspace root.' },
    contents: { type: 'string', maxLength: 1_048_576, description: 'The content, with a line end at the end of the last line.' },
  }),
  argumentAliases: { path: 'filepath', content: 'contents' },
  policy: 'ask',
  readonly: false,
  idempotency: 'unsafe',
  needs: ['read_file', 'write_file'],
  stands: 'write_file',
  composite: true,
  file: ({ filepath }, context) => pathOf(filepath, context),
  next: ({ filepath, contents }, outcomes, context) =>
    withPath(filepath, context, (path) =>
      createFile(
        {
          path,
          content: contents,
          done: (written) =>
            itemsResult(fileItem(path, `Created ${path} (${String(Buffer.byteLength(written))} bytes).`, context, `Created ${path}`)),
        },
        outcomes,
        context,
      ),
    ),
});
