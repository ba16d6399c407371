import type { Operand } from '@codelab/protocol';
import type { Surroundings } from './executor.js';
import type { Entry } from '../files/paths/entry.js';
import type { WorkspacePath } from '../files/paths/parse-path.js';
import { sha256Of } from '../files/paths/read-regular-file.js';
import { surveyDirectory, type Survey } from '../files/tree/survey-entry.js';
import { MAX_OPERAND_BYTES } from '../limits.js';
import { ToolFailure } from '../tool-failure.js';

/** An entry that a call is about, and what is in it. */
export interface Surveyed extends Survey {
  readonly entry: Entry;
}

/**
 * Looks at what a call would move or delete.
 *
 * @throws ToolFailure `FILE_NOT_FOUND`, or what `surveyDirectory` throws
 */
export async function survey(path: WorkspacePath, { files, signal }: Pick<Surroundings, 'files' | 'signal'>): Promise<Surveyed> {
  const entry = await files.entryAt(path);
  if (entry === undefined) throw new ToolFailure('FILE_NOT_FOUND', `File not found: ${path.text}`);
  if (entry.kind === 'directory') return { entry, ...(await files.tree(path, (tree) => surveyDirectory(tree, signal))) };
  const bytes = entry.kind === 'file' ? Number(entry.fingerprint.size) : 0;
  const sha256 = await hashOf(path, entry, files);
  return { entry, files: 1, directories: 0, bytes, more: false, shown: [path.text], operands: [{ path: path.text, sha256 }] };
}

/** Of the content; of a link what it leads to, and of a file too large to read its size and time. */
const hashOf = async (path: WorkspacePath, { kind, fingerprint }: Entry, files: Surroundings['files']): Promise<Operand['sha256']> => {
  const { size, mtimeNs } = fingerprint;
  if (kind === 'link') return sha256Of(Buffer.from((await files.linkAt(path)) ?? ''));
  if (size > BigInt(MAX_OPERAND_BYTES)) return sha256Of(Buffer.from(`${String(size)} ${String(mtimeNs)}`));
  const state = await files.readEntry(path, MAX_OPERAND_BYTES);
  return state?.sha256 ?? '';
};

/** What is in an entry, in words. */
export const inWords = (path: WorkspacePath, { entry, files, directories, bytes, more, shown }: Surveyed): string => {
  if (entry.kind === 'link') return `the link ${path.text} (not what it leads to)`;
  if (entry.kind === 'file') return `the file ${path.text} (${String(bytes)} bytes)`;
  const most = more ? 'at least ' : '';
  const sum = `${most}${String(files)} files and ${String(directories)} directories in it, ${String(bytes)} bytes`;
  const rest = files > shown.length ? [`… and ${String(files - shown.length)} more`] : [];
  return `the directory ${path.text} (${sum}):\n${[...shown, ...rest].join('\n')}`;
};
