import { LineReader } from './line-reader.js';
import { parseFileHeader } from './parse-file-header.js';
import { isHunkHeader, parseHunk } from './parse-hunk.js';
import type { FilePatch, Hunk, ParsedPatch } from './patch.js';
import { PatchError } from './patch-error.js';

const startsFile = (reader: LineReader): boolean => {
  const line = reader.peek() ?? '';
  if (line.startsWith('diff --git ')) return true;
  return line.startsWith('--- ') && (reader.peek(1) ?? '').startsWith('+++ ') && isHunkHeader(reader.peek(2) ?? '');
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
 * Reads a unified diff as git writes it, or with bare `---` and `+++` lines. Text before and between files is skipped, as git does; all
 * else that is not understood is an error. Policy and executor both read patches here, so they cannot disagree about the files in one.
 *
 * @throws PatchError
 */
export function parsePatch(text: string): ParsedPatch {
  const reader = new LineReader(text);
  const files: FilePatch[] = [];
  while (reader.peek() !== undefined) {
    if (startsFile(reader)) {
      files.push(parseFile(reader));
      continue;
    }
    const line = reader.peek()!;
    if (isHunkHeader(line)) throw new PatchError('this hunk belongs to no file: "---" and "+++" lines must name it', reader.number);
    if (/^diff --(cc|combined) /.test(line)) throw new PatchError('diffs of merges cannot be applied', reader.number);
    reader.next();
  }
  if (files.length === 0) throw new PatchError('there is no file in it: a unified diff has "---", "+++" and "@@" lines', 1);
  return files;
}
