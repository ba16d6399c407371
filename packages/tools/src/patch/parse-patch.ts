import { isHunkHeader } from './line-kinds.js';
import { LineReader } from './line-reader.js';
import { assertWords, isWords, type Outside } from './outside-text.js';
import { parseFileHeader } from './parse-file-header.js';
import { parseHunk } from './parse-hunk.js';
import type { FilePatch, Hunk, ParsedPatch } from './patch.js';
import { PatchError } from './patch-error.js';

const startsFile = (reader: LineReader): boolean => {
  const line = reader.peek() ?? '';
  if (line.startsWith('diff --git ')) return true;
  return line.startsWith('--- ') && (reader.peek(1) ?? '').startsWith('+++ ');
};

const parseFile = (reader: LineReader): FilePatch => {
  const line = reader.number;
  const header = parseFileHeader(reader);
  const hunks: Hunk[] = [];
  while (isHunkHeader(reader.peek() ?? '')) hunks.push(parseHunk(reader));
  if (header.kind === 'modify' && hunks.length === 0 && header.newMode === undefined)
    throw new PatchError(`the patch of ${String(header.newPath)} changes nothing`, line);
  return { ...header, hunks };
};

/**
 * Reads a unified diff as git writes it, or with bare `---` and `+++` lines. Words before and between files are skipped, as git does; all
 * else that is not understood is an error, so that a patch is applied whole or not at all. Policy and executor both read patches here, so they cannot disagree about the files in one.
 *
 * @throws PatchError
 */
export function parsePatch(text: string): ParsedPatch {
  const reader = new LineReader(text);
  const files: FilePatch[] = [];
  let outside: Outside = 'prose';
  while (reader.peek() !== undefined) {
    if (startsFile(reader)) {
      files.push(parseFile(reader));
      outside = 'patch';
      continue;
    }
    if (isWords(reader)) outside = 'prose';
    else assertWords(reader, outside);
    reader.next();
  }
  if (files.length === 0) throw new PatchError('there is no file in it: a unified diff has "---", "+++" and "@@" lines', 1);
  return files;
}
