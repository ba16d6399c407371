import { spawnSync } from 'node:child_process';

/** A place that a search for words leads to. */
export interface Found {
  readonly path: string;
  readonly start: number;
  readonly end: number;
}

const WINDOW = 20;
/** Words that a person would not search for. */
const STOP = new Set('a an and are as at be by for from if in is it its not of on or that the this to was when which will with'.split(' '));

/**
 * What a search for the words of a question finds without an index: ripgrep for any of them, files in the order of how many different words they
 * have, of each the twenty lines that have most.
 */
export function searchByWords(root: string, query: string, limit: number): readonly Found[] {
  const words = [...new Set(query.toLowerCase().split(/[^\p{L}\p{N}_]+/u))].filter((word) => word.length > 1 && !STOP.has(word));
  const patterns = words.flatMap((word) => ['-e', word]);
  const args = ['--no-config', '-i', '-F', '-o', '-n', '--no-heading', '--null', ...patterns, '.'];
  const { stdout } = spawnSync('rg', args, { cwd: root, encoding: 'utf8', maxBuffer: 1024 ** 3 });
  const byFile = new Map<string, (readonly [line: number, word: string])[]>();
  for (const row of stdout.split('\n')) {
    const [path, rest = ''] = row.split('\0');
    const colon = rest.indexOf(':');
    if (path === undefined || colon === -1) continue;
    const entry = [Number(rest.slice(0, colon)), rest.slice(colon + 1).toLowerCase()] as const;
    const found = byFile.get(path.replace(/^\.\//, ''));
    if (found === undefined) byFile.set(path.replace(/^\.\//, ''), [entry]);
    else found.push(entry);
  }
  const files = [...byFile].map(([path, entries]) => ({ path, entries, distinct: new Set(entries.map(([, word]) => word)).size }));
  files.sort(
    (one, other) => other.distinct - one.distinct || other.entries.length - one.entries.length || (one.path < other.path ? -1 : 1),
  );
  return files.slice(0, limit).map(({ path, entries }) => ({ path, ...bestWindow(entries) }));
}

const bestWindow = (entries: readonly (readonly [line: number, word: string])[]): { readonly start: number; readonly end: number } => {
  let [best, start] = [0, entries[0]![0]];
  entries.forEach(([line], index) => {
    const words = new Set<string>();
    for (let at = index; at < entries.length && entries[at]![0] < line + WINDOW; at += 1) words.add(entries[at]![1]);
    if (words.size > best) [best, start] = [words.size, line];
  });
  return { start, end: start + WINDOW - 1 };
};
