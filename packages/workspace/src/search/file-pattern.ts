import { ToolFailure } from '../tool-failure.js';
import { compilePath, compileSegment } from './glob.js';

/** Alternatives that the braces of one pattern may have together. */
const MAX_ALTERNATIVES = 64;

/** Which files a call is about. */
export interface FilePattern {
  /** It is about paths below the directory, not about names. */
  readonly hasDirectories: boolean;
  /** @param path below the directory of the call */
  matches(path: string, name: string): boolean;
}

const invalid = (pattern: string, why: string): ToolFailure =>
  new ToolFailure('INVALID_ARGUMENTS', `The pattern ${pattern.slice(0, 80)} ${why}.`);

/** The patterns that one with braces stands for: `*.{ts,tsx}` is `*.ts` or `*.tsx`. */
const expandBraces = (pattern: string): string[] => {
  const found = [pattern];
  for (let index = 0; index < found.length;) {
    const text = found[index]!;
    const braces = /^((?:[^\\]|\\.)*?)\{((?:[^\\{}]|\\.)*,(?:[^\\{}]|\\.)*)\}(.*)$/s.exec(text);
    if (braces === null) {
      index += 1;
      continue;
    }
    const [, before, inside, after] = braces;
    found.splice(index, 1, ...inside!.split(',').map((each) => before! + each + after!));
    if (found.length > MAX_ALTERNATIVES) throw invalid(pattern, `has more than ${String(MAX_ALTERNATIVES)} alternatives`);
  }
  return found;
};

/**
 * Reads the `pattern` of a call. Without `/` it is about names, at any depth; with `/` about paths below the directory of the call.
 *
 * @throws ToolFailure `INVALID_ARGUMENTS`
 */
export function readFilePattern(pattern: string): FilePattern {
  const alternatives = expandBraces(pattern).map((text) => text.replace(/^(\.?\/)+/, ''));
  const hasDirectories = pattern.includes('/');
  const tests = alternatives.map((text) => {
    const test = text === '' ? undefined : hasDirectories ? compilePath(text) : compileSegment(text);
    if (test === undefined) throw invalid(pattern, 'cannot be read: a "[" without its "]", or a "\\" at the end');
    return test;
  });
  return { hasDirectories, matches: (path, name) => tests.some((test) => test(hasDirectories ? path : name)) };
}
