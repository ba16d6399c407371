import { readQuotedPath } from './quoted-path.js';

/** The two names of a header; `null` is `/dev/null`. */
export interface NamePair {
  readonly old: string | null;
  readonly now: string | null;
}

/** The two names of a `diff --git` line, with their prefixes. */
export interface GitNames {
  readonly old: string;
  readonly now: string;
}

/** What git and diff put before the two names: `a/ b/`, or with `diff.mnemonicPrefix` the kinds of tree; each also the other way round. */
const PREFIXES = new Set(['a b', 'b a', 'i w', 'w i', 'c i', 'i c', 'c w', 'w c', 'o w', 'w o', '1 2', '2 1']);

const DEV_NULL = '/dev/null';
const firstOf = (name: string): string => name.slice(0, Math.max(0, name.indexOf('/')));
const withoutFirst = (name: string): string => name.slice(name.indexOf('/') + 1);

/**
 * Reads the name of a `---` or `+++` line: quoted as git does, or up to a tab, after which there may be a time.
 *
 * @param text the line after its first four characters
 * @returns the name with its prefix, `null` for `/dev/null`, `undefined` if there is none
 */
export function readName(text: string): string | null | undefined {
  const line = text.replace(/\r$/, '');
  const name = line.startsWith('"') ? readQuotedPath(line)?.path : line.split('\t', 1)[0]!;
  if (name === undefined || name === '') return undefined;
  return name === DEV_NULL ? null : name;
}

/**
 * Reads the names of a `diff --git` line, which are unambiguous only where both are the same (or quoted): then the line falls into halves.
 * Git itself relies on them only there; renames and copies have lines of their own.
 */
export function readGitNames(text: string): GitNames | undefined {
  const line = text.replace(/\r$/, '');
  if (line.startsWith('"')) {
    const first = readQuotedPath(line);
    const second = first?.rest.startsWith(' "') ? readQuotedPath(first.rest.slice(1))?.path : first?.rest.slice(1);
    return first === undefined || second === undefined ? undefined : { old: first.path, now: second };
  }
  const middle = (line.length - 1) / 2;
  if (line[middle] !== ' ') return undefined;
  const [old, now] = [line.slice(0, middle), line.slice(middle + 1)];
  return old === now || withoutFirst(old) === withoutFirst(now) ? { old, now } : undefined;
}

/** Whether two names have `a/` and `b/`, or what stands for them. */
export const havePrefixes = (old: string, now: string): boolean => PREFIXES.has(`${firstOf(old)} ${firstOf(now)}`);

/** Takes the prefixes from the names. Without `prefixed`, the names themselves tell whether they have any. */
export function stripPrefixes({ old, now }: NamePair, prefixed?: boolean): NamePair {
  const strip = prefixed ?? (old === null || now === null ? /^[abciow12]\//.test(old ?? now ?? '') : havePrefixes(old, now));
  return strip ? { old: old === null ? null : withoutFirst(old), now: now === null ? null : withoutFirst(now) } : { old, now };
}
