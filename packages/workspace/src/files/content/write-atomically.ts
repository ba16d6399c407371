import { randomBytes } from 'node:crypto';
import { constants } from 'node:fs';
import { link, open, rename, unlink, type FileHandle } from 'node:fs/promises';
import { isErrno } from '../../to-tool-error.js';
import type { FileState } from '../paths/file-state.js';
import type { Place } from '../paths/resolve-path.js';

/** What a file is to hold. */
export interface NewContent {
  readonly content: Buffer;
  /** Permission bits: exact for a file that exists; for a new one the system's umask narrows them, as for any program. */
  readonly mode: number;
}

/** New content that lies beside its file, durable, and takes its place in one step. */
export interface PreparedWrite {
  /** Puts it in place; the directory is still to be synced. Where there was no file before, fails with EEXIST if there is one now. */
  commit(): Promise<void>;
  /** Removes it, if it is not in place. */
  discard(): Promise<void>;
}

const FLAGS = constants.O_WRONLY | constants.O_CREAT | constants.O_EXCL | (constants.O_NOFOLLOW ?? 0);

/** A name for new content that nothing else has. */
export const temporaryName = (): string => `.codelab-${randomBytes(8).toString('hex')}.tmp`;

/** Gives the new file the owner and the bits of the old one; without the owner, bits that lend the owner's rights are dropped. */
const keepOwner = async (handle: FileHandle, before: FileState, mode: number): Promise<void> => {
  const { uid, gid } = await handle.stat();
  let owned = uid === before.uid && gid === before.gid;
  if (!owned) {
    owned = await handle.chown(before.uid, before.gid).then(
      () => true,
      () => false, // only root gives files away; the content counts more than the owner
    );
  }
  await handle.chmod(owned ? mode : mode & 0o777);
};

/** Moves a file to a name that must be free; `link` alone does that in one step, and some file systems have no links. */
const moveToFreeName = async (from: string, to: string): Promise<void> => {
  try {
    await link(from, to);
  } catch (error) {
    if (!isErrno(error, 'EPERM', 'ENOTSUP', 'EOPNOTSUPP', 'ENOSYS', 'EMLINK', 'EACCES', 'EXDEV')) throw error;
    await rename(from, to);
    return;
  }
  await unlink(from).catch(() => undefined); // the file is in place; a second name of it does no harm
};

export const isTemporaryName = (name: string): boolean => /^\.codelab-[0-9a-f]{16}\.tmp$/.test(name);

/** What is replaced, and under which name the new content waits in the same directory. */
interface WriteOptions {
  /** The file that is replaced, whose mode and owner are kept. */
  readonly before: FileState | undefined;
  readonly temporary: string;
}

/**
 * Writes new content beside the file at a place: same directory, so that taking its place is one rename, and a reader sees the old file or
 * the new one (W2). Order: write, fdatasync, rename, fsync of the directory.
 */
export async function prepareWrite(place: Place, { content, mode }: NewContent, options: WriteOptions): Promise<PreparedWrite> {
  const { before } = options;
  const temporary = place.directory.entry(options.temporary);
  const target = place.directory.entry(place.name);
  const discard = async (): Promise<void> => {
    await unlink(temporary).catch(() => undefined); // gone, or its directory is: there is nothing left to remove
  };
  const handle = await open(temporary, FLAGS, before === undefined ? mode : 0o600);
  try {
    await handle.writeFile(content);
    if (before !== undefined) await keepOwner(handle, before, mode);
    await handle.datasync();
  } catch (error) {
    await discard();
    throw error;
  } finally {
    await handle.close();
  }
  return {
    discard,
    commit: () => (before === undefined ? moveToFreeName(temporary, target) : rename(temporary, target)),
  };
}
