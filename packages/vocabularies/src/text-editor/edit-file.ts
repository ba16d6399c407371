import { replaceText } from '../edits/replace.js';
import { splitFile, usualEnd } from '../edits/file-lines.js';
import { shownLines } from '../render/shown-lines.js';
import { canonicalError, compositeEdit, type Edited, type FileContent } from '../table/composite.js';
import type { Next, Outcome, UseResult } from '../table/row.js';
import type { UseContext } from '../table/use-context.js';

/** A use of one command on one file. */
export interface FileUse {
  /** Relative to the workspace. */
  readonly path: string;
  /** As the model wrote it, which is how it is told of it. */
  readonly given: string;
  readonly outcomes: readonly Outcome[];
  readonly context: UseContext;
}

export const failed = (text: string): UseResult => ({ text, isError: true });

/** What the vendor documents for files that can't be read or written; in other cases the canonical words. */
export const READ_FAULTS = (code: string, given: string): string | undefined => {
  if (code === 'FILE_NOT_FOUND') return 'Error: File not found';
  return code === 'INVALID_PATH' ? `Error: ${given} is a directory; only view works on directories` : undefined;
};
export const WRITE_FAULTS = (code: string): string | undefined =>
  code === 'PERMISSION_DENIED' ? 'Error: Permission denied. Cannot write to file.' : undefined;

const composite = ({ path, given, outcomes, context }: FileUse, edit: (file: FileContent) => Edited): Next => {
  const read = outcomes.findLast(({ tool }) => tool === 'read_file');
  const looked = outcomes.find(({ tool }) => tool === 'list_files');
  // An invalid path may be a directory or something that is no file at all: one look tells.
  if (read?.ok === false && read.code === 'INVALID_PATH' && context.has('list_files')) {
    if (looked === undefined) return { call: { tool: 'list_files', args: { path } } };
    return failed(looked.ok ? (READ_FAULTS(read.code, given) ?? '') : canonicalError(read.code, read.message));
  }
  return compositeEdit({ path, edit, unreadable: (code) => READ_FAULTS(code, given), refusal: WRITE_FAULTS }, outcomes, context);
};

/** `str_replace`: one text, which stands in exactly one place, gives way to another. */
export function strReplace(
  use: FileUse,
  { old_str: from, new_str: to = '' }: { readonly old_str: string; readonly new_str?: string },
): Next {
  if (from === to) return failed('Error: old_str and new_str are the same; nothing to change');
  return composite(use, ({ content }) => {
    const replaced = replaceText(content, { old_string: from, new_string: to });
    if (replaced.ok) return { content: replaced.content, done: () => ({ text: 'Successfully replaced text at exactly one location.' }) };
    const { fault } = replaced;
    if (fault.kind !== 'many') return { refused: 'Error: No match found for replacement. Please check your text and try again.' };
    const count = String(fault.lines.length);
    return { refused: `Error: Found ${count} matches for replacement text. Please provide more context to make a unique match.` };
  });
}

/** `insert`: whole lines behind a line; 0 is the beginning. */
export function insert(
  use: FileUse,
  { insert_line: after, insert_text: text }: { readonly insert_line: number; readonly insert_text: string },
): Next {
  return composite(use, ({ content }) => {
    const count = shownLines(content).length;
    if (after < 0 || after > count) {
      const range = `It should be within the range of lines of the file: [0, ${String(count)}]`;
      return { refused: `Error: Invalid \`insert_line\` parameter: ${String(after)}. ${range}` };
    }
    return { content: insertLines(content, after, text), done: () => ({ text: `The file ${use.given} has been edited.` }) };
  });
}

/**
 * A text without a line end at its end gets one; behind a last line that has none one is put before it, and the text's own end stays as it is,
 * so that a file ends without one only if the model wrote none.
 */
function insertLines(content: string, after: number, text: string): string {
  const { bom, lines } = splitFile(content);
  const end = usualEnd(lines) ?? '\n';
  const inserted = end === '\r\n' && !text.includes('\r') ? text.replaceAll('\n', '\r\n') : text;
  const join = (part: typeof lines): string => part.map((line) => line.text + line.end).join('');
  const [before, behind] = [join(lines.slice(0, after)), join(lines.slice(after))];
  const isBehindOpenEnd = before !== '' && !before.endsWith('\n');
  if (isBehindOpenEnd) return bom + before + end + inserted;
  return bom + before + inserted + (inserted.endsWith('\n') ? '' : end) + behind;
}

/** `create`: a file that is not there yet, directories included. */
export function create({ path, given, outcomes, context }: FileUse, { file_text: content }: { readonly file_text: string }): Next {
  const exists = failed(`Error: File ${given} already exists`);
  const last = outcomes.at(-1);
  if (last === undefined) return { call: { tool: 'read_file', args: context.has('x1') ? { path, offset: 1, limit: 1 } : { path } } };
  if (last.tool === 'read_file') {
    if (last.ok || THERE.has(last.code)) return exists;
    if (last.code !== 'FILE_NOT_FOUND') return failed(canonicalError(last.code, last.message));
    return { call: { tool: 'write_file', args: context.has('x2') ? { path, content, expected_sha256: 'none' } : { path, content } } };
  }
  if (last.ok) return { text: `File created successfully at: ${given}` };
  return last.code === 'CONFLICT' ? exists : failed(WRITE_FAULTS(last.code) ?? canonicalError(last.code, last.message));
}

/** Something is there that can't be read as text. */
const THERE: ReadonlySet<string> = new Set(['INVALID_PATH', 'ENCODING_ERROR', 'FILE_TOO_LARGE']);
