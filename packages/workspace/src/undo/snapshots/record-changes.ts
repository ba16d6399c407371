import { parsePath } from '../../files/paths/parse-path.js';
import { sha256Of } from '../../files/paths/read-regular-file.js';
import type { Backups, BackedUpState } from '../../backups/backups.js';
import type { ShadowPlace } from './shadow-git.js';
import type { TreeSnapshot } from './take-snapshot.js';
import { listTreeChanges, readObjects, type TreeChange, type TreeFile } from './tree-changes.js';

/** What a command did to files, as a manifest says it. */
interface RecordedChanges {
  readonly files: readonly { readonly path: string; readonly before: BackedUpState; readonly after: BackedUpState }[];
  /** What it did, or may have done, and can't be undone: sentences for people. */
  readonly uncovered: readonly string[];
}

/** Permission bits of paths from the top, as far as they are known. */
type ModeOf = (path: string, program: boolean) => number;

/** What comparing needs. */
interface RecordParts {
  readonly before: TreeSnapshot;
  readonly after: TreeSnapshot;
  readonly backups: Backups;
  readonly modeOf: { readonly before: ModeOf; readonly after: ModeOf };
}

/** Files that one command may change so that it can be undone; a manifest names each of them. */
const MAX_FILES = 5_000;

/** Old content of one command. */
const MAX_BYTES = 128 * 1024 * 1024;

/** Paths that are named for one reason; of more only the number is told. */
const MAX_NAMED = 8;

const summarise = (faults: ReadonlyMap<string, string>): string[] => {
  const byReason = new Map<string, string[]>();
  for (const [path, why] of faults) {
    const paths = byReason.get(why);
    if (paths === undefined) byReason.set(why, [path]);
    else paths.push(path);
  }
  return [...byReason].flatMap(([why, paths]) =>
    paths.length > MAX_NAMED
      ? [`${String(paths.length)} paths are not covered, ${paths[0] ?? ''} one of them: ${why}.`]
      : paths.map((path) => `${path} is not covered: ${why}.`),
  );
};

const oidOf = (file: TreeFile | undefined): readonly string[] => (file === undefined ? [] : [file.oid]);

/** What can't be undone of one change, if it can't. */
const faultOf = ({ path, before, after }: TreeChange, known: ReadonlyMap<string, string>): string | undefined => {
  if (before?.kind === 'other' || after?.kind === 'other') return 'it is, or was, a link or a repository of its own';
  if (!parsePath(path).ok) return 'no tool can name it';
  return [...oidOf(before), ...oidOf(after)].every((oid) => known.has(oid)) ? undefined : 'its content could not be kept';
};

/**
 * Compares two snapshots and keeps the old content of every file that is not the same. Paths of the result are those of the workspace.
 *
 * @throws ShadowFailure
 */
export async function recordChanges(
  place: ShadowPlace,
  { before: then, after: now, backups, modeOf }: RecordParts,
): Promise<RecordedChanges> {
  const prefix = place.root === place.top ? '' : `${place.root.slice(place.top.length + 1)}/`;
  const leftOut = new Map([...then.leftOut, ...now.leftOut]);
  const covered = (path: string): boolean => path.startsWith(prefix) && !leftOut.has(path);
  const changes = (await listTreeChanges(place, then.tree, now.tree)).filter(({ path }) => covered(path));
  if (changes.length > MAX_FILES) {
    return { files: [], uncovered: [`It changed ${String(changes.length)} files; up to ${String(MAX_FILES)} are kept, so none is.`] };
  }
  const known = new Map<string, string>();
  const old = new Set(changes.flatMap((change) => oidOf(change.before)));
  let bytes = 0;
  await readObjects(place, [...new Set([...old, ...changes.flatMap((change) => oidOf(change.after))])], async (oid, content) => {
    if (old.has(oid)) bytes += content.length;
    if (bytes > MAX_BYTES && old.has(oid)) return;
    known.set(oid, old.has(oid) ? await backups.keep(content) : sha256Of(content));
  });
  const inside = (change: TreeChange): TreeChange => ({ ...change, path: change.path.slice(prefix.length) });
  const faults = new Map([...leftOut].map(([path, why]) => [path.slice(prefix.length), why]));
  const stateOf = (path: string, file: TreeFile | undefined, mode: ModeOf): BackedUpState =>
    file === undefined ? null : { sha256: known.get(file.oid) ?? '', mode: mode(path, file.kind === 'program') };
  const files = changes.flatMap((change) => {
    const { path } = inside(change);
    const fault = faultOf(inside(change), known);
    if (fault !== undefined) faults.set(path, fault);
    const before = stateOf(change.path, change.before, modeOf.before);
    return fault === undefined ? [{ path, before, after: stateOf(change.path, change.after, modeOf.after) }] : [];
  });
  return { files, uncovered: summarise(faults) };
}
