import { constants } from 'node:fs';
import { access, lstat, readlink, rmdir, unlink } from 'node:fs/promises';
import { relative, sep } from 'node:path';
import type { EntryMark } from '../backups/name-effects.js';
import { MAX_REPLACED_BYTES } from '../limits.js';
import { about, isErrno } from '../to-tool-error.js';
import { ToolFailure } from '../tool-failure.js';
import { commitChanges, type CommitOptions } from './content/commit-changes.js';
import type { FilePlan } from './content/file-change.js';
import { asOpen, pathOfPlace, type OpenFiles } from './content/open-files.js';
import { findEntry, hasMark, type Entry } from './paths/entry.js';
import type { FileState } from './paths/file-state.js';
import { isSame } from './paths/identity.js';
import { makeDirectory, missingDirectories } from './names/make-directory.js';
import { moveEntry, type Move, type NameChangeOptions } from './names/move-entry.js';
import { parsePath, type WorkspacePath } from './paths/parse-path.js';
import { readRegularFile, scanRegularFile } from './paths/read-regular-file.js';
import { removeTree } from './tree/remove-tree.js';
import { restoreEntry } from './names/restore-entry.js';
import { resolveDirectory, resolvePath, type Place, type ResolveOptions } from './paths/resolve-path.js';
import { trashEntry, type Deletion, type TrashOptions } from './names/trash-entry.js';
import { openTree, type Tree } from './tree/tree.js';
import type { WorkspaceRoot } from './paths/workspace-root.js';
import { isTemporaryName } from './content/write-atomically.js';

/** An entry itself, reached through no link. */
const ENTRY = { purpose: 'change', links: 'refuse', leaf: 'keep' } as const;

/** The only way from a tool to the disk: everything in it keeps W1 and W2. */
export class WorkspaceFiles {
  /** @param openFiles what an editor holds open: it counts before the disk, where one file is read or written */
  constructor(
    private readonly root: WorkspaceRoot,
    private readonly openFiles?: OpenFiles,
  ) {}

  /** Fails if the workspace folder is gone or another one has taken its place; for programs that run in it by its path. */
  async assertPresent(): Promise<void> {
    const top = await this.root.open();
    await top.close();
  }

  /**
   * Reads a file; links are followed as long as they stay inside.
   *
   * @param limit bytes; a larger file is `FILE_TOO_LARGE` before anything is read
   * @returns `undefined` if there is no such file
   */
  async read(path: WorkspacePath, limit: number): Promise<FileState | undefined> {
    return this.at(path, { purpose: 'read', links: 'follow', leaf: 'follow' }, (place) => this.readOpen(place, path.text, limit));
  }

  /**
   * Reads a file piece by piece, each of its own memory; links are followed as long as they stay inside.
   *
   * @returns `undefined` if there is no such file
   */
  async scan(
    path: WorkspacePath,
    { limit, signal }: { readonly limit: number; readonly signal: AbortSignal },
    onPiece: (piece: Buffer) => void,
  ): Promise<true | undefined> {
    const open = this.openFiles && (await this.read(path, MAX_REPLACED_BYTES).catch(tooLarge));
    if (open !== undefined) {
      if (open.content.length > 0) onPiece(open.content);
      return true;
    }
    return this.at(path, { purpose: 'read', links: 'follow', leaf: 'follow' }, (place) =>
      scanRegularFile(place, { path: path.text, limit, signal }, onPiece),
    );
  }

  /**
   * Reads a file that a tool is about to change: never through a link at the end of its path, and only if the user may write it.
   *
   * @param links what a link among its directories means
   * @returns `undefined` if there is no such file, or not even its directory
   */
  async readForChange(path: WorkspacePath, links: ResolveOptions['links']): Promise<FileState | undefined> {
    return this.at(path, { purpose: 'change', links, leaf: 'keep' }, async (place) => {
      const state = await this.readOpen(place, path.text, MAX_REPLACED_BYTES);
      if (state !== undefined) await access(place.directory.entry(place.name), constants.W_OK);
      return state;
    });
  }

  /** Files of the workspace that are not saved in the editor, by their paths, as they stand there. Those that can't be read are left out. */
  async unsaved(limit: number): Promise<ReadonlyMap<string, Buffer>> {
    const paths = this.openFiles?.unsaved?.() ?? [];
    const texts = new Map<string, Buffer>();
    for (const path of paths) {
      const parsed = parsePath(relative(this.root.path, path).split(sep).join('/'));
      const state = parsed.ok ? await this.read(parsed.path, limit).catch(() => undefined) : undefined; // not ours, or too large
      if (parsed.ok && state !== undefined) texts.set(parsed.path.text, state.content);
    }
    return texts;
  }

  /** Opens a directory for a walk over what is below it. Links on the way to it are followed as long as they stay inside. */
  async tree<T>(path: WorkspacePath, use: (tree: Tree) => Promise<T>): Promise<T> {
    return about(path.text, async () => {
      const place = await resolveDirectory(this.root, path, { purpose: 'read', links: 'follow' });
      await place.close();
      const top = await this.root.open();
      try {
        const tree = openTree(this.root, top, place.directory.segments);
        return await use(tree).finally(() => tree.close());
      } finally {
        await top.close();
      }
    });
  }

  /** Whether a path leads to a directory; `undefined` if it leads to nothing. */
  async isDirectory(path: WorkspacePath): Promise<boolean | undefined> {
    if (path.segments.length === 0) return true;
    return this.at(path, { purpose: 'read', links: 'follow', leaf: 'follow' }, async ({ directory, name }) =>
      (await lstat(directory.entry(name))).isDirectory(),
    ).catch((error: unknown) => {
      if (error instanceof ToolFailure && error.code === 'FILE_NOT_FOUND') return undefined;
      throw error;
    });
  }

  /** Carries out a plan, all of it or nothing; see {@link commitChanges}. */
  commit(plan: FilePlan, options: CommitOptions): Promise<void> {
    return commitChanges(this.root, plan, { ...options, openFiles: this.openFiles });
  }

  /** What is at a path itself: a link at its end is not followed, and none is among its directories. */
  async entryAt(path: WorkspacePath): Promise<Entry | undefined> {
    return this.at(path, ENTRY, (place) => findEntry(place, path.text));
  }

  /** What the link at a path leads to, as it is written. */
  async linkAt(path: WorkspacePath): Promise<string | undefined> {
    return this.at(path, ENTRY, ({ directory, name }) => readlink(directory.entry(name)));
  }

  /** Reads the file at a path itself. */
  async readEntry(path: WorkspacePath, limit: number): Promise<FileState | undefined> {
    return this.at(path, ENTRY, (place) => readRegularFile(place, path.text, limit));
  }

  /**
   * Makes sure that what is at a path is not the client's own data, nor a directory that they lie in.
   *
   * @throws ToolFailure `PATH_OUTSIDE_WORKSPACE`
   */
  async assertNotOwn(path: WorkspacePath): Promise<void> {
    const entry = await this.entryAt(path);
    if (entry !== undefined && this.root.own.some((identity) => isSame(identity, entry.fingerprint)))
      throw new ToolFailure('PATH_OUTSIDE_WORKSPACE', `${path.text} holds data of this client, which no tool reaches.`);
  }

  /** Makes a directory and those above it; see {@link makeDirectory}. */
  makeDirectory(path: WorkspacePath, keep: NameChangeOptions['keep']): Promise<boolean> {
    return makeDirectory(this.root, path, keep);
  }

  /** The directories that a path lacks. */
  missingDirectories(path: WorkspacePath): Promise<readonly string[]> {
    return about(path.text, () => missingDirectories(this.root, path));
  }

  /** Gives an entry another path; see {@link moveEntry}. */
  move(move: Move, options: NameChangeOptions): Promise<void> {
    return moveEntry(this.root, move, options);
  }

  /** Moves an entry out of the workspace; see {@link trashEntry}. */
  trash(deletion: Deletion, options: TrashOptions): Promise<void> {
    return trashEntry(this.root, deletion, options);
  }

  /** Moves an entry of the trash back to a path where there is nothing; see {@link restoreEntry}. */
  restore(trashed: string, path: WorkspacePath): Promise<void> {
    return restoreEntry(this.root, trashed, path);
  }

  /** Removes a directory if there is nothing in it; whether it did. */
  async removeEmpty(path: WorkspacePath): Promise<boolean> {
    const removed = await this.at(path, ENTRY, async ({ directory, name }) => {
      await rmdir(directory.entry(name));
      return true;
    }).catch(() => false); // not empty, no directory, or not ours to remove
    return removed ?? false;
  }

  /** Removes the second name that a file has in the middle of a move, if both are names of one file. */
  async removeSecondName(path: WorkspacePath, kept: EntryMark): Promise<void> {
    await this.at(path, ENTRY, async (place) => {
      if (kept.kind !== 'directory' && hasMark(await findEntry(place, path.text), kept)) await unlink(place.directory.entry(place.name));
    });
  }

  /** Removes what a crash left under a temporary name. */
  async removeTemporary(path: WorkspacePath): Promise<void> {
    await this.at(path, ENTRY, async ({ directory, name }) => {
      if (isTemporaryName(name)) await removeTree(directory, name);
    }).catch((error: unknown) => {
      if (!(error instanceof ToolFailure && error.code === 'FILE_NOT_FOUND')) throw error;
    });
  }

  /** Removes the directories above a file that was deleted, as far as they are empty now, as git does. */
  async removeEmptyParents(path: WorkspacePath): Promise<void> {
    for (let depth = path.segments.length - 1; depth > 0; depth -= 1) {
      const segments = path.segments.slice(0, depth);
      const directory = { text: segments.join('/'), segments };
      const removed = await this.at(
        directory,
        { purpose: 'change', links: 'refuse', leaf: 'keep' },
        async ({ directory: parent, name }) => {
          await rmdir(parent.entry(name));
          return true;
        },
      ).catch(() => undefined); // not empty, or not ours to remove: the files are what was asked for
      if (!removed) return;
    }
  }

  private async readOpen(place: Place, path: string, limit: number): Promise<FileState | undefined> {
    const state = await readRegularFile(place, path, limit);
    const open = state && (await asOpen(this.openFiles, pathOfPlace(this.root.path, place), state));
    if (open !== undefined && open.content.length > limit)
      throw new ToolFailure(
        'FILE_TOO_LARGE',
        `${path} has ${String(open.content.length)} bytes in the editor; at most ${String(limit)} are allowed.`,
      );
    return open;
  }

  private at<T>(path: WorkspacePath, options: ResolveOptions, use: (place: Place) => Promise<T>): Promise<T | undefined> {
    return about(path.text, async () => {
      let place: Place;
      try {
        place = await resolvePath(this.root, path, options);
      } catch (error) {
        if (isErrno(error, 'ENOENT')) return undefined; // a directory of the path is missing
        throw error;
      }
      try {
        return await use(place);
      } finally {
        await place.close();
      }
    });
  }
}

/** A larger file is read from disk: no editor is asked for it. */
const tooLarge = (error: unknown): undefined => {
  if (error instanceof ToolFailure && error.code === 'FILE_TOO_LARGE') return undefined;
  throw error;
};
