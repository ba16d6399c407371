import { lstat, mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const PREFIX = 'codelab-git-';

/** A folder is there for one call, which takes minutes at most. */
const LEFT_BEHIND_MS = 24 * 60 * 60_000;

/** Makes a folder outside the workspace, for the time of one call: whoever asks removes it. */
export const makeTemporaryFolder = (): Promise<string> => mkdtemp(join(tmpdir(), PREFIX));

/** Removes what a client that was killed could not: folders of this user that are a day old. Never rejects. */
export async function removeLeftFolders(directory = tmpdir(), nowMs = Date.now()): Promise<void> {
  const names = await readdir(directory).catch((): string[] => []);
  for (const path of names.filter((name) => name.startsWith(PREFIX)).map((name) => join(directory, name))) {
    const found = await lstat(path).catch(() => undefined);
    // In a folder for everybody, only what nobody else can change meanwhile.
    if (found === undefined || !found.isDirectory() || found.uid !== (process.getuid?.() ?? found.uid)) continue;
    if (nowMs - found.mtimeMs > LEFT_BEHIND_MS) await rm(path, { recursive: true, force: true }).catch(() => undefined);
  }
}
