import { workspaceDataDir } from '@codelab/workspace';
import { lstat, mkdir, mkdtemp, readdir, rm, symlink } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** Bytes of a socket's path that every system takes. */
const MAX_PATH_BYTES = 100;

const SUFFIX = '.sock';

/** Where the consoles of a workspace listen: a folder of the data directory that is its owner's alone. */
export const consoleFolder = (dataDir: string, root: string): string => join(workspaceDataDir(dataDir, root), 'consoles');

/** The file of a console's socket. */
export const socketFile = (folder: string, name: string): string => join(folder, `${name}${SUFFIX}`);

/** Makes the folder. */
export async function makeConsoleFolder(folder: string): Promise<void> {
  await mkdir(folder, { recursive: true, mode: 0o700 });
}

const own = process.getuid?.();

/** Whether a file is this user's, and nobody else may do with it what `others` says. */
const isPrivate = ({ uid, mode }: { readonly uid: number; readonly mode: number }, others: number): boolean =>
  (own === undefined || uid === own) && (mode & others) === 0;

/**
 * The sockets that consoles of this user have made. One that others may write to, or that is another user's, is none: whoever listens there
 * could approve anything.
 */
export async function findSockets(folder: string): Promise<readonly string[]> {
  const place = await lstat(folder).catch(() => undefined); // nobody has ever listened
  if (place === undefined || !place.isDirectory() || !isPrivate(place, 0o022)) return [];
  const found: string[] = [];
  for (const name of await readdir(folder)) {
    if (!name.endsWith(SUFFIX)) continue;
    const file = join(folder, name);
    const entry = await lstat(file).catch(() => undefined); // gone meanwhile
    if (entry?.isSocket() === true && isPrivate(entry, 0o077)) found.push(file);
  }
  return found;
}

/** Uses a socket by a path that is short enough: a long one is reached by a link in a fresh folder of this user. */
export async function withShortPath<T>(folder: string, file: string, use: (path: string) => Promise<T>): Promise<T> {
  if (Buffer.byteLength(file) <= MAX_PATH_BYTES) return use(file);
  const short = await mkdtemp(join(tmpdir(), 'cl-'));
  try {
    await symlink(folder, join(short, 'c'));
    return await use(join(short, 'c', file.slice(folder.length + 1)));
  } finally {
    await rm(short, { recursive: true, force: true });
  }
}
