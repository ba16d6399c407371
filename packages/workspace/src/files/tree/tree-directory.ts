import {
  closeSync,
  constants,
  fstatSync,
  lstatSync,
  opendirSync,
  openSync,
  readdirSync,
  readlinkSync,
  readSync,
  type BigIntStats,
  type Dirent,
} from 'node:fs';
import { isSame, type Identity } from '../paths/identity.js';
import type { Anchoring } from '../paths/open-directory.js';

/** What a tree is walked from. */
interface TreeOptions {
  readonly anchoring: Anchoring;
  /** Directories that are not entered. */
  readonly foreign: readonly Identity[];
}

/** What an entry of a directory is. */
type EntryKind = 'file' | 'directory' | 'link' | 'other';

export interface TreeEntry {
  readonly name: string;
  readonly kind: EntryKind;
}

/** A file that was read, with the time of its last change: Unix time in milliseconds, and in nanoseconds. */
export interface ReadFile {
  readonly content: Buffer;
  readonly mtimeMs: number;
  readonly mtimeNs: bigint;
}

const DIRECTORY = constants.O_RDONLY | (constants.O_DIRECTORY ?? 0) | (constants.O_NOFOLLOW ?? 0) | (constants.O_NONBLOCK ?? 0);
const FILE = constants.O_RDONLY | (constants.O_NOFOLLOW ?? 0) | (constants.O_NONBLOCK ?? 0) | (constants.O_NOCTTY ?? 0);
/** A directory of this size has ten thousands of entries, and is read in pieces of so many. */
const LARGE_BYTES = 1024n * 1024n;
const BATCH = 512;

const kindOf = (stats: {
  isFile(): boolean;
  isDirectory(): boolean;
  isSymbolicLink(): boolean;
}): Exclude<EntryKind, 'other'> | undefined => {
  if (stats.isFile()) return 'file';
  if (stats.isDirectory()) return 'directory';
  return stats.isSymbolicLink() ? 'link' : undefined;
};

/**
 * A directory of a tree that is walked. Held like an `OpenDirectory`, but each step is done at once: a walk over a hundred thousand entries
 * would spend its time in handing steps to threads and back. Never follows a link (W1).
 */
export class TreeDirectory {
  private constructor(
    /** A path that leads to this very directory, for this process and for one that it starts. */
    readonly base: string,
    private readonly descriptor: number | undefined,
    private readonly parent: TreeDirectory | undefined,
    private readonly name: string,
    private readonly found: BigIntStats,
    private readonly options: TreeOptions,
  ) {}

  /** @param base path of a directory that its caller holds, and closes */
  static top(base: string, options: TreeOptions): TreeDirectory {
    const held = base.replace(/\/\.$/, '');
    return new TreeDirectory(held, undefined, undefined, '', lstatSync(`${held}/.`, { bigint: true }), options);
  }

  /** Opens a directory in it; `undefined` if it is none any more, if it may not be read, or is the client's own. */
  openChild(name: string): TreeDirectory | undefined {
    const path = `${this.base}/${name}`;
    let descriptor: number | undefined;
    try {
      const anchored = this.options.anchoring === 'descriptor';
      if (anchored) descriptor = openSync(path, DIRECTORY);
      const stats = descriptor === undefined ? lstatSync(path, { bigint: true }) : fstatSync(descriptor, { bigint: true });
      const usable = stats.isDirectory() && !this.options.foreign.some((identity) => isSame(identity, stats));
      if (usable) {
        const base = descriptor === undefined ? path : `/proc/self/fd/${String(descriptor)}`;
        return new TreeDirectory(base, descriptor, this, name, stats, this.options);
      }
    } catch {
      // gone, swapped, or not for this user: there is nothing to see
    }
    if (descriptor !== undefined) closeSync(descriptor);
    return undefined;
  }

  /** What is in it, in the system's order. Nothing, if it may not be read. A large one is read piece by piece. */
  *entries(): Generator<TreeEntry> {
    try {
      const dirents = this.found.size > LARGE_BYTES ? this.pieces() : readdirSync(`${this.base}/.`, { withFileTypes: true });
      for (const entry of dirents) {
        const kind = kindOf(entry) ?? this.stats(entry.name)?.kind; // a file system may leave the kind out
        if (kind !== undefined) yield { name: entry.name, kind };
      }
    } catch {
      return; // not for this user
    }
  }

  private *pieces(): Generator<Dirent> {
    const directory = opendirSync(this.base, { bufferSize: BATCH });
    try {
      for (let entry = directory.readSync(); entry !== null; entry = directory.readSync()) yield entry;
    } finally {
      directory.closeSync();
    }
  }

  /** What an entry is, and its size; `undefined` if it is gone. */
  stats(name: string): { readonly kind: EntryKind; readonly size: number; readonly stats: BigIntStats } | undefined {
    try {
      const stats = lstatSync(`${this.base}/${name}`, { bigint: true, throwIfNoEntry: false });
      return stats && { kind: kindOf(stats) ?? 'other', size: Number(stats.size), stats };
    } catch {
      return undefined; // its directory may not be searched
    }
  }

  /** The content of a regular file, if it is one and not larger than the limit; as long as it was when it was looked at. */
  readFile(name: string, limit: number): Buffer | undefined {
    return this.readWithTime(name, limit)?.content;
  }

  /** The same with the time of its last change, Unix time in milliseconds. */
  readWithTime(name: string, limit: number): ReadFile | undefined {
    const seen = this.stats(name);
    if (seen?.kind !== 'file' || seen.size > limit) return undefined;
    let descriptor: number | undefined;
    try {
      descriptor = openSync(`${this.base}/${name}`, FILE);
      if (!isSame(fstatSync(descriptor, { bigint: true }), seen.stats)) return undefined;
      const content = Buffer.allocUnsafe(seen.size);
      const { mtimeMs, mtimeNs } = seen.stats;
      const length = readSync(descriptor, content, 0, seen.size, 0);
      return { content: content.subarray(0, length), mtimeMs: Number(mtimeMs), mtimeNs };
    } catch {
      return undefined; // gone, swapped, or not for this user
    } finally {
      if (descriptor !== undefined) closeSync(descriptor);
    }
  }

  /** What a link leads to, as it is written. */
  readLink(name: string): string | undefined {
    try {
      return readlinkSync(`${this.base}/${name}`);
    } catch {
      return undefined; // gone, or no link
    }
  }

  /** Whether it still lies where it was found below the top; if not, what was read of it may be from elsewhere. */
  isInPlace(): boolean {
    try {
      if (this.descriptor === undefined)
        return this.parent === undefined || (isSame(lstatSync(this.base, { bigint: true }), this.found) && this.parent.isInPlace());
      const [top, names] = this.way();
      return readlinkSync(this.base) === [readlinkSync(top.base).replace(/^\/$/, ''), ...names].join('/');
    } catch {
      return false;
    }
  }

  close(): void {
    if (this.descriptor !== undefined) closeSync(this.descriptor);
  }

  private way(): readonly [top: TreeDirectory, names: readonly string[]] {
    const names: string[] = [];
    let at: TreeDirectory = this; // oxlint-disable-line typescript/no-this-alias -- a walk upwards begins here
    for (; at.parent !== undefined; at = at.parent) names.unshift(at.name);
    return [at, names];
  }
}
