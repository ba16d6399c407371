import { constants } from 'node:fs';
import { access, readdir, realpath } from 'node:fs/promises';
import { homedir } from 'node:os';
import { basename, delimiter, dirname, join } from 'node:path';
import { inheritedEnvironment, type Environment } from '../inherited-environment.js';

/** A Python that may have a kernel. */
export interface PythonCandidate {
  readonly path: string;
  /** It lies in the workspace, so it is run only for a cell that somebody approved. */
  readonly isOfWorkspace: boolean;
}

const isWindows = process.platform === 'win32';
const NAMES = isWindows ? ['python.exe'] : ['python3', 'python'];

/** Where projects keep an environment of their own. */
const ENVIRONMENTS = ['.venv', 'venv', 'env', '.conda'];

const pythonIn = (prefix: string): string => (isWindows ? join(prefix, 'Scripts', 'python.exe') : join(prefix, 'bin', 'python'));

const exists = (path: string, mode: number): Promise<boolean> =>
  access(path, mode).then(
    () => true,
    () => false, // it isn't there
  );

/**
 * The Pythons that a kernel is looked for in, the first that has one wins: the environment of the project, the one that is active, and all of
 * the `PATH`. Runs none of them.
 *
 * @param environment without the entries of `PATH` that lead into the workspace
 */
export async function findPythons(root: string, environment: Environment): Promise<readonly PythonCandidate[]> {
  const own = ENVIRONMENTS.map((name) => ({ path: pythonIn(join(root, name)), isOfWorkspace: true }));
  const active = [environment['VIRTUAL_ENV'], environment['CONDA_PREFIX']].flatMap((prefix) => (prefix ? [pythonIn(prefix)] : []));
  const path = Object.entries(environment).find(([name]) => /^path$/i.test(name))?.[1] ?? '';
  const onPath = path.split(delimiter).flatMap((directory) => NAMES.map((name) => join(directory, name)));
  const others = [...new Set([...active, ...onPath])].map((each) => ({ path: each, isOfWorkspace: each.startsWith(`${root}/`) }));
  const all = [...own, ...others];
  const there = await Promise.all(all.map(({ path: each }) => exists(each, constants.X_OK)));
  return all.filter((_, index) => there[index]);
}

/**
 * A kernel specification that is installed, as far as files tell: where Jupyter keeps them, for each user and each Python. Runs nothing.
 *
 * @param root the workspace
 * @returns the path of its `kernel.json`
 */
export async function findKernel(root: string, environment: Environment = inheritedEnvironment(root)): Promise<string | undefined> {
  const home = environment['HOME'] ?? homedir();
  const shared = isWindows
    ? [join(environment['APPDATA'] ?? home, 'jupyter'), join(environment['PROGRAMDATA'] ?? home, 'jupyter')]
    : [join(home, '.local', 'share', 'jupyter'), join(home, 'Library', 'Jupyter'), '/usr/local/share/jupyter', '/usr/share/jupyter'];
  const named = (environment['JUPYTER_PATH'] ?? '').split(delimiter).filter((each) => each !== '');
  const prefixes = (await Promise.all((await findPythons(root, environment)).map(prefixesOf))).flat();
  const folders = new Set([...named, ...prefixes.map((prefix) => join(prefix, 'share', 'jupyter')), ...shared]);
  const found = await Promise.all([...folders].map(async (folder) => findSpecification(join(folder, 'kernels'))));
  return found.find((path) => path !== undefined);
}

/** Where a Python is installed; of one that chooses among versions (pyenv), all that it could choose. */
async function prefixesOf({ path }: PythonCandidate): Promise<readonly string[]> {
  const directory = dirname(path);
  if (basename(directory) === 'shims') {
    const versions = join(dirname(directory), 'versions');
    return (await readdir(versions).catch(() => [])).map((version) => join(versions, version));
  }
  const target = await realpath(path).catch(() => path);
  return [dirname(directory), dirname(dirname(target))];
}

async function findSpecification(folder: string): Promise<string | undefined> {
  const names = await readdir(folder).catch(() => []); // there is no such folder
  const paths = names.slice(0, 50).map((name) => join(folder, name, 'kernel.json'));
  const there = await Promise.all(paths.map((path) => exists(path, constants.R_OK)));
  return paths.find((_, index) => there[index]);
}
