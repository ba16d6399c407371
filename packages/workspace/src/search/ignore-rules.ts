import { compilePath, compileSegment } from './glob.js';

interface Rule {
  readonly negated: boolean;
  readonly directoriesOnly: boolean;
  /** @param path below the directory of the file that has the rule */
  readonly test: (path: string, name: string) => boolean;
}

/** The rules of one `.gitignore`, and those of the directories above. */
export interface IgnoreRules {
  /** Length of the directory's path with its `/`: what is cut off a path to get the one that rules are about. */
  readonly prefix: number;
  readonly rules: readonly Rule[];
  readonly above: IgnoreRules | undefined;
}

/** Rules of one file: more is no list that a person wrote. */
const MAX_RULES = 5_000;

const trimEnd = (line: string): string => {
  let end = line.length;
  while (end > 0 && line[end - 1] === ' ' && line[end - 2] !== '\\') end -= 1;
  return line.slice(0, end);
};

const readRule = (line: string): Rule | undefined => {
  const trimmed = trimEnd(line.replace(/\r$/, ''));
  if (trimmed === '' || trimmed.startsWith('#')) return undefined;
  const negated = trimmed.startsWith('!');
  const bare = negated ? trimmed.slice(1) : trimmed;
  const directoriesOnly = bare.endsWith('/');
  const text = directoriesOnly ? bare.slice(0, -1) : bare;
  if (text === '') return undefined;
  if (!text.includes('/')) {
    const test = compileSegment(text);
    return test && { negated, directoriesOnly, test: (_path, name) => test(name) };
  }
  const test = compilePath(text.replace(/^\//, ''));
  return test && { negated, directoriesOnly, test: (path) => test(path) };
};

/**
 * Reads a file of ignore rules, as git does; what is no pattern is left out.
 *
 * @param directory path of the directory that the rules are about; empty for the workspace
 */
export function readIgnoreRules(text: string, directory: string, above: IgnoreRules | undefined): IgnoreRules {
  const lines = text.replace(/^\ufeff/, '').split('\n', MAX_RULES);
  const rules = lines.map(readRule).filter((rule) => rule !== undefined);
  return { prefix: directory === '' ? 0 : directory.length + 1, rules, above };
}

/** Whether rules name an entry: the last one that is about it decides, those of its own directory before those above. */
export function isIgnored(rules: IgnoreRules | undefined, path: string, name: string, isDirectory: boolean): boolean {
  for (let level = rules; level !== undefined; level = level.above) {
    const below = level.prefix === 0 ? path : path.slice(level.prefix);
    for (let index = level.rules.length - 1; index >= 0; index -= 1) {
      const rule = level.rules[index]!;
      if ((isDirectory || !rule.directoriesOnly) && rule.test(below, name)) return !rule.negated;
    }
  }
  return false;
}
