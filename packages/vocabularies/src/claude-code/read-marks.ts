import type { UseResult } from '../table/row.js';
import type { MarksChange, ReadMark } from '../table/use-context.js';

/** A use that failed. */
export const failed = (text: string): UseResult => ({ text, isError: true });

/** Why a file can't be changed by what the model knows of it: it never read it, or somebody changed it since. */
export function unreadFault(mark: ReadMark | undefined, sha256: string, shown: string): string | undefined {
  if (mark === undefined) return `Error: read ${shown} before changing it`;
  return mark.sha256 === sha256 ? undefined : `Error: ${shown} changed after it was read; read it again`;
}

/** What a write leaves: the model knows the content that it wrote, as far as it knew the rest. */
export const writtenMark = (path: string, sha256: string, before: ReadMark | undefined): MarksChange => ({
  reads: { [path]: { sha256, whole: before?.whole ?? true, cut: before?.cut ?? false } },
});
