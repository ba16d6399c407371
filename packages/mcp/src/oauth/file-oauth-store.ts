import { randomUUID } from 'node:crypto';
import { mkdir, open, readFile, rename, rm, stat, unlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { isMcpServerName } from '@codelab/tools';
import { memoryOAuthStore } from './memory-oauth-store.js';
import type { OAuthStore, StoredLogin } from './oauth-store.js';

/** A lock that is older was left behind by a process that died. */
const STALE_MS = 60_000;
const WAIT_MS = 30_000;
const POLL_MS = 50;

/**
 * Keeps logins in files of a directory: `<server>.json`, readable by their owner alone (600, the directory 700), each written whole or not
 * at all. A lock file makes two processes refresh one after the other.
 */
export function fileOAuthStore(directory: string): OAuthStore {
  const within = memoryOAuthStore(); // its queue: one at a time in this process
  const pathOf = (server: string, end = '.json'): string => {
    if (!isMcpServerName(server)) throw new TypeError(`no server is called ${JSON.stringify(server)}`);
    return join(directory, server + end);
  };
  const ensure = (): Promise<unknown> => mkdir(directory, { recursive: true, mode: 0o700 });

  return {
    async read(server) {
      const text = await readFile(pathOf(server), 'utf8').catch(() => undefined);
      try {
        const login = text === undefined ? undefined : (JSON.parse(text) as StoredLogin);
        return typeof login?.url === 'string' ? login : undefined;
      } catch {
        return undefined; // not ours, or half of one: a login puts it right
      }
    },
    async write(server, login) {
      await ensure();
      const temporary = pathOf(server, `.${randomUUID()}.tmp`);
      await writeFile(temporary, JSON.stringify(login), { mode: 0o600, flag: 'wx' });
      await rename(temporary, pathOf(server));
    },
    async remove(server) {
      await rm(pathOf(server), { force: true });
    },
    locked: (server, run) =>
      within.locked(server, async () => {
        await ensure();
        const lock = pathOf(server, '.lock');
        await take(lock);
        try {
          return await run();
        } finally {
          await rm(lock, { force: true });
        }
      }),
  };
}

async function take(lock: string): Promise<void> {
  for (const deadline = Date.now() + WAIT_MS; ;) {
    try {
      const file = await open(lock, 'wx', 0o600);
      await file.writeFile(String(process.pid));
      await file.close();
      return;
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
    }
    if (await isLeftBehind(lock)) {
      // Renamed first: of two that find it left behind one gets it, and the other finds it gone.
      const mine = `${lock}.${randomUUID()}`;
      await rename(lock, mine).then(
        () => unlink(mine),
        () => undefined,
      );
      continue;
    }
    if (Date.now() > deadline) throw new Error(`another process holds ${lock} for more than ${WAIT_MS / 1_000} seconds`);
    await new Promise((resolve) => setTimeout(resolve, POLL_MS));
  }
}

async function isLeftBehind(lock: string): Promise<boolean> {
  const [found, text] = await Promise.all([stat(lock).catch(() => undefined), readFile(lock, 'utf8').catch(() => '')]);
  if (found === undefined) return false;
  if (Date.now() - found.mtimeMs > STALE_MS) return true;
  const pid = Number.parseInt(text, 10);
  return pid > 0 && pid !== process.pid && !isAlive(pid);
}

const isAlive = (pid: number): boolean => {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
};
