import type { ResultOf } from '@codelab/tools';
import type { Executor } from './executor.js';
import { branchOf, succeeded, withGit, type Git } from '../git/prepare-git.js';
import { ToolFailure } from '../tool-failure.js';

/** Bytes of the list of branches. */
const MAX_LIST_BYTES = 4 * 1024 * 1024;

/** Bytes of the list of files that differ between two branches. */
const MAX_NAMES_BYTES = 64 * 1024 * 1024;

const FIELDS = ['%(refname:lstrip=2)', '%(objectname)', '%(upstream:short)', '%(HEAD)'];

const list = async (git: Git): Promise<ResultOf<'git.branch'>> => {
  const outcome = await git.read(['for-each-ref', `--format=${FIELDS.join('%00')}`, 'refs/heads'], MAX_LIST_BYTES);
  if (outcome.kind === 'over_limit')
    throw new ToolFailure('GIT_ERROR', `The list of branches has more than ${String(MAX_LIST_BYTES)} bytes.`);
  const lines = succeeded(outcome, 'for-each-ref').toString('utf8').split('\n').slice(0, -1);
  const branches = lines.map((line) => {
    const [name, sha, upstream, head] = line.split('\0');
    return { name: name!, sha: sha!, current: head === '*', upstream: upstream || undefined };
  });
  return { current: await branchOf(git), branches };
};

/** A name that is a branch's and nothing else: no option, no revision, no earlier branch by a sign. */
const assertName = async (git: Git, name: string): Promise<void> => {
  const isPlain = !/[\0\n]/.test(name) && !name.startsWith('-') && !/^(HEAD|@)$/.test(name);
  if (!isPlain || !(await git.test(['check-ref-format', `refs/heads/${name}`])))
    throw new ToolFailure('INVALID_ARGUMENTS', `git takes no branch of the name ${JSON.stringify(name)}.`);
};

const exists = (git: Git, name: string): Promise<boolean> => git.test(['show-ref', '--verify', '--quiet', `refs/heads/${name}`]);

const assertExists = async (git: Git, name: string): Promise<void> => {
  if (!(await exists(git, name))) throw new ToolFailure('GIT_ERROR', `There is no local branch ${name}.`);
};

/** A switch changes the whole work tree; where the workspace is a part of it, the rest must be the same on both branches. */
const assertStaysInside = async (git: Git, name: string): Promise<void> => {
  const { prefix } = git.repository;
  if (prefix === '') return;
  const names = await git.read(['diff-tree', '-r', '-z', '--name-only', 'HEAD', `refs/heads/${name}`], MAX_NAMES_BYTES);
  const paths = succeeded(names, 'diff-tree')
    .toString('utf8')
    .split('\0')
    .filter((path) => path !== '');
  if (names.kind === 'over_limit' || paths.some((path) => !path.startsWith(prefix)))
    throw new ToolFailure(
      'GIT_ERROR',
      `${name} differs in files outside of the workspace, which is a part of a bigger repository; switch by hand.`,
    );
};

const CHANGES: Readonly<Record<'create' | 'switch' | 'delete', (git: Git, name: string) => Promise<unknown>>> = {
  create: async (git, name) => {
    if (await exists(git, name)) throw new ToolFailure('GIT_ERROR', `There is a branch ${name} already.`);
    if (!(await git.test(['rev-parse', '--verify', '--quiet', 'HEAD'])))
      throw new ToolFailure('GIT_ERROR', 'There is no commit yet, so a branch has nothing to begin at; make a commit first.');
    return git.change(['branch', '--no-track', '--', name]);
  },
  switch: async (git, name) => {
    await assertExists(git, name);
    await assertStaysInside(git, name);
    return git.change(['switch', '--quiet', '--no-guess', '--no-overwrite-ignore', '--no-recurse-submodules', name]);
  },
  delete: async (git, name) => {
    await assertExists(git, name);
    if ((await branchOf(git)) === name) throw new ToolFailure('GIT_ERROR', `${name} is checked out; switch to another branch first.`);
    return git.change(['branch', '--quiet', '-d', '--', name]);
  },
};

/** Lists and changes local branches (docs/specification/tools.md#gitbranch). Nothing is forced: git refuses what would lose commits or changes. */
export const gitBranch: Executor<'git.branch'> = {
  watched: ({ action }) => action === 'switch',

  async run({ action, name }, context) {
    if (action !== 'list' && name === undefined)
      throw new ToolFailure('INVALID_ARGUMENTS', `git.branch: "name" is missing for "${action}".`);
    return withGit(context, async (git) => {
      if (action === 'list' || name === undefined) return list(git);
      await assertName(git, name);
      await CHANGES[action](git, name);
      return { success: true, name, current: await branchOf(git) };
    });
  },
};
