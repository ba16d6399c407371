import { findSecretReason, type SimpleCommand } from '@codelab/tools';
import { readdir } from 'node:fs/promises';
import { posix } from 'node:path';
import { compileSegment } from '../../search/glob.js';

/**
 * What a recursive `grep` would read although its name says that it holds secrets: `--include=*.js` reaches `.env.js`, for its `*` stands for a dot,
 * too. A clause for people; `undefined` where there is no such file. (The settings for ripgrep leave such files out.)
 *
 * @param start where the line starts, without links
 */
export async function findSearchedSecret(
  start: string,
  commands: readonly SimpleCommand[],
  signal: AbortSignal,
): Promise<string | undefined> {
  for (const { words, paths, directories, redirects } of commands) {
    if (!/(^|\/)grep$/.test(words[0] ?? '')) continue;
    const patterns = words.flatMap(
      (word, at) => (word === '--include' ? (words[at + 1] ?? []) : /^--include=(.*)$/s.exec(word)?.[1]) ?? [],
    );
    if (patterns.length === 0) continue;
    const names = patterns.map((pattern) => compileSegment(pattern) ?? (() => true)); // what can't be read may reach anything
    const readsInput = redirects.some((redirect) => redirect.includes('<')); // its path is among `paths`, and no place to search
    const places = paths.length > 0 && !readsInput ? paths : [...paths, ...(directories ?? [''])];
    for (const place of places) {
      for await (const path of filesBelow(start, place, signal)) {
        const secret = names.some((reaches) => reaches(posix.basename(path))) ? findSecretReason(path) : undefined;
        if (secret !== undefined) return `it would read ${path}: ${secret}`;
      }
    }
  }
  return undefined;
}

/** The files below a directory, links not followed; none below one that can't be read, where grep finds none either. */
async function* filesBelow(start: string, place: string, signal: AbortSignal): AsyncGenerator<string> {
  signal.throwIfAborted();
  for (const entry of await readdir(posix.join(start, place), { withFileTypes: true }).catch(() => [])) {
    const path = posix.join(place, entry.name);
    if (entry.isDirectory()) yield* filesBelow(start, path, signal);
    else yield path;
  }
}
