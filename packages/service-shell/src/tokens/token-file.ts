import { randomBytes } from 'node:crypto';
import { link, readFile, rm, writeFile } from 'node:fs/promises';
import { userInfo } from 'node:os';
import { join } from 'node:path';
import { ConfigError } from '../config/read-config.js';
import { ensureDataDir } from '../data-dir.js';

/**
 * The token of this machine, in `<dataDir>/token`, readable by its owner alone; generated when there is none. Processes that ask at the
 * same time get the same one: the file appears complete or not at all.
 */
export async function readOrCreateToken(dataDir: string): Promise<string> {
  const path = join(dataDir, 'token');
  const kept = await readToken(path);
  if (kept !== undefined) return kept;
  await ensureDataDir(dataDir);
  const draft = `${path}.${process.pid}.${randomBytes(4).toString('hex')}`;
  try {
    await writeFile(draft, `cl_${randomBytes(32).toString('base64url')}\n`, { mode: 0o600, flag: 'wx' });
    await link(draft, path).catch((error: NodeJS.ErrnoException) => {
      if (error.code !== 'EEXIST') throw error; // another process was first: its token counts
    });
  } catch (cause) {
    const { code } = cause as NodeJS.ErrnoException;
    const sentence = `No token can be kept in ${dataDir} (${code}): set CODELAB_DATA_DIR to a folder that you can write, or set CODELAB_TOKENS.`;
    throw new ConfigError([sentence], { cause });
  } finally {
    await rm(draft, { force: true });
  }
  const created = await readToken(path);
  if (created === undefined) throw new ConfigError([`${path} is empty: delete it, and a token is generated.`]);
  return created;
}

/** The person whom a generated token stands for: `local/<user name>`. */
export function localOwner(): { readonly tenant: 'local'; readonly sub: string } {
  try {
    return { tenant: 'local', sub: userInfo().username };
  } catch {
    return { tenant: 'local', sub: 'user' }; // a uid without an entry in the user database, as in some containers
  }
}

async function readToken(path: string): Promise<string | undefined> {
  try {
    return (await readFile(path, 'utf8')).trim() || undefined;
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === 'ENOENT' || code === 'ENOTDIR') return undefined;
    throw new ConfigError([`The token in ${path} can't be read (${code}): check who owns it.`], { cause: error });
  }
}
