import { createHash } from 'node:crypto';
import { lstat, realpath } from 'node:fs/promises';
import { join } from 'node:path';
import type { FileState } from '../paths/file-state.js';
import { identityOf, isSame, type Identity } from '../paths/identity.js';
import type { Place } from '../paths/resolve-path.js';

/**
 * Files that an editor of the user holds open, as they stand there. Tools that read and write files see them in the place of what is on disk, and
 * everything that is promised of files holds for them: the workspace (W1), the digests of an approval (H2), copies of old content.
 *
 * Paths are absolute and lead to a regular file of the workspace without links, when they are handed over. The editor goes by the path again: what
 * is swapped in between is found afterwards, and told as an outcome that is not known.
 */
export interface OpenFiles {
  /** The text as it stands in the editor, saved or not; `undefined`: it isn't open there, or can't be told, and the disk counts. Never rejects. */
  read(path: string): Promise<string | undefined>;
  /**
   * Puts text into a file through the editor and has it saved; a file that isn't there is made. `false`: it isn't open there, and is written on disk.
   * Throws `ToolFailure`: `OUTCOME_UNKNOWN` where the text may have got there, else nothing was done.
   *
   * @param before what stands there, as far as anybody knows: an editor that can tell does nothing (`CONFLICT`) where it is another text by now
   */
  readonly write?: (path: string, content: string, before?: string) => Promise<boolean>;
  /** Absolute paths, without links, of files whose text is not saved, where the editor can list them: searches look there, too. */
  readonly unsaved?: () => readonly string[];
}

const MARK = '\ufeff';

const decode = (content: Buffer): string | undefined => {
  if (content.includes(0)) return undefined;
  const text = content.toString('utf8');
  return Buffer.from(text).equals(content) ? text : undefined;
};

const plain = (text: string): string => text.replace(/^\ufeff/, '').replaceAll('\r\n', '\n');

/** Text of an editor with the line ends and the byte order mark of the file, which editors keep aside. */
const asIn = (file: string, text: string): string => {
  const ends = file.includes('\r\n') && !/(^|[^\r])\n/.test(file) && !text.includes('\r') ? text.replaceAll('\n', '\r\n') : text;
  return file.startsWith(MARK) && !ends.startsWith(MARK) ? MARK + ends : ends;
};

/** The absolute path of a place. */
export const pathOfPlace = (root: string, { directory, name }: Pick<Place, 'directory' | 'name'>): string =>
  join(root, ...directory.segments, name);

/** Whether what stands in an editor is the content of the file: line ends and a byte order mark are the editor's own affair. */
export const isSameText = (content: Buffer, text: string): boolean => {
  const known = decode(content);
  return known !== undefined && plain(known) === plain(text);
};

/** The text that an editor can be given; `undefined` for what is no text. */
export const textToWrite = decode;

/** A file as it stands in the editor, where it is open there and something else than on disk. What is no text is never asked for. */
export async function asOpen(openFiles: OpenFiles | undefined, path: string, state: FileState): Promise<FileState> {
  const known = openFiles === undefined ? undefined : decode(state.content);
  const text = known === undefined ? undefined : await openFiles?.read(path);
  if (known === undefined || text === undefined || plain(known) === plain(text)) return state;
  if (!(await leadsTo(path, state.fingerprint))) return state; // the editor went by the path, and may have read something else (W1)
  const content = Buffer.from(asIn(known, text));
  return { ...state, content, sha256: createHash('sha256').update(content).digest('hex') };
}

/** Whether a path leads to this file, through no link. */
const leadsTo = (path: string, file: Identity): Promise<boolean> =>
  Promise.all([realpath(path), lstat(path, { bigint: true })]).then(
    ([real, stats]) => real === path && isSame(identityOf(stats), file),
    () => false, // gone
  );
