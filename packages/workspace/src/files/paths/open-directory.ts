import { constants } from 'node:fs';
import { lstat, open, readlink, type FileHandle } from 'node:fs/promises';
import { ToolFailure } from '../../tool-failure.js';
import { isErrno } from '../../to-tool-error.js';
import { identityOf, isSame, type Identity } from './identity.js';

/**
 * A directory that was opened once and is then used by its handle, not by its name: what is swapped above it afterwards changes nothing
 * (W1). Node has no `openat`; on Linux `/proc/self/fd/<n>/<name>` is the same thing.
 */
export interface OpenDirectory {
  /** Where it lay in the workspace when it was opened, without links. */
  readonly segments: readonly string[];
  readonly identity: Identity;
  /** A path that leads to the entry through this very directory. */
  entry(name: string): string;
  /** Opens a directory in it. Fails with ENOTDIR or ELOOP if the name is a link or no directory. */
  openChild(name: string): Promise<OpenDirectory>;
  /** Fails if the directory is no longer where it was, so that an effect in it would show up elsewhere. */
  assertInPlace(): Promise<void>;
  /** Makes changes of names in it durable. */
  sync(): Promise<void>;
  close(): Promise<void>;
}

/** How directories are held: by descriptor where the system can, else by path with checks before and after (`path`). */
export type Anchoring = 'descriptor' | 'path';

const DIRECTORY = constants.O_RDONLY | (constants.O_DIRECTORY ?? 0) | (constants.O_NOFOLLOW ?? 0) | (constants.O_NONBLOCK ?? 0);

const moved = (segments: readonly string[]): ToolFailure =>
  new ToolFailure('CONFLICT', `The directory ${segments.join('/') || '.'} was moved or replaced meanwhile; nothing was done.`);

class DescriptorDirectory implements OpenDirectory {
  private constructor(
    readonly segments: readonly string[],
    readonly identity: Identity,
    private readonly handle: FileHandle,
    private readonly root: DescriptorDirectory | undefined,
  ) {}

  static async open(path: string, segments: readonly string[], root?: DescriptorDirectory): Promise<DescriptorDirectory> {
    const handle = await open(path, DIRECTORY);
    try {
      return new DescriptorDirectory(segments, identityOf(await handle.stat({ bigint: true })), handle, root);
    } catch (error) {
      await handle.close();
      throw error;
    }
  }

  entry(name: string): string {
    return `/proc/self/fd/${String(this.handle.fd)}/${name}`;
  }

  openChild(name: string): Promise<OpenDirectory> {
    return DescriptorDirectory.open(this.entry(name), [...this.segments, name], this.root ?? this);
  }

  async assertInPlace(): Promise<void> {
    if (this.root === undefined) return;
    const [here, top] = await Promise.all([this.location(), this.root.location()]);
    const expected = [top === '/' ? '' : top, ...this.segments].join('/');
    const fold = (path: string): string => path.normalize('NFC').toLowerCase(); // a file system that ignores case may answer in its own
    if (here !== expected && fold(here) !== fold(expected)) throw moved(this.segments);
  }

  async sync(): Promise<void> {
    await this.handle.sync().catch((error: unknown) => {
      if (!isErrno(error, 'EINVAL', 'ENOTSUP')) throw error; // a file system without such a step
    });
  }

  async close(): Promise<void> {
    await this.handle.close();
  }

  private location(): Promise<string> {
    return readlink(`/proc/self/fd/${String(this.handle.fd)}`);
  }
}

class PathDirectory implements OpenDirectory {
  private constructor(
    readonly segments: readonly string[],
    readonly identity: Identity,
    private readonly path: string,
    private readonly parent: PathDirectory | undefined,
  ) {}

  static async open(path: string, segments: readonly string[], parent?: PathDirectory): Promise<PathDirectory> {
    const stats = await lstat(path, { bigint: true });
    if (!stats.isDirectory()) throw Object.assign(new Error('not a directory'), { code: 'ENOTDIR' });
    return new PathDirectory(segments, identityOf(stats), path, parent);
  }

  entry(name: string): string {
    return `${this.path}/${name}`;
  }

  openChild(name: string): Promise<OpenDirectory> {
    return PathDirectory.open(this.entry(name), [...this.segments, name], this);
  }

  async assertInPlace(): Promise<void> {
    const stats = await lstat(this.path, { bigint: true });
    if (!stats.isDirectory() || !isSame(stats, this.identity)) throw moved(this.segments);
    await this.parent?.assertInPlace();
  }

  async sync(): Promise<void> {
    try {
      const handle = await open(this.path, DIRECTORY);
      try {
        await handle.sync();
      } finally {
        await handle.close();
      }
    } catch (error) {
      if (!isErrno(error, 'EISDIR', 'EPERM', 'EACCES', 'EINVAL')) throw error; // Windows opens no directories, and needs no such step
    }
  }

  async close(): Promise<void> {
    // Nothing is held.
  }
}

/** Opens the directory that the others are reached from. */
export const openTop = (path: string, anchoring: Anchoring): Promise<OpenDirectory> =>
  anchoring === 'descriptor' ? DescriptorDirectory.open(path, []) : PathDirectory.open(path, []);
