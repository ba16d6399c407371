import { access, constants } from 'node:fs/promises';
import { homedir } from 'node:os';
import { isAbsolute, join } from 'node:path';
import { PlaceError } from '../../core/place/place.js';
import { programFolders } from '../config.js';

const NAMES = process.platform === 'win32' ? ['codelab.cmd', 'codelab.exe'] : ['codelab'];

const isProgram = (path: string): Promise<boolean> =>
  access(path, constants.X_OK).then(
    () => true,
    () => false, // not there, or not ours to run
  );

/**
 * The `codelab` command: the one of the settings, else the first in the `PATH`, which never means the folder that is open.
 *
 * @throws PlaceError `missing`, with what to do
 */
export async function findCommand(named: string): Promise<string> {
  if (named !== '') {
    const path = named.replace(/^~(?=[\\/])/, homedir());
    if (isAbsolute(path) && (await isProgram(path))) return path;
    throw new PlaceError('missing', `The setting codelab.command names ${named}, which is no program: give its absolute path.`);
  }
  for (const folder of programFolders()) for (const name of NAMES) if (await isProgram(join(folder, name))) return join(folder, name);
  throw new PlaceError(
    'missing',
    'There is no codelab command in the PATH of this window: install CodeLab, name the command in the settings, or connect to a gateway of your team.',
  );
}
