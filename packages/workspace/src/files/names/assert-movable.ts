import { findAlwaysAskReason } from '@codelab/tools';
import { ToolFailure } from '../../tool-failure.js';
import type { WorkspacePath } from '../paths/parse-path.js';

/** The reason that `.git` has, under whatever name a file system takes for it. */
const GIT = findAlwaysAskReason('.git');

/**
 * Refuses what is never deleted or moved as a whole, approved or not.
 *
 * @throws ToolFailure `INVALID_PATH`
 */
export function assertMovable({ text, segments }: WorkspacePath, what: 'deleted' | 'moved'): void {
  if (segments.length === 0) throw new ToolFailure('INVALID_PATH', `The workspace itself is never ${what}.`);
  const git = segments.find((segment) => findAlwaysAskReason(segment) === GIT);
  if (git !== undefined) throw new ToolFailure('INVALID_PATH', `${text}: ${git} belongs to git, and is never ${what}; use the git tools.`);
}
