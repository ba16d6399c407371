import { relative, sep, join } from 'node:path';
import { isInside } from '../files/paths/workspace-root.js';
import type { Environment } from '../inherited-environment.js';
import { ToolFailure } from '../tool-failure.js';
import { fateOf } from './allowed-settings.js';
import { assertOwned } from './assert-owned.js';
import { belongsTogether, findOutwardLink } from './belongs-together.js';
import { findGitDirectory, type GitDirectory } from './git-directory.js';
import { gitOutput } from './git-output.js';
import { readRepositoryFile } from './read-repository-file.js';
import { makeRepositoryView } from './repository-view.js';
import { nameOf, readSettings, type Setting } from './settings.js';

/** The repository that a folder is in. */
interface FoundRepository extends GitDirectory {
  /** What its own configuration says, in order. Files that it includes are not read. */
  readonly settings: readonly Setting[];
}

/** The repository that the workspace is in, as far as it may be trusted. */
export interface Repository extends GitDirectory {
  /** Where the workspace lies in it: empty, or with a slash at its end. */
  readonly prefix: string;
  /** The variables by which git sees it, with the settings that it may make. */
  readonly variables: Environment;
  /** Names of its settings that it may not make: those that are not on the list. No git of ours gets them. */
  readonly refusedSettings: readonly string[];
  /** To be called before git changes something. */
  readonly prepareChange: () => Promise<void>;
}

/** The oldest git that takes settings from the environment, which is how those of every run are made. */
const OLDEST = [2, 31] as const;

const assertVersion = async (root: string, signal: AbortSignal): Promise<void> => {
  const answer = await gitOutput({ root, args: ['version'], signal });
  const [major = 0, minor = 0] = (/(\d+)\.(\d+)/.exec(answer) ?? []).slice(1).map(Number);
  if (major < OLDEST[0] || (major === OLDEST[0] && minor < OLDEST[1]))
    throw new ToolFailure('GIT_ERROR', `${answer.trim()} is too old; install git ${OLDEST.join('.')} or newer.`);
};

const isTrue = ({ value }: Setting): boolean => value === undefined || /^(true|yes|on|[1-9]\d*)$/i.test(value);

/** The configuration of the repository, and that of the work tree where there is one. */
const settingsOf = async (root: string, { gitDir, commonDir }: GitDirectory, signal: AbortSignal): Promise<readonly Setting[]> => {
  const read = async (directory: string, name: string): Promise<readonly Setting[]> => {
    const file = await readRepositoryFile(join(directory, name), `.git/${name}`);
    return file === undefined ? [] : readSettings(root, file, signal);
  };
  const shared = await read(commonDir, 'config');
  const hasOwn = shared.findLast(({ key, subsection }) => key === 'extensions.worktreeconfig' && subsection === undefined);
  return hasOwn !== undefined && isTrue(hasOwn) ? [...shared, ...(await read(gitDir, 'config.worktree'))] : shared;
};

/** Git must know what an extension means to read the data at all. */
const assertReadable = (settings: readonly Setting[]): void => {
  const strange = settings.find((setting) => setting.key.startsWith('extensions.') && fateOf(setting) === 'outside');
  if (strange !== undefined)
    throw new ToolFailure(
      'GIT_ERROR',
      `The repository sets ${nameOf(strange)}, an extension that is not known here; its data are not read.`,
    );
};

/**
 * Finds the repository of a folder without letting it say anything about how it is read, and makes sure that it is this one and no other.
 *
 * @param root the workspace, for which programs are not taken
 * @throws ToolFailure `GIT_NOT_INITIALIZED`, or `GIT_ERROR` with what to do
 */
export async function findRepository(root: string, signal: AbortSignal, directory: string = root): Promise<FoundRepository> {
  const place = await findGitDirectory(directory);
  if (place === undefined)
    throw new ToolFailure('GIT_NOT_INITIALIZED', 'The workspace is in no git repository; run "git init" in it first.');
  const settings = await settingsOf(root, place, signal).catch(async (error: unknown) => {
    await assertVersion(root, signal);
    throw error;
  });
  assertReadable(settings);
  const worktree = settings.findLast(({ key, subsection }) => key === 'core.worktree' && subsection === undefined)?.value;
  const named = worktree === undefined || worktree === '' ? undefined : Buffer.from(worktree, 'latin1').toString('utf8');
  if (!isInside(place.top, directory) || !(await belongsTogether(place, named)))
    throw new ToolFailure(
      'GIT_ERROR',
      'The .git of the workspace leads to the data of another repository, which do not point back; they are not shown.',
    );
  const link = await findOutwardLink(place);
  if (link !== undefined)
    throw new ToolFailure(
      'GIT_ERROR',
      `${link} in the .git of the workspace is a link that leads out of the repository; it is not followed.`,
    );
  await assertOwned(root, place, signal);
  return { ...place, settings };
}

/**
 * Finds the repository of the workspace, and lets git see it for the time of `use`: without the settings that are not on the list of those
 * that a repository may make. None of them has an effect, so none can make git run a program or show a file.
 *
 * @param directory of the workspace, to find the repository that a command in it would find; the workspace itself if left out
 * @throws ToolFailure `GIT_NOT_INITIALIZED`, or `GIT_ERROR` with what to do
 */
export async function withRepository<T>(
  root: string,
  signal: AbortSignal,
  use: (repository: Repository) => Promise<T>,
  directory: string = root,
): Promise<T> {
  const { settings, ...place } = await findRepository(root, signal, directory);
  const view = await makeRepositoryView(
    place,
    settings.filter((setting) => fateOf(setting) === 'copied'),
  );
  const inner = relative(place.top, directory);
  const prefix = inner === '' ? '' : `${inner.split(sep).join('/')}/`;
  const refusedSettings = settings.filter((setting) => fateOf(setting) === 'outside').map(nameOf);
  try {
    return await use({ ...place, prefix, refusedSettings, variables: view.variables, prepareChange: view.prepareChange });
  } finally {
    await view.remove();
  }
}
