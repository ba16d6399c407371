import { constants } from 'node:fs';
import { access, lstat, rmdir, unlink } from 'node:fs/promises';
import { MAX_REPLACED_BYTES } from '../limits.js';
import { about, isErrno } from '../to-tool-error.js';
import { ToolFailure } from '../tool-failure.js';
import { commitChanges, type CommitOptions } from './commit-changes.js';
import type { FilePlan } from './file-change.js';
import type { FileState } from './file-state.js';
import type { WorkspacePath } from './parse-path.js';
import { readRegularFile } from './read-regular-file.js';
import { resolveDirectory, resolvePath, type Place, type ResolveOptions } from './resolve-path.js';
import { openTree, type Tree } from './tree.js';
import type { WorkspaceRoot } from './workspace-root.js';
import { isTemporaryName } from './write-atomically.js';

/** The only way from a tool to the disk: everything in it keeps W1 and W2. */
export class WorkspaceFiles {
  constructor(private readonly root: WorkspaceRoot) {}

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
    return this.#at(path, { purpose: 'read', links: 'follow', leaf: 'follow' }, (place) => readRegularFile(place, path.text, limit));
  }

  /**
   * Reads a file that a tool is about to change: never through a link at the end of its path, and only if the user may write it.
   *
   * @param links what a link among its directories means
   * @returns `undefined` if there is no such file, or not even its directory
   */
  async readForChange(path: WorkspacePath, links: ResolveOptions['links']): Promise<FileState | undefined> {
    return this.#at(path, { purpose: 'change', links, leaf: 'keep' }, async (place) => {
      const state = await readRegularFile(place, path.text, MAX_REPLACED_BYTES);
      if (state !== undefined) await access(place.directory.entry(place.name), constants.W_OK);
      return state;
    });
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
    return this.#at(path, { purpose: 'read', links: 'follow', leaf: 'follow' }, async ({ directory, name }) =>
      (await lstat(directory.entry(name))).isDirectory(),
    ).catch((error: unknown) => {
      if (error instanceof ToolFailure && error.code === 'FILE_NOT_FOUND') return undefined;
      throw error;
    });
  }

  /** Carries out a plan, all of it or nothing; see {@link commitChanges}. */
  commit(plan: FilePlan, options: CommitOptions): Promise<void> {
    return commitChanges(this.root, plan, options);
  }

  /** Removes a temporary file that a crash left, if it is one by its name and kind. */
  async removeTemporary(path: WorkspacePath): Promise<void> {
    await this.#at(path, { purpose: 'change', links: 'refuse', leaf: 'keep' }, async ({ directory, name }) => {
      const entry = directory.entry(name);
      if (isTemporaryName(name) && (await lstat(entry)).isFile()) await unlink(entry);
    }).catch((error: unknown) => {
      if (!(error instanceof ToolFailure && error.code === 'FILE_NOT_FOUND')) throw error;
    });
  }

  /** Removes the directories above a file that was deleted, as far as they are empty now, as git does. */
  async removeEmptyParents(path: WorkspacePath): Promise<void> {
    for (let depth = path.segments.length - 1; depth > 0; depth -= 1) {
      const segments = path.segments.slice(0, depth);
      const directory = { text: segments.join('/'), segments };
      const removed = await this.#at(
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

  #at<T>(path: WorkspacePath, options: ResolveOptions, use: (place: Place) => Promise<T>): Promise<T | undefined> {
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
