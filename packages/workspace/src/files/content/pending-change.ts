import type { ToolErrorCode } from '@codelab/protocol';
import { chmod, lstat, unlink } from 'node:fs/promises';
import { isErrno } from '../../to-tool-error.js';
import { ToolFailure } from '../../tool-failure.js';
import type { FileChange } from './file-change.js';
import { isSameText, pathOfPlace, textToWrite, type OpenFiles } from './open-files.js';
import { fingerprintOf, isUntouched } from '../paths/identity.js';
import { removeDirectories, resolvePath, type Place, type ResolveOptions } from '../paths/resolve-path.js';
import type { WorkspaceRoot } from '../paths/workspace-root.js';
import { prepareWrite, temporaryName, type NewContent, type PreparedWrite } from './write-atomically.js';

interface PendingOptions {
  readonly root: WorkspaceRoot;
  readonly links: ResolveOptions['links'];
  /** What it is called when a file is not what the plan saw. */
  readonly conflict: ToolErrorCode;
  readonly openFiles?: OpenFiles | undefined;
}

/** One change of a plan on its way: found, prepared, in effect, or taken back. Holds its directory open until it is closed. */
export class PendingChange {
  private readonly temporaryNow = temporaryName();
  private write: PreparedWrite | undefined;
  private done = false;

  private constructor(
    readonly change: FileChange,
    private readonly place: Place,
    private readonly path: string,
    private readonly conflict: ToolErrorCode,
    private readonly openFiles: OpenFiles | undefined,
  ) {}

  /** Finds the place of a change, makes the directories that it needs, and makes sure that its file is the one of the plan. */
  static async find(change: FileChange, { root, links, conflict, openFiles }: PendingOptions): Promise<PendingChange> {
    const { path, before, after } = change;
    const createDirectories = after !== undefined && before === undefined;
    const place = await resolvePath(root, path, { purpose: 'change', links, leaf: 'keep', createDirectories });
    const pending = new PendingChange(change, place, pathOfPlace(root.path, place), conflict, openFiles);
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

  /** Writes the new content beside its file; what goes through an editor waits nowhere. */
  async prepare(): Promise<void> {
    const { before, after } = this.change;
    if (after !== undefined && !this.isForEditor)
      this.write = await prepareWrite(this.place, after, { before, temporary: this.temporaryNow });
  }

  /** Changes the name: one atomic step. */
  async takeEffect(): Promise<void> {
    const { directory, name, created } = this.place;
    await this.assertUntouched();
    if (this.change.after === undefined) await unlink(directory.entry(name));
    else if (!(await this.putIntoEditor(this.change.after))) {
      this.write ??= await prepareWrite(this.place, this.change.after, { before: this.change.before, temporary: this.temporaryNow });
      await this.write.commit();
    }
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
    else if (!(await this.putIntoEditor(before)))
      await (await prepareWrite(this.place, before, { before, temporary: this.temporaryNow })).commit();
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

  /** Text is put into an editor that takes it. */
  private get isForEditor(): boolean {
    const { after } = this.change;
    return this.openFiles?.write !== undefined && after !== undefined && textToWrite(after.content) !== undefined;
  }

  /** Writes through the editor, if it takes the file. It goes by the path: what it led to is looked at when it is done. */
  private async putIntoEditor({ content, mode }: Pick<NewContent, 'content' | 'mode'>): Promise<boolean> {
    const text = this.isForEditor ? textToWrite(content) : undefined;
    const known = this.done || this.change.before === undefined ? undefined : textToWrite(this.change.before.content);
    if (text === undefined || !(await this.openFiles?.write?.(this.path, text, known))) return false;
    const { directory, name } = this.place;
    const now = await lstat(directory.entry(name)).catch(() => undefined); // it isn't saved yet
    const isOurs = await directory.assertInPlace().then(
      () => now === undefined || now.isFile(),
      () => false,
    );
    if (!isOurs)
      throw new ToolFailure(
        'OUTCOME_UNKNOWN',
        `${this.change.path.text} was moved or replaced while the editor wrote it: look where the text went before trying again.`,
      );
    const { before } = this.change;
    if (now !== undefined && before !== undefined && mode !== before.mode) await chmod(directory.entry(name), mode);
    else if (now !== undefined && before === undefined && (mode & 0o111) !== 0) await chmod(directory.entry(name), now.mode | 0o111);
    return true;
  }

  private async assertUntouched(): Promise<void> {
    const { path, before } = this.change;
    const { directory, name } = this.place;
    const now = await lstat(directory.entry(name), { bigint: true }).catch((error: unknown) => {
      if (isErrno(error, 'ENOENT')) return undefined;
      throw error;
    });
    const same = before === undefined || now === undefined ? before === now : isUntouched(fingerprintOf(now), before.fingerprint);
    const open = before === undefined || textToWrite(before.content) === undefined ? undefined : await this.openFiles?.read(this.path);
    if (!same || (before !== undefined && open !== undefined && !isSameText(before.content, open)))
      throw new ToolFailure(this.conflict, `${path.text} was changed by someone else meanwhile; nothing was done.`);
    await directory.assertInPlace();
  }
}
