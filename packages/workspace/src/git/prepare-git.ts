import type { CallContext } from '../executors/executor.js';
import type { Environment } from '../inherited-environment.js';
import { ToolFailure } from '../tool-failure.js';
import { withRepository, type Repository } from './find-repository.js';
import { gitOutput } from './git-output.js';
import { runGit, type GitOutcome, type GitRun } from './run-git.js';

interface GitAsk {
  readonly input?: string;
  readonly variables?: Environment;
}

/** The repository of the workspace, ready to be asked and changed. */
export interface Git {
  readonly repository: Repository;
  /** A short answer; `GIT_ERROR` with git's words if it fails. */
  ask(args: readonly string[], more?: GitAsk): Promise<string>;
  /** Whether it succeeds. */
  test(args: readonly string[], more?: GitAsk): Promise<boolean>;
  /** Output up to a limit, and how it ended. */
  read(args: readonly string[], limit: number, more?: GitAsk): Promise<GitOutcome>;
  /** Changes something: once begun it is not cut off, since that would leave locks and half a work tree. */
  change(args: readonly string[], more?: GitAsk): Promise<string>;
}

const MAX_FLAG = 4096;

/** The context of a call, as far as git needs it. */
type GitContext = Pick<CallContext, 'root' | 'files' | 'signal'>;

const toGit = (repository: Repository, { root, signal }: GitContext): Git => {
  const run = (args: readonly string[], { input, variables }: GitAsk = {}): Omit<GitRun, 'limit'> => ({
    ...{ root, signal, args, input },
    variables: { ...repository.variables, ...variables },
  });
  return {
    repository,
    ask: (args, more) => gitOutput(run(args, more)),
    test: async (args, more) => {
      const outcome = await runGit({ ...run(args, more), limit: MAX_FLAG });
      return outcome.kind === 'exited' && outcome.code === 0;
    },
    read: (args, limit, more) => runGit({ ...run(args, more), limit }),
    change: async (args, more) => {
      signal.throwIfAborted();
      await repository.prepareChange();
      return gitOutput({ ...run(args, more), signal: new AbortController().signal });
    },
  };
};

/**
 * Finds the repository of the workspace, for the time of `use`.
 *
 * @throws ToolFailure `GIT_NOT_INITIALIZED` or `GIT_ERROR`
 */
export async function withGit<T>(context: GitContext, use: (git: Git) => Promise<T>): Promise<T> {
  await context.files.assertPresent();
  return withRepository(context.root, context.signal, (repository) => use(toGit(repository, context)));
}

/** What git printed, or its complaint as a failure. */
export function succeeded(outcome: GitOutcome, command: string): Buffer {
  if (outcome.kind === 'exited' && outcome.code !== 0) throw new ToolFailure('GIT_ERROR', `git ${command}: ${outcome.complaint}`);
  return outcome.stdout;
}

/** The branch that is checked out, also before its first commit; null without one. */
export async function branchOf(git: Git): Promise<string | null> {
  const outcome = await git.read(['symbolic-ref', '--quiet', '--short', 'HEAD'], MAX_FLAG);
  return outcome.kind === 'exited' && outcome.code === 0 ? outcome.stdout.toString('utf8').replace(/\n$/, '') : null;
}
