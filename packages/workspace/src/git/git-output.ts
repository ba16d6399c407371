import { ToolFailure } from '../tool-failure.js';
import { runGit, type GitRun } from './run-git.js';

/** Bytes of the short answers that git gives about itself. */
const MAX_ANSWER = 1024 * 1024;

/**
 * Runs git for a short answer.
 *
 * @throws ToolFailure `GIT_ERROR` with git's words, if it fails
 */
export async function gitOutput(run: Omit<GitRun, 'limit'>): Promise<string> {
  const outcome = await runGit({ ...run, limit: MAX_ANSWER });
  if (outcome.kind === 'over_limit')
    throw new ToolFailure('GIT_ERROR', `git ${run.args[0]!} answers more than ${String(MAX_ANSWER)} bytes.`);
  if (outcome.code !== 0) throw new ToolFailure('GIT_ERROR', `git ${run.args[0]!}: ${outcome.complaint}`);
  return outcome.stdout.toString('utf8');
}
