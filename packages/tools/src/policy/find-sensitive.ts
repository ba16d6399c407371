import type { SimpleCommand } from '../commands/judge-command.js';
import type { JsonObject } from '../arguments/json.js';
import { findAlwaysAskReason, findSecretReason } from './always-ask.js';
import { type CommandCall, type PolicyCall } from './policy-call.js';
import { resolveInside } from './resolve-inside.js';

const findReason = (paths: readonly string[], reasonOf: (path: string) => string | undefined): string | undefined => {
  for (const path of paths) {
    const reason = reasonOf(path);
    if (reason !== undefined) return `${path}: ${reason}`;
  }
  return undefined;
};

/** A secret that is moved, deleted or committed is as good as read. */
const findWriteReason = (path: string): string | undefined => findAlwaysAskReason(path) ?? findSecretReason(path);

/** Of a harmless command all paths are known; of another one any word may hold one: `--file=.env`, `@.env`, `HEAD:.env`. */
const mayName = ({ verdict, words, paths, runs }: SimpleCommand): readonly string[] =>
  verdict === 'automatic' ? [...paths, ...runs] : [...paths, ...runs, ...words, ...words.flatMap((word) => word.split(/[=@:,]/))];

const inCommand = ({ commands, cwd }: CommandCall): string | undefined => {
  if (cwd === undefined) return 'where it would run is not inside the workspace';
  return findReason([cwd, ...commands.flatMap(mayName)], findWriteReason);
};

/**
 * What of a call needs a human whatever mode or rule says: paths that make programs run or hold secrets, the workspace as a whole, and file
 * arguments that can't be read. `undefined` for all the rest.
 */
export function findSensitive(call: PolicyCall, args: JsonObject): string | undefined {
  const { row, about, paths, command } = call;
  if (row === undefined || about?.onlyShown) return undefined;
  if (command !== undefined) return inCommand(command);
  if (paths === undefined) {
    if (about === undefined || about.besides !== undefined) return undefined;
    return about.diff === undefined ? 'its paths are not known' : 'the files of the patch are not known';
  }
  if (row.touches === 'nothing') {
    const globs = (about?.globs ?? []).map((name) => args[name]).filter((glob) => typeof glob === 'string');
    return findReason([...paths, ...globs], findSecretReason);
  }
  const whole = about?.takesAll !== undefined && paths.some((path) => resolveInside('', path) === '');
  return whole ? 'it is the whole workspace' : findReason(paths, findWriteReason);
}
