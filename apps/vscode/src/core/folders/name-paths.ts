import { formatPatch, parsePatch, type FilePatch } from '@codelab/tools/patch';
import { isJsonObject, type JsonObject } from '@codelab/tools';

type Rename = (path: string) => string;

/** Fields of results that list paths, or things that have one. */
const LISTS = ['entries', 'matches', 'files', 'files_modified', 'left_out'] as const;

/** The result of a tool with its paths named anew. */
export function namePaths(result: JsonObject, rename: Rename): JsonObject {
  const named: Record<string, unknown> = { ...result };
  for (const field of LISTS) {
    const list = result[field];
    if (Array.isArray(list)) named[field] = (list as readonly unknown[]).map((item) => nameItem(item, rename));
  }
  if (typeof result['cwd_after'] === 'string') named['cwd_after'] = rename(result['cwd_after']);
  if (typeof result['diff'] === 'string') named['diff'] = nameInDiff(result['diff'], rename);
  return named as JsonObject; // the same shapes
}

function nameItem(item: unknown, rename: Rename): unknown {
  if (typeof item === 'string') return rename(item);
  if (!isJsonObject(item)) return item;
  const { path, from } = item;
  return {
    ...item,
    ...(typeof path === 'string' && { path: rename(path) }),
    ...(typeof from === 'string' && { from: rename(from) }),
  };
}

/** A patch with its paths named anew. Throws where it is none. */
export function renameInPatch(diff: string, rename: Rename): string {
  return formatPatch(
    parsePatch(diff).map(({ oldPath, newPath, ...file }): FilePatch => ({
      ...file,
      oldPath: oldPath === undefined ? undefined : rename(oldPath),
      newPath: newPath === undefined ? undefined : rename(newPath),
    })),
  );
}

const HUNK = /^@@ -\d+(?:,(\d+))? \+\d+(?:,(\d+))? @@/;

/**
 * What git prints of changes, with names put before its paths. It need not be whole, or a patch that can be applied: only the lines between hunks
 * are looked at.
 *
 * @param rename puts something of plain letters before a path
 */
export function nameInDiff(diff: string, rename: Rename): string {
  let [before, after] = [0, 0]; // lines that the hunk still has of each side
  return diff
    .split('\n')
    .map((line) => {
      if (before > 0 || after > 0) {
        if (line.startsWith('-') || line.startsWith(' ') || line === '') before -= 1;
        if (line.startsWith('+') || line.startsWith(' ') || line === '') after -= 1;
        return line;
      }
      const [, old, now] = HUNK.exec(line) ?? [];
      if (line.startsWith('@@ ')) [before, after] = [Number(old ?? 1), Number(now ?? 1)];
      return line.startsWith('@@ ') ? line : nameHeader(line, rename);
    })
    .join('\n');
}

function nameHeader(line: string, rename: Rename): string {
  const put = rename('x').slice(0, -1); // what comes before
  if (line.startsWith(GIT)) return `${GIT}${nameBoth(line.slice(GIT.length), put)}`;
  if (/^(---|\+\+\+) "?[ab]\//.test(line)) return line.replace(/^((?:---|\+\+\+) "?[ab]\/)/, `$1${put}`);
  if (/^(rename|copy) (from|to) /.test(line)) return line.replace(/^((?:rename|copy) (?:from|to) "?)/, `$1${put}`);
  if (line.startsWith('Binary files ')) return line.replace(/ ("?)([ab]\/)/g, ` $1$2${put}`);
  return line;
}

const GIT = 'diff --git ';

/** `a/x b/x`: blanks in a path make it unclear where it ends, unless both sides are alike, as they are but for a rename. */
function nameBoth(sides: string, put: string): string {
  const half = (sides.length - 1) / 2;
  const [old, now] = [sides.slice(0, half), sides.slice(half + 1)];
  const areAlike = old.slice(2) === now.slice(2);
  const both = areAlike ? [old, now] : (/^(.*?) ("?b\/.*)$/.exec(sides)?.slice(1) ?? [sides]);
  return both.map((side) => side.replace(/^("?[ab]\/)/, `$1${put}`)).join(' ');
}
