import { lstat, readFile, realpath } from 'node:fs/promises';
import { dirname, join, relative, resolve, sep } from 'node:path';
import { isInside } from '../files/workspace-root.js';
import { isErrno } from '../to-tool-error.js';
import { ToolFailure } from '../tool-failure.js';
import { gitOutput } from './git-output.js';
import type { GitConfig } from './git-environment.js';

/** One setting, as `git config --list --show-scope` tells it. */
interface Setting {
  readonly scope: string;
  readonly name: string;
  readonly value: string;
}

/** The repository that the workspace is in, as far as it may be trusted. */
export interface Repository {
  /** Settings that silence what the repository's own configuration would run. */
  readonly config: GitConfig;
  /** The canonical path of its work tree. */
  readonly top: string;
  /** Where the workspace lies in it: empty, or with a slash at its end. */
  readonly prefix: string;
  readonly gitDir: string;
  /** Names of settings that neither the system nor the user made. */
  readonly ownSettings: readonly string[];
}

/** The oldest git that takes settings from the environment, which is how a repository's own are overruled. */
const OLDEST = [2, 31] as const;

const hasDotGit = async (directory: string): Promise<boolean> => {
  try {
    await lstat(join(directory, '.git'));
    return true;
  } catch (error) {
    if (isErrno(error, 'ENOENT', 'ENOTDIR', 'EACCES')) return false;
    throw error;
  }
};

/** Whether the folder or one above it has a `.git`; git's own words are not for deciding. */
const isInRepository = async (root: string): Promise<boolean> => {
  for (let directory = root; ; directory = dirname(directory)) {
    if (await hasDotGit(directory)) return true;
    if (dirname(directory) === directory) return false;
  }
};

const sameFile = async (one: string, other: string): Promise<boolean> => {
  const [first, second] = await Promise.all([one, other].map((path) => realpath(path).catch(() => undefined)));
  return first !== undefined && first === second;
};

/** Whether a repository's `core.worktree` is the tree, and the tree's `.git` names the repository. */
const pointsBack = async (gitDir: string, worktree: string, top: string): Promise<boolean> => {
  const forth = await readFile(join(top, '.git'), 'utf8').catch(() => '');
  const named = /^gitdir: (.+?)\n?$/s.exec(forth)?.[1];
  return named !== undefined && (await sameFile(resolve(top, named), gitDir)) && sameFile(resolve(gitDir, worktree), top);
};

/**
 * Whether the data that `.git` leads to belong to this work tree: they lie in it, or they point back at it as those of linked work trees and
 * submodules do. Without that, a `.git` file in the workspace could show the content of any repository on the machine.
 */
const belongsTogether = async (top: string, gitDir: string, commonDir: string, worktree: string | undefined): Promise<boolean> => {
  if (await sameFile(gitDir, commonDir)) {
    const isDirectory = await lstat(join(top, '.git')).then(
      (stats) => stats.isDirectory(),
      () => false, // a work tree without a .git of its own, named by another repository
    );
    return isDirectory ? sameFile(gitDir, join(top, '.git')) : worktree !== undefined && (await pointsBack(gitDir, worktree, top));
  }
  if (!(await sameFile(dirname(gitDir), join(commonDir, 'worktrees')))) return false;
  const back = await readFile(join(gitDir, 'gitdir'), 'utf8').catch(() => '');
  return sameFile(resolve(gitDir, back.trim()), join(top, '.git'));
};

const readSettings = (listing: string): readonly Setting[] => {
  const fields = listing.split('\0');
  return fields.flatMap((field, index) => {
    if (index % 2 === 0) return [];
    const end = field.indexOf('\n');
    const [name, value] = end < 0 ? [field, ''] : [field.slice(0, end), field.slice(end + 1)];
    return [{ scope: fields[index - 1]!, name, value }];
  });
};

const isOwn = ({ scope }: Setting): boolean => !/^(system|global|command)$/.test(scope);

/** Filters that the repository itself defines are programs of the workspace: they are switched off. Those of the user stay. */
const silenceFilters = (names: readonly string[]): GitConfig => {
  const drivers = new Set(names.flatMap((name) => /^filter\.(.+)\.[a-z]+$/s.exec(name)?.[1] ?? []));
  if (names.some((name) => name.startsWith('lfs.'))) drivers.add('lfs'); // git-lfs would run extensions that the repository names
  return Object.fromEntries(
    [...drivers].flatMap((driver) => [
      [`filter.${driver}.clean`, ''],
      [`filter.${driver}.smudge`, ''],
      [`filter.${driver}.process`, ''],
      [`filter.${driver}.required`, 'false'],
    ]),
  );
};

const assertVersion = async (root: string, signal: AbortSignal): Promise<void> => {
  const answer = await gitOutput({ root, args: ['version'], signal });
  const [major = 0, minor = 0] = (/(\d+)\.(\d+)/.exec(answer) ?? []).slice(1).map(Number);
  if (major < OLDEST[0] || (major === OLDEST[0] && minor < OLDEST[1]))
    throw new ToolFailure('GIT_ERROR', `${answer.trim()} is too old; install git ${OLDEST.join('.')} or newer.`);
};

/**
 * Finds the repository of the workspace and makes sure that it can be asked without running its programs or reading another one.
 *
 * @param directory of the workspace, to find the repository that a command in it would find; the workspace itself if left out
 * @throws ToolFailure `GIT_NOT_INITIALIZED`, or `GIT_ERROR` with what to do
 */
export async function findRepository(root: string, signal: AbortSignal, directory: string = root): Promise<Repository> {
  if (!(await isInRepository(directory)))
    throw new ToolFailure('GIT_NOT_INITIALIZED', 'The workspace is in no git repository; run "git init" in it first.');
  const ask = (...args: readonly string[]): Promise<string> => gitOutput({ root, directory, args, signal });
  const [answer, listing] = await Promise.all([
    ask('rev-parse', '--path-format=absolute', '--show-toplevel', '--git-dir', '--git-common-dir'),
    ask('config', '--list', '--show-scope', '-z'),
  ]).catch(async (error: unknown) => {
    await assertVersion(root, signal);
    throw error;
  });
  const [top, gitDir, commonDir, ...rest] = answer.replace(/\n$/, '').split('\n');
  if (top === undefined || gitDir === undefined || commonDir === undefined || rest.length > 0) {
    await assertVersion(root, signal); // an old git repeats what it doesn't understand
    throw new ToolFailure('GIT_ERROR', 'The place of the repository cannot be told: a folder above it has a line break in its name.');
  }
  const real = await realpath(top);
  const settings = readSettings(listing);
  const worktree = settings.findLast(({ scope, name }) => scope === 'local' && name === 'core.worktree')?.value;
  if (!isInside(real, directory) || !(await belongsTogether(real, gitDir, commonDir, worktree || undefined)))
    throw new ToolFailure(
      'GIT_ERROR',
      'The .git of the workspace leads to the data of another repository, which do not point back; they are not shown.',
    );
  const ownSettings = settings.filter(isOwn).map(({ name }) => name);
  const inner = relative(real, directory);
  const prefix = inner === '' ? '' : `${inner.split(sep).join('/')}/`;
  return { config: silenceFilters(ownSettings), top: real, prefix, gitDir, ownSettings };
}
