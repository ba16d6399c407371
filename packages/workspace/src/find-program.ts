import { constants } from 'node:fs';
import { access } from 'node:fs/promises';
import { delimiter, join } from 'node:path';
import type { Environment } from './inherited-environment.js';

/**
 * The absolute path of a program on the `PATH` of an environment; `undefined` if it is not there. Looked up here because some systems look
 * into the working directory first, which is the workspace.
 */
export async function findProgram(name: string, environment: Environment): Promise<string | undefined> {
  const path = Object.entries(environment).find(([variable]) => /^path$/i.test(variable))?.[1] ?? '';
  const file = process.platform === 'win32' ? `${name}.exe` : name;
  for (const directory of path.split(delimiter).filter((entry) => entry !== '')) {
    const candidate = join(directory, file);
    const usable = await access(candidate, constants.X_OK).then(
      () => true,
      () => false, // not in this directory
    );
    if (usable) return candidate;
  }
  return undefined;
}
