import type { UseResult } from './row.js';
import type { UseContext } from './use-context.js';

/** What a row does with a path of a model, or the error that says why it can't be one of the workspace. */
export function withPath<Result>(given: string, { toPath }: UseContext, next: (path: string) => Result): Result | UseResult {
  const to = toPath(given);
  return to.ok ? next(to.path) : { text: to.message, isError: true };
}

/** The path of the workspace that a model means; nothing where it can't be one. */
export const pathOf = (given: string, { toPath }: UseContext): string | undefined => {
  const to = toPath(given);
  return to.ok ? to.path : undefined;
};

/** The paths of the workspace that a model means, without those that can't be one. */
export const pathsOf = (given: readonly string[], context: UseContext): readonly string[] =>
  given.flatMap((path) => pathOf(path, context) ?? []);
