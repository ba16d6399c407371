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
  // oxlint-disable-next-line no-restricted-properties -- handed on to a child as it is, not read as configuration
  const own = source ?? process.env;
  const kept = Object.entries(own).filter(([name]) => !/^GIT_/i.test(name));
  return Object.fromEntries(kept.map(([name, value]) => [name, /^path$/i.test(name) ? cleanPath(value ?? '', root) : value]));
}

/**
 * What makes an environment of ours, in names and values: all that somebody who starts a program in the same environment has to be told. '' stands for what
 * must not be there. The rest of it, keys of the user among them, is not handed round.
 */
export function changesOf(environment: Environment, source?: Environment): Readonly<Record<string, string>> {
  // oxlint-disable-next-line no-restricted-properties -- compared, not read as configuration
  const own = source ?? process.env;
  const names = new Set([...Object.keys(own), ...Object.keys(environment)]);
  return Object.fromEntries([...names].filter((name) => own[name] !== environment[name]).map((name) => [name, environment[name] ?? '']));
}

const cleanPath = (path: string, root: string): string =>
  path
    .split(delimiter)
    .filter((entry) => isAbsolute(entry) && !isInside(root, entry))
    .join(delimiter);
