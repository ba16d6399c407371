import type { BigIntStats } from 'node:fs';

/** Which file or directory it is, whatever its name. */
export interface Identity {
  readonly dev: bigint;
  readonly ino: bigint;
}

/** Which file it is and that nobody has changed it since. */
export interface Fingerprint extends Identity {
  readonly size: bigint;
  readonly mtimeNs: bigint;
  readonly ctimeNs: bigint;
}

export const identityOf = ({ dev, ino }: BigIntStats): Identity => ({ dev, ino });
export const fingerprintOf = ({ dev, ino, size, mtimeNs, ctimeNs }: BigIntStats): Fingerprint => ({ dev, ino, size, mtimeNs, ctimeNs });

export const isSame = (one: Identity, other: Identity): boolean => one.dev === other.dev && one.ino === other.ino;

/** Whether a file is the same and was left alone; a change of mode or of links counts as a change. */
export const isUntouched = (one: Fingerprint, other: Fingerprint): boolean =>
  isSame(one, other) && one.size === other.size && one.mtimeNs === other.mtimeNs && one.ctimeNs === other.ctimeNs;

/** What an entry that is no regular file is called in a message. */
export function kindOfEntry(stats: BigIntStats): string {
  if (stats.isDirectory()) return 'a directory';
  if (stats.isSymbolicLink()) return 'a link';
  if (stats.isFIFO()) return 'a FIFO';
  if (stats.isSocket()) return 'a socket';
  return 'a device';
}
