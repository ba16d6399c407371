import { mkdir, readFile, rename, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

/** Where conversations about one folder are remembered. */
export interface RememberedFolder {
  /** CodeLab's own data on this machine. */
  readonly dataDir: string;
  readonly workspaceId: string;
}

/** What this machine remembers of a folder's conversations; the folder of it, for what else is remembered. */
export const conversationsOf = ({ dataDir, workspaceId }: RememberedFolder): string => join(dataDir, 'chat', workspaceId);

const fileOf = (folder: RememberedFolder): string => join(conversationsOf(folder), 'sessions.json');

/**
 * The session that was used last for a folder, by whatever client of this machine.
 *
 * @param place `local` for the services of this machine, else the address of the gateway
 */
export const lastSession = async (folder: RememberedFolder, place: string): Promise<string | undefined> => (await read(folder))[place];

/** Remembers the session that is used for a folder now: `codelab chat --continue` goes on with it. */
export async function rememberSession(folder: RememberedFolder, place: string, sessionId: string): Promise<void> {
  await mkdir(conversationsOf(folder), { recursive: true, mode: 0o700 });
  const known = await read(folder);
  if (known[place] === sessionId) return;
  const next = `${fileOf(folder)}.${String(process.pid)}`;
  await writeFile(next, JSON.stringify({ ...known, [place]: sessionId }), { mode: 0o600 });
  await rename(next, fileOf(folder));
}

async function read(folder: RememberedFolder): Promise<Readonly<Record<string, string>>> {
  const text = await readFile(fileOf(folder), 'utf8').catch(() => '{}'); // the first time there is none
  try {
    return JSON.parse(text) as Readonly<Record<string, string>>;
  } catch {
    return {}; // a file that was cut off remembers nothing
  }
}
