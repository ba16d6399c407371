import type { SimpleCommand } from '@codelab/tools';
import { lstat, realpath } from 'node:fs/promises';
import { dirname, resolve } from 'node:path';
import { isInside } from '../../files/paths/workspace-root.js';
import { isErrno } from '../../to-tool-error.js';

/** Paths that are looked up for one line; a longer one is as good as unknown. */
const MAX_LOOKUPS = 2_000;

/** Short options that may stand before a value in one word. */
const MAX_JOINED = 6;

/** What of a word may be a path: all of it, what stands behind a sign that programs cut at, the value of a short option. */
const pathsIn = (word: string): readonly string[] => {
  const joined = /^-[^-]/.test(word) ? Array.from({ length: MAX_JOINED }, (_, index) => word.slice(index + 2)) : [];
  return [...new Set([word, ...word.split(/[=:,@]/), ...joined])].filter((path) => path !== '' && !path.includes('\0'));
};

/** Whether a path that lies inside by its text leads out by a link, also one to a file that is not there yet. */
const leadsOut = async (root: string, path: string): Promise<boolean> => {
  if (!isInside(root, resolve(path))) return false; // by its text, which is judged elsewhere
  for (let at = path; at.length >= root.length; at = dirname(at)) {
    try {
      return !isInside(root, await realpath(at));
    } catch (error) {
      if (isErrno(error, 'ENAMETOOLONG')) return false;
      if (!isErrno(error, 'ENOENT', 'ENOTDIR')) return true;
      const isLink = await lstat(at).then(
        (stats) => stats.isSymbolicLink(),
        () => false, // nothing is there
      );
      if (isLink) return true;
    }
  }
  return false;
};

/**
 * A word of a line by which it would reach a file outside of the workspace although it lies inside by its text: a link leads there.
 * `undefined` if there is none. Links that are made later are not seen.
 *
 * @param directory where the line starts, without links
 */
export async function findOutwardWord(root: string, directory: string, commands: readonly SimpleCommand[]): Promise<string | undefined> {
  const places = [directory];
  let lookups = 0;
  for (const { words, paths } of commands) {
    for (const word of [...words.slice(1), ...paths]) {
      for (const path of places.flatMap((place) => pathsIn(word).map((each) => `${place}/${each}`))) {
        lookups += 1;
        if (lookups > MAX_LOOKUPS || (await leadsOut(root, path))) return word;
      }
    }
    if (words[0] === 'cd') places.push(...places.map((place) => `${place}/${words[1] ?? ''}`));
  }
  return undefined;
}
