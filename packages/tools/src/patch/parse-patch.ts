import { isHunkHeader, isSignature } from './line-kinds.js';
import { LineReader } from './line-reader.js';
import { parseFileHeader } from './parse-file-header.js';
import { parseHunk } from './parse-hunk.js';
import type { FilePatch, Hunk, ParsedPatch } from './patch.js';
import { PatchError } from './patch-error.js';

/**
 * Where a line stands that belongs to no file of a patch. `prose`: before the first file, or in the letter or commit that git
 * puts around each patch. `patch`: after a file, where a line that looks like one of a hunk is what a damaged patch lost.
 */
type Outside = 'prose' | 'patch';

/** Changes in words that we don't read, by how their lines begin. */
const OTHER_FORMATS: readonly (readonly [line: RegExp, next: RegExp, problem: string])[] = [
  [/^diff --(cc|combined) /, /^/, 'diffs of merges cannot be applied'],
  [/^(GIT binary patch|Binary files .* differ)\s*$/, /^/, 'binary files cannot be patched'],
  [/^\*{15}/, /^/, 'this is a context diff, only unified ones can be applied'],
  [/^\*\*\* (Begin Patch|End Patch|Update File:|Add File:|Delete File:)/, /^/, 'this is a patch of another format, not a unified diff'],
  [/^\d+(,\d+)?[acd]\d+(,\d+)?\s*$/, /^[<>] /, 'this diff has no context, only unified ones can be applied'],
];

/** Headers of git that say what happens to a file, without the `diff --git` line that names it. */
const STRAY_HEADERS: readonly (readonly [line: RegExp, next: RegExp])[] = [
  [/^(old mode|new mode|deleted file mode|new file mode) \d{6}\s*$/, /^/],
  [/^rename from ./, /^rename to ./],
  [/^copy from ./, /^copy to ./],
];

/** A letter or a commit begins or ends here, and with it words of somebody: `git format-patch` and `git log -p` put them between patches. */
const isWords = (reader: LineReader): boolean => isSignature(reader) || /^(commit|From) [0-9a-f]{7,64}\b/.test(reader.peek() ?? '');

/**
 * Sees to it that nothing of a patch is passed over: a line that no file takes is words of somebody, or the patch is damaged and not to be
 * applied at all. (git passes over all of these but a hunk header.)
 *
 * @throws PatchError
 */
function assertWords(reader: LineReader, outside: Outside): void {
  const [line, next] = [reader.peek() ?? '', reader.peek(1) ?? ''];
  const fail = (problem: string): never => {
    throw new PatchError(problem, reader.number);
  };
  if (isHunkHeader(line)) fail('this hunk belongs to no file: "---" and "+++" lines must name it');
  const other = OTHER_FORMATS.find(([first, second]) => first.test(line) && second.test(next));
  if (other !== undefined) fail(other[2]);
  if (STRAY_HEADERS.some(([first, second]) => first.test(line) && second.test(next)))
    fail('this line belongs to no file: a "diff --git" line must name it');
  if (outside === 'patch' && /^([-+\\]| +\S)/.test(line))
    fail('this line belongs to no hunk: a "@@ -1,5 +1,6 @@" line must say where it goes');
}

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
  // git writes both, or the file has hunks: they may have been cut off.
  if (header.kind === 'modify' && hunks.length === 0 && header.oldMode === undefined)
    throw new PatchError(`the patch of ${String(header.newPath)} has a "new mode", and neither an "old mode" nor a hunk`, line);
  return { ...header, hunks };
};

/**
 * Reads a unified diff as git writes it, or with bare `---` and `+++` lines. Words before and between files are skipped, as git does; all
 * else that is not understood is an error, so that a patch is applied whole or not at all. Policy and executor both read patches here, so they cannot disagree about the files in one.
 *
 * @param onWords hears of each line that was skipped
 * @throws PatchError
 */
export function parsePatch(text: string, onWords?: (line: string) => void): ParsedPatch {
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
    const words = reader.next();
    onWords?.(words);
  }
  if (files.length === 0) throw new PatchError('there is no file in it: a unified diff has "---", "+++" and "@@" lines', 1);
  return files;
}
