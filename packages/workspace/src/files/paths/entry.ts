import type { BigIntStats } from 'node:fs';
import { lstat } from 'node:fs/promises';
import type { EntryMark } from '../../backups/name-effects.js';
import { isErrno } from '../../to-tool-error.js';
import { ToolFailure } from '../../tool-failure.js';
import { fingerprintOf, isSame, kindOfEntry, type Fingerprint } from './identity.js';
import type { Place } from './resolve-path.js';

/** What has a name in a directory: a file, a directory, or a link itself. */
export interface Entry {
  readonly kind: EntryMark['kind'];
  readonly fingerprint: Fingerprint;
}

const statsOf = (place: Place): Promise<BigIntStats | undefined> =>
  lstat(place.directory.entry(place.name), { bigint: true }).catch((error: unknown) => {
    if (isErrno(error, 'ENOENT')) return undefined;
    throw error;
  });

/**
 * What is at a place; `undefined` for nothing.
 *
 * @param path for the message
 * @throws ToolFailure `INVALID_PATH` for a FIFO, a socket or a device: tools leave those alone
 */
export async function findEntry(place: Place, path: string): Promise<Entry | undefined> {
  const stats = await statsOf(place);
  if (stats === undefined) return undefined;
  const kind = stats.isFile() ? 'file' : stats.isDirectory() ? 'directory' : stats.isSymbolicLink() ? 'link' : undefined;
  if (kind === undefined) throw new ToolFailure('INVALID_PATH', `${path} is ${kindOfEntry(stats)}; tools leave it alone.`);
  return { kind, fingerprint: fingerprintOf(stats) };
}

/** Whether the entry of a manifest is the one that was found. */
export const hasMark = (entry: Entry | undefined, { kind, dev, ino }: EntryMark): boolean =>
  entry?.kind === kind && isSame(entry.fingerprint, { dev: BigInt(dev), ino: BigInt(ino) });

/** How a manifest tells which entry it is. */
export const toEntryMark = ({ kind, fingerprint }: Entry): EntryMark => ({
  kind,
  dev: String(fingerprint.dev),
  ino: String(fingerprint.ino),
});

/** Whether it is the same entry, with the same content as far as its own stamps tell. A directory's stamps are about names in it. */
export const isSameEntry = (one: Entry | undefined, other: Entry): boolean =>
  one?.kind === other.kind &&
  isSame(one.fingerprint, other.fingerprint) &&
  (other.kind === 'directory' ||
    (one.fingerprint.size === other.fingerprint.size && one.fingerprint.mtimeNs === other.fingerprint.mtimeNs));
