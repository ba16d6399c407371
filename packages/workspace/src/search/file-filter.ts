import { ToolFailure } from '../tool-failure.js';
import { readFilePattern } from './file-pattern.js';
import { globsOfType, typesLike } from './file-types.js';

/** Whether a file is searched, by its path below the directory of the call and its name. */
export type FileFilter = (path: string, name: string) => boolean;

/** What a call says of the files that it is about; each of them has to hold. */
interface FilesWanted {
  readonly pattern?: string | undefined;
  /** As `pattern`; with `!` before it the files that don't match. */
  readonly glob?: string | undefined;
  /** As ripgrep calls it. */
  readonly type?: string | undefined;
}

const ofType = (type: string): FileFilter => {
  const globs = globsOfType(type);
  if (globs === undefined) {
    const like = typesLike(type);
    const hint = like.length === 0 ? 'use "glob"' : `there are ${like.join(', ')}; or use "glob"`;
    throw new ToolFailure('INVALID_ARGUMENTS', `There is no type of files "${type}": ${hint}.`);
  }
  const patterns = globs.map(readFilePattern);
  return (path, name) => patterns.some((pattern) => pattern.matches(path, name));
};

const ofPattern = (text: string): FileFilter => {
  const pattern = readFilePattern(text);
  return (path, name) => pattern.matches(path, name);
};

const ofGlob = (glob: string): FileFilter => {
  const isNegative = glob.startsWith('!') && glob.length > 1;
  const pattern = readFilePattern(isNegative ? glob.slice(1) : glob);
  return (path, name) => pattern.matches(path, name) !== isNegative;
};

/**
 * Reads what a call says of files.
 *
 * @throws ToolFailure `INVALID_ARGUMENTS` for a pattern that can't be read, and for a type that is none
 */
export function readFileFilter({ pattern, glob, type }: FilesWanted): FileFilter {
  const filters = [
    ...(pattern === undefined ? [] : [ofPattern(pattern)]),
    ...(glob === undefined ? [] : [ofGlob(glob)]),
    ...(type === undefined ? [] : [ofType(type)]),
  ];
  return (path, name) => filters.every((filter) => filter(path, name));
}
