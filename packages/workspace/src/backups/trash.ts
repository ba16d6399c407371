import { randomBytes } from 'node:crypto';
import { mkdir, open, readdir, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { isErrno } from '../to-tool-error.js';
import { unlessMissing } from './blob-store.js';

const NAME = /^[0-9a-f]{24}$/;

/** Makes changes of names in a directory of our own durable, where the system has such a step. */
const sync = async (directory: string): Promise<void> => {
  const handle = await open(directory, 'r').catch((error: unknown) => {
    if (isErrno(error, 'EISDIR', 'EPERM', 'EACCES')) return undefined; // Windows opens no directories
    throw error;
  });
  try {
    await handle?.sync();
  } finally {
    await handle?.close();
  }
};

/**
 * What tools deleted: one directory for each entry, made before the entry comes. It lies in the client's data directory, readable by its
 * user alone, and nothing in it is ever followed or run.
 */
export class Trash {
  constructor(private readonly directory: string) {}

  /** Makes room for one entry, durably; its name is the one that a manifest carries. */
  async makeRoom(): Promise<string> {
    const name = randomBytes(12).toString('hex');
    await mkdir(join(this.directory, name), { recursive: true, mode: 0o700 });
    await sync(this.directory);
    return name;
  }

  /** Where the entry lies, or will. */
  placeOf(name: string): string {
    return join(this.directory, name, 'entry');
  }

  /** Makes the arrival, or the leaving, of an entry durable. */
  sync(name: string): Promise<void> {
    return sync(join(this.directory, name));
  }

  /** Removes an entry, if it is there, and its room. */
  async remove(name: string): Promise<void> {
    await rm(join(this.directory, name), { recursive: true, force: true });
  }

  /** Removes the others, but for rooms that were made after a moment: another process may be about to use them. */
  async keepOnly(names: ReadonlySet<string>, madeBeforeMs: number): Promise<void> {
    for (const name of (await unlessMissing(readdir(this.directory))) ?? []) {
      if (names.has(name) || !NAME.test(name)) continue;
      const stats = await unlessMissing(stat(join(this.directory, name)));
      if (stats !== undefined && stats.mtimeMs < madeBeforeMs) await this.remove(name).catch(() => undefined); // a directory without rights: it stays
    }
  }
}
