import { compositeEdit, type FileContent } from '../table/composite.js';
import { shownLines } from '../render/shown-lines.js';
import { defineRow, type UseResult } from '../table/row.js';
import { takes } from '../table/takes.js';
import { unreadFault } from './read-marks.js';
import { pathOf, withPath } from '../table/with-path.js';

interface WriteArgs {
  readonly file_path: string;
  readonly content: string;
}

/** `Write`: a whole file, new or in place of one that was read whole. */
export const write = defineRow<WriteArgs>({
  name: 'Write',
  displayName: 'Write file',
  description:
    'Writes a whole file, directories included. One that exists is replaced, and must have been read before. To change a part of a file use Edit: it is ' +
    'shorter and shows the user what changes.',
  parameters: takes(['file_path', 'content'], {
    file_path: { type: 'string', minLength: 1, description: 'Absolute path of the file.' },
    content: { type: 'string', maxLength: 1_048_576, description: 'All that stands in it afterwards.' },
  }),
  policy: 'ask',
  readonly: false,
  idempotency: 'unsafe',
  needs: ['read_file', 'write_file'],
  stands: 'write_file',
  composite: true,
  file: ({ file_path }, context) => pathOf(file_path, context),
  next: ({ file_path, content }, outcomes, context) =>
    withPath(file_path, context, (path) => {
      const shown = context.toAbsolute(path);
      const mark = context.marks.reads[path];
      const tell =
        (verb: string) =>
        (written: FileContent): UseResult => {
          const bytes = Buffer.byteLength(written.content);
          const text = `${verb} ${shown} (${String(bytes)} bytes, ${String(shownLines(written.content).length)} lines).`;
          return { text, marks: { reads: { [path]: { sha256: written.sha256, whole: true, cut: false } } } };
        };
      return compositeEdit(
        {
          path,
          onlyHash: true,
          edit: ({ sha256 }) => {
            const refused =
              unreadFault(mark, sha256, shown) ??
              (mark?.cut ? `Error: read ${shown} before changing it: only a part of it was shown` : undefined);
            return refused === undefined ? { content, done: tell('Replaced') } : { refused };
          },
          unreadable: (code, message) => {
            if (code === 'FILE_NOT_FOUND') return { create: content, done: tell('Created') };
            if (code === 'INVALID_PATH' && message.includes('directory')) return `Error: ${shown} is a directory`;
            return code === 'ENCODING_ERROR' || code === 'FILE_TOO_LARGE' ? `Error: read ${shown} before changing it` : undefined;
          },
        },
        outcomes,
        context,
      );
    }),
});
