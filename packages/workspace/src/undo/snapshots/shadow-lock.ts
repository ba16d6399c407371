import { readFile, unlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { unlessMissing } from '../../backups/blob-store.js';
import { isAlive, thisProcess, type ProcessMark } from '../../backups/process-mark.js';
import { isErrno } from '../../to-tool-error.js';
import { ShadowFailure } from './shadow-git.js';

/** How long one process waits for another one's snapshot. */
const PATIENCE_MS = 20_000;

const PAUSE_MS = 25;

const take = async (file: string): Promise<boolean> => {
  try {
    await writeFile(file, JSON.stringify(thisProcess()), { flag: 'wx', mode: 0o600 });
    return true;
  } catch (error) {
    if (!isErrno(error, 'EEXIST')) throw error;
    return false;
  }
};

const isHeld = async (file: string): Promise<boolean> => {
  const text = await unlessMissing(readFile(file, 'utf8'));
  if (text === undefined) return false;
  if (text === '') return true; // being written
  return isAlive(JSON.parse(text) as ProcessMark); // written above
};

/**
 * Lets one process at a time work with the index of a shadow repository; what one that was killed left behind is removed.
 *
 * @throws ShadowFailure if another process has it for too long
 */
export async function withShadowLock<T>(gitDir: string, use: () => Promise<T>): Promise<T> {
  const file = join(gitDir, 'snapshot.lock');
  const end = performance.now() + PATIENCE_MS;
  while (!(await take(file))) {
    if (!(await isHeld(file))) await unlessMissing(unlink(file));
    else if (performance.now() > end) throw new ShadowFailure('another process has been looking at the workspace for too long');
    else await wait(PAUSE_MS);
  }
  try {
    await unlessMissing(unlink(join(gitDir, 'index.lock')));
    return await use();
  } finally {
    await unlessMissing(unlink(file));
  }
}
