import { createHash } from 'node:crypto';
import { constants, type BigIntStats } from 'node:fs';
import { lstat, open, type FileHandle } from 'node:fs/promises';
import { ToolFailure } from '../../tool-failure.js';
import { isErrno } from '../../to-tool-error.js';
import type { FileState } from './file-state.js';
import { fingerprintOf, isSame, kindOfEntry } from './identity.js';
import type { Place } from './resolve-path.js';

const FLAGS = constants.O_RDONLY | (constants.O_NOFOLLOW ?? 0) | (constants.O_NONBLOCK ?? 0) | (constants.O_NOCTTY ?? 0);
const CHUNK_BYTES = 256 * 1024;

/** How often to look again when a file is replaced between looking and opening, as editors do on saving. */
const ATTEMPTS = 5;

export const sha256Of = (content: Buffer): string => createHash('sha256').update(content).digest('hex');

const tooLarge = (path: string, size: string, limit: number): ToolFailure =>
  new ToolFailure('FILE_TOO_LARGE', `${path} has ${size} bytes; at most ${String(limit)} are allowed.`);

/** Reads to the end, whatever size the system states: that of `/proc` is 0, and a file can grow meanwhile. */
const readAll = async (handle: FileHandle, path: string, limit: number): Promise<Buffer> => {
  const chunks: Buffer[] = [];
  let total = 0;
  for (;;) {
    const chunk = Buffer.allocUnsafe(Math.min(CHUNK_BYTES, limit + 1 - total));
    const { bytesRead } = await handle.read(chunk, 0, chunk.length, null);
    if (bytesRead === 0) return Buffer.concat(chunks, total);
    chunks.push(chunk.subarray(0, bytesRead));
    total += bytesRead;
    if (total > limit) throw tooLarge(path, `more than ${String(limit)}`, limit);
  }
};

/** Looks at the entry, and refuses what must not even be opened. */
const look = async (entry: string, path: string, limit: number): Promise<BigIntStats | undefined> => {
  const seen = await lstat(entry, { bigint: true }).catch((error: unknown) => {
    if (isErrno(error, 'ENOENT')) return undefined;
    throw error;
  });
  if (seen !== undefined && !seen.isFile()) throw new ToolFailure('INVALID_PATH', `${path} is ${kindOfEntry(seen)}, not a regular file.`);
  if (seen !== undefined && seen.size > BigInt(limit)) throw tooLarge(path, String(seen.size), limit);
  return seen;
};

/** Opens the entry that was looked at; `undefined` if another one has taken its name. */
const openSeen = async (entry: string, seen: BigIntStats): Promise<{ handle: FileHandle; stats: BigIntStats } | undefined> => {
  const handle = await open(entry, FLAGS).catch((error: unknown) => {
    if (isErrno(error, 'ENOENT', 'ELOOP')) return undefined;
    throw error;
  });
  if (handle === undefined) return undefined;
  const stats = await handle.stat({ bigint: true });
  if (isSame(stats, seen)) return { handle, stats };
  await handle.close();
  return undefined;
};

/** Opens the file at a place, if it is a regular one, for the time of `use`. */
async function withRegularFile<T>(
  place: Place,
  { path, limit }: { readonly path: string; readonly limit: number },
  use: (handle: FileHandle, stats: BigIntStats) => Promise<T>,
): Promise<T | undefined> {
  const entry = place.directory.entry(place.name);
  for (let attempt = 1; attempt <= ATTEMPTS; attempt += 1) {
    const seen = await look(entry, path, limit);
    if (seen === undefined) return undefined;
    const opened = await openSeen(entry, seen);
    if (opened === undefined) continue;
    const { handle, stats } = opened;
    try {
      const answer = await use(handle, stats);
      await place.directory.assertInPlace();
      return answer;
    } finally {
      await handle.close();
    }
  }
  throw new ToolFailure('CONFLICT', `${path} was replaced again and again while it was opened; nothing was read.`);
}

/**
 * Reads the file at a place, if it is a regular one. Nothing else is ever opened: a FIFO would block, a device can do anything. The size is
 * checked before the first byte is read, and again while reading.
 *
 * @param path the path as the caller named it, for messages
 * @returns `undefined` if there is nothing at the place
 * @throws ToolFailure `INVALID_PATH` for what is no regular file, `FILE_TOO_LARGE`; else the system's answer
 */
export function readRegularFile(place: Place, path: string, limit: number): Promise<FileState | undefined> {
  return withRegularFile(place, { path, limit }, async (handle, stats) => {
    const content = await readAll(handle, path, limit);
    const { mode, uid, gid } = stats;
    return {
      content,
      sha256: sha256Of(content),
      mode: Number(mode & 0o7777n),
      uid: Number(uid),
      gid: Number(gid),
      fingerprint: fingerprintOf(stats),
    };
  });
}

/** The same, piece by piece, for a file that is not kept in memory. Each piece has its own memory. */
export async function scanRegularFile(
  place: Place,
  { path, limit, signal }: { readonly path: string; readonly limit: number; readonly signal: AbortSignal },
  onPiece: (piece: Buffer) => void,
): Promise<true | undefined> {
  return withRegularFile<true>(place, { path, limit }, async (handle) => {
    for (let total = 0; ;) {
      signal.throwIfAborted();
      const chunk = Buffer.allocUnsafe(CHUNK_BYTES);
      const { bytesRead } = await handle.read(chunk, 0, chunk.length, null);
      if (bytesRead === 0) return true;
      total += bytesRead;
      if (total > limit) throw tooLarge(path, `more than ${String(limit)}`, limit);
      onPiece(chunk.subarray(0, bytesRead));
    }
  });
}
