/**
 * Where a command may run, from where the line starts: `''` is that place itself. Several where a `cd` before it may have failed; `undefined`
 * where it can't be told.
 */
export type Directories = readonly string[] | undefined;

/** More places than this are as good as unknown. */
const MAX_DIRECTORIES = 6;

/** Without `.`, empty and, as far as possible, `..` segments. Leading `..` of a relative path stay. */
export function joinPath(directory: string, path: string): string {
  const absolute = path.startsWith('/') || directory.startsWith('/');
  const segments: string[] = [];
  for (const segment of (path.startsWith('/') ? path : `${directory}/${path}`).split('/')) {
    if (segment === '' || segment === '.') continue;
    if (segment !== '..') segments.push(segment);
    else if (segments.length > 0 && segments.at(-1) !== '..') segments.pop();
    else if (!absolute) segments.push('..');
  }
  return (absolute ? '/' : '') + segments.join('/');
}

export function mergeDirectories(left: Directories, right: Directories): Directories {
  if (left === undefined || right === undefined) return undefined;
  const merged = [...new Set([...left, ...right])];
  if (merged.length === left.length) return left;
  return merged.length > MAX_DIRECTORIES ? undefined : merged;
}

/** A path as seen from the start of the line, once for each place where its command may run. */
export const placesOf = (directories: Directories, path: string): readonly string[] =>
  (directories ?? ['']).map((directory) => joinPath(directory, path) || '.');
