import { delimiter, isAbsolute } from 'node:path';
import { isInside } from './files/paths/workspace-root.js';

/** Variables of a process. */
export type Environment = Readonly<Record<string, string | undefined>>;

/**
 * What a program that we start inherits from us: everything but what would let the workspace or the caller's shell steer it. `GIT_*` goes;
 * of `PATH`, relative entries and those inside the workspace go, so that no file of the workspace is taken for a program.
 *
 * @param root the canonical path of the workspace
 */
export function inheritedEnvironment(root: string, source?: Environment): Environment {
  // eslint-disable-next-line no-restricted-properties -- handed on to a child as it is, not read as configuration
  const own = source ?? process.env;
  const kept = Object.entries(own).filter(([name]) => !/^GIT_/i.test(name));
  return Object.fromEntries(kept.map(([name, value]) => [name, /^path$/i.test(name) ? cleanPath(value ?? '', root) : value]));
}

/** The variables of ours that an environment has not: what somebody else who inherits ours has to be told to do without. */
export function droppedVariables(environment: Environment, source?: Environment): readonly string[] {
  // eslint-disable-next-line no-restricted-properties -- only names are looked at
  return Object.keys(source ?? process.env).filter((name) => environment[name] === undefined);
}

const cleanPath = (path: string, root: string): string =>
  path
    .split(delimiter)
    .filter((entry) => isAbsolute(entry) && !isInside(root, entry))
    .join(delimiter);
