import type { UseResult } from '../table/row.js';
import type { MarksChange, ReadMark, UseContext } from '../table/use-context.js';

/** A use that failed. */
export const failed = (text: string): UseResult => ({ text, isError: true });

/** Does something with the canonical path that a model means, or says why there is none. */
export function withPath<Result>(given: string, { toPath }: UseContext, go: (path: string) => Result): Result | UseResult {
  const path = toPath(given);
  return path.ok ? go(path.path) : failed(path.message);
}

/** The canonical path for the order of uses. */
export const fileOf = (given: string, { toPath }: UseContext): string | undefined => {
  const path = toPath(given);
  return path.ok ? path.path : undefined;
};

/** Why a file can't be changed by what the model knows of it: it never read it, or somebody changed it since. */
export function unreadFault(mark: ReadMark | undefined, sha256: string, shown: string): string | undefined {
  if (mark === undefined) return `Error: read ${shown} before changing it`;
  return mark.sha256 === sha256 ? undefined : `Error: ${shown} changed after it was read; read it again`;
}

/** What a write leaves: the model knows the content that it wrote, as far as it knew the rest. */
export const writtenMark = (path: string, sha256: string, before: ReadMark | undefined): MarksChange => ({
  reads: { [path]: { sha256, whole: before?.whole ?? true, cut: before?.cut ?? false } },
});
