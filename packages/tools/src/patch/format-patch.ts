import type { FilePatch, Hunk, ParsedPatch } from './patch.js';
import { quotePath } from './quoted-path.js';

/** What a reviewer takes or leaves: one hunk; or a whole file whose patch has none (a rename, a mode, an empty file). */
export interface Chunk {
  /** Counts from 1 over all files of the patch. */
  readonly number: number;
  readonly file: FilePatch;
  readonly hunk?: Hunk;
}

/** The chunks of a patch, numbered in the order of its text (docs/specification/tools.md#apply_patch_review). */
export const listChunks = (patch: ParsedPatch): readonly Chunk[] =>
  patch
    .flatMap((file): Omit<Chunk, 'number'>[] => (file.hunks.length === 0 ? [{ file }] : file.hunks.map((hunk) => ({ file, hunk }))))
    .map((chunk, index) => ({ number: index + 1, ...chunk }));

const range = (start: number, lines: number): string => (lines === 1 ? String(start) : `${String(start)},${String(lines)}`);

/** A hunk as text, each line with its newline. */
export function formatHunk(hunk: Hunk): string {
  const header = `@@ -${range(hunk.oldStart, hunk.oldLines)} +${range(hunk.newStart, hunk.newLines)} @@${hunk.section}\n`;
  const lines = hunk.lines.map(({ sign, text, noNewline }) => `${sign}${text}\n${noNewline ? '\\ No newline at end of file\n' : ''}`);
  return header + lines.join('');
}

const formatName = (prefix: string, path: string | undefined): string => {
  if (path === undefined) return '/dev/null';
  const name = quotePath(prefix + path);
  return name.includes(' ') && !name.startsWith('"') ? `${name}\t` : name; // git's own mark for the end of a name with blanks
};

const extendedHeaders = ({ kind, oldPath, newPath, oldMode, newMode }: FilePatch): readonly string[] => {
  if (kind === 'create') return [`new file mode ${newMode ?? '100644'}`];
  if (kind === 'delete') return [`deleted file mode ${oldMode ?? '100644'}`];
  const modes = newMode === undefined ? [] : [`old mode ${oldMode ?? (newMode === '100644' ? '100755' : '100644')}`, `new mode ${newMode}`];
  return kind === 'modify' ? modes : [...modes, `${kind} from ${quotePath(oldPath!)}`, `${kind} to ${quotePath(newPath!)}`];
};

const formatFile = (file: FilePatch): string => {
  const { oldPath, newPath, hunks } = file; // the parser lets no file through that has neither
  const lines = [
    `diff --git ${quotePath(`a/${oldPath ?? newPath!}`)} ${quotePath(`b/${newPath ?? oldPath!}`)}`,
    ...extendedHeaders(file),
    ...(hunks.length === 0 ? [] : [`--- ${formatName('a/', oldPath)}`, `+++ ${formatName('b/', newPath)}`]),
  ];
  return `${lines.join('\n')}\n${hunks.map(formatHunk).join('')}`;
};

/** The text of a patch in git's format, which git and {@link parsePatch} read; nothing that the parser skipped is in it. */
export const formatPatch = (patch: ParsedPatch): string => patch.map(formatFile).join('');
