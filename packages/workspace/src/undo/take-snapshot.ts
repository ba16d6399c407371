import { constants } from 'node:fs';
import { access, lstat } from 'node:fs/promises';
import { join } from 'node:path';
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
export interface SnapshotLimits {
  /** Larger files are left out. */
  readonly fileBytes: number;
  /** Time for storing files that are new to the repository; what is not stored by then is left out this time. */
  readonly storeMs: number;
  readonly now: () => number;
}

/** Paths that are stored by one run of git. */
const BATCH = 2_000;

/** Files that are looked at side by side. */
const SIDE_BY_SIDE = 64;

const list = (text: string): string[] => text.split('\0').filter((path) => path !== '');

interface Candidate {
  readonly path: string;
  readonly fault?: string;
  /** Absent for what is not there any more. */
  readonly mode?: number;
}

const look = async (place: ShadowPlace, path: string, limit: number): Promise<Candidate> => {
  if (path.endsWith('/')) return { path: path.slice(0, -1), fault: 'it is a repository of its own' };
  if (path.includes('\ufffd')) return { path, fault: 'its name is not UTF-8' };
  try {
    const stats = await lstat(join(place.top, path));
    const mode = stats.mode & 0o777;
    if (stats.size > limit) return { path, fault: `it has ${String(stats.size)} bytes; at most ${String(limit)} are kept` };
    if (stats.isFile()) await access(join(place.top, path), constants.R_OK);
    return stats.isSymbolicLink() ? { path } : { path, mode };
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    return code === 'ENOENT' || code === 'ENOTDIR' ? { path } : { path, fault: 'it cannot be read' };
  }
};

const lookAtAll = async (place: ShadowPlace, paths: readonly string[], limit: number): Promise<Candidate[]> => {
  const found: Candidate[] = [];
  for (let at = 0; at < paths.length; at += SIDE_BY_SIDE) {
    found.push(...(await Promise.all(paths.slice(at, at + SIDE_BY_SIDE).map((path) => look(place, path, limit)))));
  }
  return found;
};

/** Stores files; those that git does not take, one by one found out, are returned. */
const store = async (place: ShadowPlace, paths: readonly string[]): Promise<readonly string[]> => {
  if (paths.length === 0) return [];
  try {
    await shadowGit(place, { args: ['update-index', '-z', '--add', '--remove', '--stdin'], input: paths.join('\0') });
    return [];
  } catch (error) {
    if (paths.length === 1) return paths;
    const half = Math.ceil(paths.length / 2);
    const first = await store(place, paths.slice(0, half));
    if (first.length === half && half > 8) throw error; // not a file's fault
    return [...first, ...(await store(place, paths.slice(half)))];
  }
};

const forget = async (place: ShadowPlace, paths: readonly string[]): Promise<void> => {
  if (paths.length > 0) await shadowGit(place, { args: ['update-index', '-z', '--force-remove', '--stdin'], input: paths.join('\0') });
};

/**
 * Takes a snapshot of the workspace: tracked and untracked files, without what `.gitignore` names. Only files whose stat data changed since
 * the last snapshot are read, so that the next one of a large tree costs little.
 *
 * @throws ShadowFailure
 */
export async function takeSnapshot(place: ShadowPlace, { fileBytes, storeMs, now }: SnapshotLimits): Promise<TreeSnapshot> {
  const scope = place.root === place.top ? [] : ['--', place.root.slice(place.top.length + 1)];
  const listed = await shadowGit(place, {
    args: ['ls-files', '-z', '--others', '--modified', '--exclude-standard', '--deduplicate', ...scope],
  });
  const candidates = await lookAtAll(place, list(listed), fileBytes);
  const leftOut = new Map(candidates.flatMap(({ path, fault }) => (fault === undefined ? [] : [[path, fault] as const])));
  const wanted = candidates.filter(({ fault }) => fault === undefined);
  const end = now() + storeMs;
  for (let at = 0; at < wanted.length; at += BATCH) {
    const paths = wanted.slice(at, at + BATCH).map(({ path }) => path);
    const refused = at > 0 && now() > end ? paths : await store(place, paths);
    const why =
      refused === paths && at > 0 ? 'storing it the first time takes too long; later commands go on with it' : 'git does not take it';
    for (const path of refused) leftOut.set(path, why);
  }
  await forget(place, [...leftOut.keys()]);
  const tree = (await shadowGit(place, { args: ['write-tree'] })).trim();
  const modes = wanted.flatMap(({ path, mode }) => (mode === undefined ? [] : [[path, mode] as const]));
  return { tree, leftOut, modes: new Map(modes) };
}
