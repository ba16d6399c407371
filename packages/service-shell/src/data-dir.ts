import { mkdir } from 'node:fs/promises';
import { homedir, userInfo } from 'node:os';
import { isAbsolute, join } from 'node:path';
import { ConfigError } from './config/read-config.js';

/** `${XDG_STATE_HOME:-~/.local/state}/codelab`: CodeLab's own data on this machine, never inside a workspace. */
export const defaultDataDir = (stateHome?: string): string => ofUser(stateHome, '.local', 'state');

/** `${XDG_CONFIG_HOME:-~/.config}/codelab`: what this user wrote for CodeLab. */
export const defaultConfigDir = (configHome?: string): string => ofUser(configHome, '.config');

/** A relative path (of `XDG_…` as its specification says, of an empty `HOME` too) counts as unset: it would lead into whatever folder we are started in. */
function ofUser(named: string | undefined, ...inHome: readonly string[]): string {
  if (named !== undefined && isAbsolute(named)) return join(named, 'codelab');
  return join(isAbsolute(homedir()) ? homedir() : userInfo().homedir, ...inHome, 'codelab');
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
