import { readdir, rename } from 'node:fs/promises';
import type { ToolErrorCode } from '@codelab/protocol';
import type { NameEffects } from '../../backups/name-effects.js';
import { about, isErrno } from '../../to-tool-error.js';
import { ToolFailure } from '../../tool-failure.js';
import type { CommitRecord } from '../content/commit-changes.js';
import { findEntry, isSameEntry, toEntryMark, type Entry } from '../paths/entry.js';
import { isSame } from '../paths/identity.js';
import type { WorkspacePath } from '../paths/parse-path.js';
import { renameToFreeName } from './rename-to-free-name.js';
import { removeDirectories, resolvePath, type Place } from '../paths/resolve-path.js';
import type { WorkspaceRoot } from '../paths/workspace-root.js';

export interface Move {
  readonly from: WorkspacePath;
  readonly to: WorkspacePath;
  /** What is at `from`, as it was when the move was planned. */
  readonly entry: Entry;
}

export interface NameChangeOptions {
  readonly signal: AbortSignal;
  /** What it is called when an entry is not what the plan saw. */
  readonly conflict: ToolErrorCode;
  /** Notes what is about to happen, before it does. */
  readonly keep: (effects: NameEffects) => Promise<CommitRecord>;
}

const fold = (name: string): string => name.normalize('NFC').toLowerCase();

/**
 * Whether the new name is but another spelling of the old one, on a file system that takes both for the same. A second name of the file
 * that stands in the directory as it is spelled is another entry.
 */
const isOtherSpelling = async (from: Place, to: Place, entry: Entry, taken: Entry): Promise<boolean> => {
  if (!isSame(entry.fingerprint, taken.fingerprint) || !isSame(from.directory.identity, to.directory.identity)) return false;
  return fold(from.name) === fold(to.name) && !(await readdir(to.directory.entry('.'))).includes(to.name);
};

const assertFree = async ({ to, entry }: Move, places: readonly [Place, Place]): Promise<'rename' | 'link'> => {
  const taken = await findEntry(places[1], to.text);
  if (taken === undefined) return 'link';
  if (await isOtherSpelling(...places, entry, taken)) return 'rename';
  throw new ToolFailure('CONFLICT', `${to.text} exists already; nothing was moved.`);
};

const run = async (move: Move, [source, target]: readonly [Place, Place], options: NameChangeOptions): Promise<void> => {
  const { from, to, entry } = move;
  const inside = [...target.directory.segments, target.name].slice(0, from.segments.length);
  if (to.segments.length > from.segments.length && inside.join('/') === from.text)
    throw new ToolFailure('INVALID_PATH', `${from.text} cannot be moved into itself.`);
  const how = await assertFree(move, [source, target]);
  const made = target.created.map(({ parent, name }) => [...parent.segments, name].join('/'));
  const effects = { moves: [{ from: from.text, to: to.text, ...toEntryMark(entry) }], created_directories: made };
  const record = await options.keep(effects);
  try {
    options.signal.throwIfAborted();
    await source.directory.assertInPlace();
    await target.directory.assertInPlace();
    if (!isSameEntry(await findEntry(source, from.text), entry))
      throw new ToolFailure(options.conflict, `${from.text} was changed by someone else meanwhile; nothing was moved.`);
    const [before, after] = [source.directory.entry(source.name), target.directory.entry(target.name)];
    await (how === 'rename' ? rename(before, after) : renameToFreeName(entry.kind, before, after));
  } catch (error) {
    await record.drop().catch(() => undefined); // nothing happened, whatever the record says
    if (isErrno(error, 'EXDEV'))
      throw new ToolFailure('INVALID_PATH', `${from.text} and ${to.text} lie on different file systems; copy the content instead.`);
    if (isErrno(error, 'EEXIST')) throw new ToolFailure('CONFLICT', `${to.text} exists already; nothing was moved.`);
    throw error;
  }
  for (const directory of [target.directory, source.directory, ...target.created.map(({ parent }) => parent)]) await directory.sync();
  await record.done().catch(() => undefined); // the effect is there; the record is set right when the workspace is next opened
};

/**
 * Moves an entry, all of it or nothing, by one change of names. Never over something that exists, into itself, or through a link.
 *
 * @throws ToolFailure; nothing is changed
 */
export async function moveEntry(root: WorkspaceRoot, move: Move, options: NameChangeOptions): Promise<void> {
  const { from, to } = move;
  const walk = { purpose: 'change', links: 'refuse', leaf: 'keep' } as const;
  const source = await about(from.text, () => resolvePath(root, from, walk));
  try {
    const target = await about(to.text, () => resolvePath(root, to, { ...walk, createDirectories: true }));
    try {
      await about(to.text, () => run(move, [source, target], options));
    } catch (error) {
      await removeDirectories(target.created);
      throw error;
    } finally {
      await target.close();
    }
  } finally {
    await source.close();
  }
}
