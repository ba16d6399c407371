import { editTexts } from '../claude-code/edit.js';
import { readLines } from '../claude-code/read.js';
import { failed, writtenMark } from '../claude-code/read-marks.js';
import { pathOf, withPath } from '../table/with-path.js';
import type { TextEdit } from '../edits/replace.js';
import { shownLines } from '../render/shown-lines.js';
import { canonicalError, sha256, withUserChange } from '../table/composite.js';
import { defineRow } from '../table/row.js';
import { takes } from '../table/takes.js';

const PATH = { type: 'string', minLength: 1, description: 'Path of the file, relative to the workspace.' } as const;
const show = (path: string): string => path;

interface ReadArgs {
  readonly path: string;
  readonly offset?: number;
  readonly limit?: number;
}

/** `read_file`: lines of a file with their numbers. */
export const readFile = defineRow<ReadArgs>({
  name: 'read_file',
  displayName: 'Read file',
  description:
    'Reads a file with line numbers, 2,000 lines from the start unless offset and limit say otherwise; images too. The number and the tab before a line are ' +
    'not part of the file. Read whole files of up to some hundred lines at once, not piece by piece.',
  parameters: takes(['path'], {
    path: PATH,
    offset: { type: 'integer', minimum: 0, description: 'First line, from 1.' },
    limit: { type: 'integer', minimum: 1, description: 'How many lines.' },
  }),
  argumentAliases: { file_path: 'path', filepath: 'path', filename: 'path' },
  policy: 'allow',
  readonly: true,
  idempotency: 'safe',
  needs: ['read_file'],
  stands: 'read_file',
  file: ({ path }, context) => pathOf(path, context),
  next: (args, outcomes, context) => withPath(args.path, context, (path) => readLines({ ...args, path, show }, outcomes, context)),
});

interface EditArgs extends TextEdit {
  readonly path: string;
}

/** `edit_file`: one text of a file gives way to another. */
export const editFile = defineRow<EditArgs>({
  name: 'edit_file',
  displayName: 'Edit file',
  description:
    'Replaces old_string by new_string in a file. old_string must stand there exactly once, with the same blanks and line ends: copy it from read_file ' +
    'without the line numbers ("  return a;", not "12\\t  return a;"), with enough lines to be unique. replace_all: every place. For several places in one ' +
    'or more files apply_patch is shorter.',
  parameters: takes(['path', 'old_string', 'new_string'], {
    path: PATH,
    old_string: { type: 'string', description: 'The text to replace; empty creates a new file.' },
    new_string: { type: 'string', description: 'What stands there afterwards.' },
    replace_all: { type: 'boolean', description: 'Wherever it stands.' },
  }),
  argumentAliases: { file_path: 'path', filepath: 'path', old_str: 'old_string', new_str: 'new_string' },
  policy: 'ask',
  readonly: false,
  idempotency: 'unsafe',
  needs: ['read_file', 'write_file'],
  stands: 'write_file',
  composite: true,
  file: ({ path }, context) => pathOf(path, context),
  next: (args, outcomes, context) =>
    withPath(args.path, context, (path) => {
      const tell = ({ count }: { readonly count: number }): string => `Edited ${path}: ${String(count)} replacement(s).`;
      return editTexts({ path, edits: [args], outcomes, context, tell, show, unread: true });
    }),
});

interface WriteArgs {
  readonly path: string;
  readonly content: string;
}

/**
 * `write_file`: a whole file, new or in place of another. One call: the human sees what it changes. A file that the model has read is replaced
 * only if it is still what was read.
 */
export const writeFile = defineRow<WriteArgs>({
  name: 'write_file',
  displayName: 'Write file',
  description:
    'Writes a whole file, directories included; an existing one is replaced. For new files and for small ones that change all over. To change a part use ' +
    'edit_file or apply_patch.',
  parameters: takes(['path', 'content'], {
    path: PATH,
    content: { type: 'string', maxLength: 1_048_576, description: 'All that stands in it.' },
  }),
  argumentAliases: { file_path: 'path', filepath: 'path', contents: 'content' },
  policy: 'ask',
  readonly: false,
  idempotency: 'unsafe',
  needs: ['write_file'],
  stands: 'write_file',
  file: ({ path }, context) => pathOf(path, context),
  next: ({ path: given, content }, [outcome], context) =>
    withPath(given, context, (path) => {
      const known = context.marks.reads[path]?.sha256;
      if (outcome === undefined) {
        return { call: { tool: 'write_file', args: known === undefined ? { path, content } : { path, content, expected_sha256: known } } };
      }
      if (!outcome.ok) {
        const changed = outcome.code === 'CONFLICT' && known !== undefined;
        return failed(changed ? `Error: ${path} changed after it was read; read it again` : canonicalError(outcome.code, outcome.message));
      }
      const written = typeof outcome.edited?.content === 'string' ? outcome.edited.content : content;
      const size = `${String(Buffer.byteLength(written))} bytes, ${String(shownLines(written).length)} lines`;
      const result = { text: `Wrote ${path} (${size}).`, marks: writtenMark(path, sha256(written), undefined) };
      return outcome.edited === undefined ? result : withUserChange(result, content, written);
    }),
});

/** A row that makes one canonical call of a path and says that it is done. */
const simple = (row: {
  readonly name: string;
  readonly displayName: string;
  readonly description: string;
  readonly done: (path: string) => string;
}) =>
  defineRow<{ readonly path: string }>({
    name: row.name,
    displayName: row.displayName,
    description: row.description,
    parameters: takes(['path'], { path: { ...PATH, description: 'Path, relative to the workspace.' } }),
    policy: 'ask',
    readonly: false,
    idempotency: 'unsafe',
    needs: [row.name],
    stands: row.name,
    file: ({ path }, context) => pathOf(path, context),
    next: ({ path: given }, [outcome], context) =>
      withPath(given, context, (path) => {
        if (outcome === undefined) return { call: { tool: row.name, args: { path } } };
        return outcome.ok ? { text: row.done(path) } : failed(canonicalError(outcome.code, outcome.message));
      }),
  });

export const deleteFile = simple({
  name: 'delete_file',
  displayName: 'Delete',
  description: 'Deletes a file, or a directory that is empty.',
  done: (path) => `Deleted ${path}.`,
});

export const createDirectory = simple({
  name: 'create_directory',
  displayName: 'Create directory',
  description: 'Creates a directory, its parents too. Not needed before a file is written.',
  done: (path) => `Created ${path}/.`,
});
