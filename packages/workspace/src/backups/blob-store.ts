import { mkdir, readdir, readFile, stat, unlink, utimes } from 'node:fs/promises';
import { join } from 'node:path';
import { sha256Of } from '../files/paths/read-regular-file.js';
import { isErrno } from '../to-tool-error.js';
import { writeDurably } from './write-durably.js';

/** A blob as it lies on the disk. */
interface StoredBlob {
  readonly sha256: string;
  readonly bytes: number;
  /** When it was last put, Unix time. */
  readonly usedAtMs: number;
}

/** `undefined` instead of an error for what is not there: another process of the same user may have removed it. */
export const unlessMissing = async <T>(result: Promise<T>): Promise<T | undefined> => {
  try {
    return await result;
  } catch (error) {
    if (isErrno(error, 'ENOENT')) return undefined;
    throw error;
  }
};

/** Contents under their SHA-256, each stored once. */
export class BlobStore {
  constructor(
    private readonly directory: string,
    private readonly now: () => number,
  ) {}

  /** Stores a content, or marks the one that is there as used. With `durably` it is on the disk when it returns. */
  async put(sha256: string, content: Buffer, how: 'durably' | 'lazily'): Promise<void> {
    await mkdir(this.directory, { recursive: true, mode: 0o700 });
    const path = join(this.directory, sha256);
    const now = new Date(this.now());
    try {
      await utimes(path, now, now);
    } catch (error) {
      if (!isErrno(error, 'ENOENT')) throw error;
      await writeDurably(path, content, how);
      await utimes(path, now, now);
    }
  }

  /** The content; `undefined` too where the machine stopped before it was on the disk. */
  async get(sha256: string): Promise<Buffer | undefined> {
    const content = await unlessMissing(readFile(join(this.directory, sha256)));
    return content !== undefined && sha256Of(content) === sha256 ? content : undefined;
  }

  async list(): Promise<readonly StoredBlob[]> {
    const names = ((await unlessMissing(readdir(this.directory))) ?? []).filter((name) => /^[0-9a-f]{64}$/.test(name));
    const found = await Promise.all(
      names.map(async (sha256) => {
        const stats = await unlessMissing(stat(join(this.directory, sha256)));
        return stats === undefined ? undefined : { sha256, bytes: stats.size, usedAtMs: stats.mtimeMs };
      }),
    );
    return found.filter((blob) => blob !== undefined);
  }

  async remove(sha256: string): Promise<void> {
    await unlessMissing(unlink(join(this.directory, sha256)));
  }
}
