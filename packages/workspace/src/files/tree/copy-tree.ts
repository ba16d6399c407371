import { constants } from 'node:fs';
import { lstat, mkdir, open, readdir, readlink, symlink, type FileHandle } from 'node:fs/promises';
import { ToolFailure } from '../../tool-failure.js';
import { isSame, kindOfEntry } from '../paths/identity.js';
import type { OpenDirectory } from '../paths/open-directory.js';

const FLAGS = constants.O_RDONLY | (constants.O_NOFOLLOW ?? 0) | (constants.O_NONBLOCK ?? 0);
const CHUNK_BYTES = 1024 * 1024;

const changed = (name: string): ToolFailure => new ToolFailure('CONFLICT', `${name} was changed meanwhile; nothing was done.`);

const pour = async (source: FileHandle, target: FileHandle, signal: AbortSignal): Promise<void> => {
  const chunk = Buffer.allocUnsafe(CHUNK_BYTES);
  for (;;) {
    signal.throwIfAborted();
    const { bytesRead } = await source.read(chunk, 0, chunk.length, null);
    if (bytesRead === 0) return;
    await target.writeFile(chunk.subarray(0, bytesRead));
  }
};

/**
 * Copies an entry with all that is in it out of the workspace, durably: files with their modes, links as links. It is read through
 * directories that are held, so that no link leads the copy elsewhere (W1).
 *
 * @param to a path of the client's own, where there must be nothing
 * @throws ToolFailure `INVALID_PATH` for what has no content to copy, such as a FIFO
 */
export async function copyTree(directory: OpenDirectory, name: string, to: string, signal: AbortSignal): Promise<void> {
  const entry = directory.entry(name);
  const stats = await lstat(entry, { bigint: true });
  if (stats.isSymbolicLink()) return symlink(await readlink(entry), to);
  if (stats.isDirectory()) {
    await mkdir(to, { mode: 0o700 });
    const child = await directory.openChild(name);
    try {
      for (const each of await readdir(child.entry('.'))) await copyTree(child, each, `${to}/${each}`, signal);
    } finally {
      await child.close();
    }
    const copy = await open(to, 'r');
    try {
      await copy.chmod(Number(stats.mode & 0o777n) | 0o700);
      await copy.sync();
    } finally {
      await copy.close();
    }
    return;
  }
  if (!stats.isFile()) throw new ToolFailure('INVALID_PATH', `${name} is ${kindOfEntry(stats)}, of which no copy can be kept.`);
  const source = await open(entry, FLAGS);
  try {
    if (!isSame(await source.stat({ bigint: true }), stats)) throw changed(name);
    const target = await open(to, 'wx', 0o600);
    try {
      await pour(source, target, signal);
      await target.chmod(Number(stats.mode & 0o777n) | 0o600);
      await target.sync();
    } finally {
      await target.close();
    }
  } finally {
    await source.close();
  }
}
