import { mkdir } from 'node:fs/promises';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { ConfigError } from './config/read-config.js';

/** `${XDG_STATE_HOME:-~/.local/state}/codelab`: CodeLab's own data on this machine, never inside a workspace. */
export function defaultDataDir(stateHome?: string): string {
  return join(stateHome || join(homedir(), '.local', 'state'), 'codelab');
}

/** Makes the folder, readable by its owner alone. Throws `ConfigError`, which names `CODELAB_DATA_DIR`, when that is impossible. */
export async function ensureDataDir(dataDir: string): Promise<void> {
  try {
    await mkdir(dataDir, { recursive: true, mode: 0o700 });
  } catch (cause) {
    const { code } = cause as NodeJS.ErrnoException;
    throw new ConfigError([`The data directory ${dataDir} can't be made (${code}): set CODELAB_DATA_DIR to a folder that you can write.`], {
      cause,
    });
  }
}
