import { readdir, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';

/** How long files are kept, and how much of them. */
export interface Kept {
  readonly ms: number;
  readonly bytes: number;
}

/** Removes files below a directory that are too old, and the oldest until the rest is not too much. Never rejects. */
export async function pruneFiles(directory: string, kept: Kept, now = Date.now()): Promise<void> {
  const entries = await readdir(directory, { recursive: true, withFileTypes: true }).catch(() => []);
  const paths = entries.filter((entry) => entry.isFile()).map((entry) => join(entry.parentPath, entry.name));
  const files = await Promise.all(paths.map(async (path) => ({ path, stats: await stat(path).catch(() => undefined) })));
  const known = files.flatMap(({ path, stats }) => (stats === undefined ? [] : [{ path, size: stats.size, time: stats.mtimeMs }]));
  let bytes = 0;
  for (const { path, size, time } of known.sort((one, other) => other.time - one.time)) {
    bytes += size;
    if (bytes > kept.bytes || now - time > kept.ms) await rm(path, { force: true }).catch(() => undefined);
  }
}
