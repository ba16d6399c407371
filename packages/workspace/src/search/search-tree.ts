import { findSecretReason } from '@codelab/tools';
import type { Tree } from '../files/tree/tree.js';
import { MAX_SEARCHED_BYTES } from '../limits.js';
import { CandidateReader } from './candidate-reader.js';
import type { IgnoreRules } from './ignore-rules.js';
import type { FileFilter } from './file-filter.js';
import { findCandidates, inWalkOrder } from './find-candidates.js';
import type { Query } from './query.js';
import { rulesAbove } from './rules-above.js';
import type { Ripgrep } from './run-ripgrep.js';
import { toSearchedFile, type SearchedFile } from './searched-file.js';
import { TreeWalk } from './walk-tree.js';

interface TreeSearch {
  readonly query: Query;
  readonly filter: FileFilter;
  /** Its pattern of names as it was given, if it has one. */
  readonly names: string | undefined;
  readonly includeIgnored: boolean;
  /** The path that was named: what asks before it is read is left out, unless it was asked for. */
  readonly named: string;
  readonly ripgrep: Ripgrep | undefined;
  /** Files that are not saved in an editor, as they stand there, by their paths in the workspace. */
  readonly unsaved: ReadonlyMap<string, Buffer>;
  readonly signal: AbortSignal;
}

/** The workspace's own files of rules, where ripgrep doesn't come across them; none, if rules in between could say otherwise. */
const ignoreFilesOf = ({ way }: Tree, above: IgnoreRules | undefined): string[] => {
  const [workspace] = way;
  const files = way.length === 1 ? ['.git/info/exclude'] : ['.git/info/exclude', '.gitignore'];
  for (let level = above; level !== undefined; level = level.above) if (level.prefix > 0) return [];
  return way.length > 1 && above === undefined ? [] : files.filter((file) => workspace!.stats(file)?.kind === 'file');
};

/** ripgrep knows only what is saved: what isn't may match, too. */
function withUnsaved(candidates: readonly string[], unsaved: TreeSearch['unsaved'], path: string): readonly string[] {
  const below = [...unsaved.keys()].filter((one) => path === '' || one.startsWith(`${path}/`));
  return below.length === 0 ? candidates : inWalkOrder([...candidates, ...below]);
}

/** Files of a tree that may have a match, in the order of their paths. */
export async function* searchTree(tree: Tree, search: TreeSearch): AsyncGenerator<SearchedFile> {
  const { filter, names, includeIgnored, named, ripgrep, unsaved, signal } = search;
  const path = tree.segments.join('/');
  const prefix = path === '' ? 0 : path.length + 1;
  const directory = tree.way.at(-1)!;
  const rules = includeIgnored ? undefined : { above: rulesAbove(tree) };
  const secretsToo = findSecretReason(named) !== undefined;
  const wants = (whole: string): boolean =>
    filter(whole.slice(prefix), whole.slice(whole.lastIndexOf('/') + 1)) && (secretsToo || findSecretReason(whole) === undefined);
  const ignoreFiles = rules === undefined ? [] : ignoreFilesOf(tree, rules.above);
  const candidates =
    ripgrep &&
    (await findCandidates(ripgrep, {
      ...search,
      names: names?.includes('/') ? undefined : names,
      path,
      cwd: tree.way[0]!.base,
      ignoreFiles,
    }));
  if (candidates === undefined) {
    const walk = new TreeWalk(directory, {
      path,
      recursive: true,
      rules,
      wants: (entry) => entry.kind === 'file' && wants(entry.path),
      room: () => Number.POSITIVE_INFINITY,
      signal,
    });
    for await (const entry of walk.entries()) {
      const found = entry.kind === 'file' ? entry.directory.readWithTime(entry.name, MAX_SEARCHED_BYTES) : undefined;
      const file =
        found && entry.directory.isInPlace()
          ? toSearchedFile(entry.path, unsaved.get(entry.path) ?? found.content, found.mtimeMs)
          : undefined;
      if (file !== undefined) yield file;
    }
    return;
  }
  const reader = new CandidateReader(directory, { path, rules });
  try {
    for (const candidate of withUnsaved(candidates, unsaved, path)) {
      signal.throwIfAborted();
      const found = wants(candidate) ? reader.read(candidate.slice(prefix)) : undefined;
      const file = found && toSearchedFile(candidate, unsaved.get(candidate) ?? found.content, found.mtimeMs);
      if (file !== undefined) yield file;
    }
  } finally {
    reader.close();
  }
}
