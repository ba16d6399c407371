import { lstatSync } from 'node:fs';
import { join } from 'node:path';
import { setImmediate } from 'node:timers/promises';
import { storeFiles } from './store-files.js';
import { shadowGit, type ShadowPlace } from './shadow-git.js';

/** How the workspace was at one moment. */
export interface TreeSnapshot {
  /** The tree in the shadow repository, with paths from its top. */
  readonly tree: string;
  /** Paths from the top that are not in it although they could be, and why. */
  readonly leftOut: ReadonlyMap<string, string>;
  /** Permission bits of the files that have changed since the snapshot before. */
  readonly modes: ReadonlyMap<string, number>;
}

/** What taking a snapshot may cost. */
interface SnapshotLimits {
  /** Larger files are left out. */
  readonly fileBytes: number;
  /** Time for storing files that are new to the repository; what is not stored by then is left out this time. */
  readonly storeMs: number;
  readonly now: () => number;
  /** What the snapshot before the command left out need not be in the one after it. */
  readonly leftOutBefore?: ReadonlyMap<string, string>;
}

interface Candidate {
  readonly path: string;
  readonly fault?: string;
  /** Absent for what is not there any more, and for links. */
  readonly mode?: number;
}

/** Files that are looked at before others get their turn. */
const SLICE = 256;

const TOO_LONG = 'storing it the first time takes too long; later commands go on with it';

const look = (place: ShadowPlace, path: string, limit: number): Candidate => {
  if (path.endsWith('/')) return { path: path.slice(0, -1), fault: 'it is a repository of its own' };
  if (path.includes('\ufffd')) return { path, fault: 'its name is not UTF-8' };
  try {
    const stats = lstatSync(join(place.top, path), { throwIfNoEntry: false });
    if (stats === undefined) return { path };
    if (stats.size > limit) return { path, fault: `it has ${String(stats.size)} bytes; at most ${String(limit)} are kept` };
    return stats.isFile() ? { path, mode: stats.mode & 0o777 } : { path };
  } catch {
    return { path }; // a directory of the path is a file by now: git says what it is
  }
};

/** Looks at files until the time is over. */
const lookAtAll = async (
  place: ShadowPlace,
  paths: readonly string[],
  { fileBytes, now }: SnapshotLimits,
  end: number,
): Promise<Candidate[]> => {
  const found: Candidate[] = [];
  for (const [at, path] of paths.entries()) {
    if (at % SLICE === 0) await setImmediate();
    if (at % SLICE === 0 && at > 0 && now() > end) return [...found, ...paths.slice(at).map((rest) => ({ path: rest, fault: TOO_LONG }))];
    found.push(look(place, path, fileBytes));
  }
  return found;
};

/** Reads what `git ls-files -t` prints: paths that the index doesn't have, and those that it has otherwise. */
const readTagged = (text: string): (readonly [path: string, what: 'new' | 'changed'])[] =>
  text
    .split('\0')
    .filter((line) => line !== '')
    .map((line) => [line.slice(2), line.startsWith('? ') ? 'new' : 'changed']);

const forget = async (place: ShadowPlace, paths: readonly string[]): Promise<void> => {
  if (paths.length > 0) await shadowGit(place, { args: ['update-index', '-z', '--force-remove', '--stdin'], input: paths.join('\0') });
};

/**
 * Takes a snapshot of the workspace: tracked and untracked files, without what `.gitignore` names. Only files whose stat data changed since
 * the last snapshot are read, so that the next one of a large tree costs little.
 *
 * @throws ShadowFailure
 */
export async function takeSnapshot(place: ShadowPlace, limits: SnapshotLimits): Promise<TreeSnapshot> {
  const { storeMs, now, leftOutBefore = new Map<string, string>() } = limits;
  const scope = place.root === place.top ? [] : ['--', place.root.slice(place.top.length + 1)];
  const listed = await shadowGit(place, {
    args: ['ls-files', '-z', '-t', '--others', '--modified', '--exclude-standard', ...scope],
  });
  const known = new Map(readTagged(listed));
  const paths = [...known.keys()].filter((path) => leftOutBefore.get(path) !== TOO_LONG);
  const end = now() + storeMs;
  const candidates = await lookAtAll(place, paths, limits, end);
  const leftOut = new Map(candidates.flatMap(({ path, fault }) => (fault === undefined ? [] : [[path, fault] as const])));
  const wanted = candidates.filter(({ fault }) => fault === undefined);
  const { refused, late } = await storeFiles(
    place,
    wanted.map(({ path }) => path),
    () => now() > end,
  );
  for (const path of refused) leftOut.set(path, 'git does not take it');
  for (const path of late) leftOut.set(path, TOO_LONG);
  await forget(
    place,
    [...leftOut.keys()].filter((path) => known.get(path) !== 'new'),
  );
  const tree = (await shadowGit(place, { args: ['write-tree'] })).trim();
  const modes = wanted.flatMap(({ path, mode }) => (mode === undefined ? [] : [[path, mode] as const]));
  return { tree, leftOut, modes: new Map(modes) };
}
