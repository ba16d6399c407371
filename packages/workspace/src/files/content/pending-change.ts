import type { ToolErrorCode } from '@codelab/protocol';
import { lstat, unlink } from 'node:fs/promises';
import { isErrno } from '../../to-tool-error.js';
import { ToolFailure } from '../../tool-failure.js';
import type { FileChange } from './file-change.js';
import { fingerprintOf, isUntouched } from '../paths/identity.js';
import { removeDirectories, resolvePath, type Place, type ResolveOptions } from '../paths/resolve-path.js';
import type { WorkspaceRoot } from '../paths/workspace-root.js';
import { prepareWrite, temporaryName, type PreparedWrite } from './write-atomically.js';

interface PendingOptions {
  readonly root: WorkspaceRoot;
  readonly links: ResolveOptions['links'];
  /** What it is called when a file is not what the plan saw. */
  readonly conflict: ToolErrorCode;
}

/** One change of a plan on its way: found, prepared, in effect, or taken back. Holds its directory open until it is closed. */
export class PendingChange {
  private readonly temporaryNow = temporaryName();
  private write: PreparedWrite | undefined;
  private done = false;

  private constructor(
    readonly change: FileChange,
    private readonly place: Place,
    private readonly conflict: ToolErrorCode,
  ) {}

  /** Finds the place of a change, makes the directories that it needs, and makes sure that its file is the one of the plan. */
  static async find(change: FileChange, { root, links, conflict }: PendingOptions): Promise<PendingChange> {
    const { path, before, after } = change;
    const createDirectories = after !== undefined && before === undefined;
    const place = await resolvePath(root, path, { purpose: 'change', links, leaf: 'keep', createDirectories });
    const pending = new PendingChange(change, place, conflict);
    try {
      await pending.assertUntouched();
      return pending;
    } catch (error) {
      await pending.discard();
      await pending.close();
      throw error;
    }
  }

  /** Where new content will wait, as a path in the workspace; `undefined` for a deletion. */
  get temporary(): string | undefined {
    return this.change.after && [...this.place.directory.segments, this.temporaryNow].join('/');
  }

  /** Writes the new content beside its file. */
  async prepare(): Promise<void> {
    const { before, after } = this.change;
    if (after !== undefined) this.write = await prepareWrite(this.place, after, { before, temporary: this.temporaryNow });
  }

  /** Changes the name: one atomic step. */
  async takeEffect(): Promise<void> {
    const { directory, name, created } = this.place;
    await this.assertUntouched();
    await (this.write === undefined ? unlink(directory.entry(name)) : this.write.commit());
    this.done = true; // from here on there is something to take back
    await directory.sync();
    for (const { parent } of created) await parent.sync();
  }

  /** Puts back what the change took: the old content, or the absence of a file. Before the effect there is nothing to do. */
  async takeBack(): Promise<void> {
    if (!this.done) return;
    const { before } = this.change;
    const { directory, name } = this.place;
    if (before === undefined) await unlink(directory.entry(name));
    else await (await prepareWrite(this.place, before, { before, temporary: this.temporaryNow })).commit();
    await directory.sync();
  }

  /** Removes what was only prepared. */
  async discard(): Promise<void> {
    await this.write?.discard();
    await removeDirectories(this.place.created);
  }

  close(): Promise<void> {
    return this.place.close();
  }

  private async assertUntouched(): Promise<void> {
    const { path, before } = this.change;
    const { directory, name } = this.place;
    const now = await lstat(directory.entry(name), { bigint: true }).catch((error: unknown) => {
      if (isErrno(error, 'ENOENT')) return undefined;
      throw error;
    });
    const same = before === undefined || now === undefined ? before === now : isUntouched(fingerprintOf(now), before.fingerprint);
    if (!same) throw new ToolFailure(this.conflict, `${path.text} was changed by someone else meanwhile; nothing was done.`);
    await directory.assertInPlace();
  }
}
