import { resolveInside } from '../../policy/resolve-inside.js';
import type { SimpleCommand } from '../command-judgement.js';
import { placesOf } from '../parse/directories.js';
import { readRuleOperands } from './read-rule-operands.js';

/** The part of a rule that speaks of commands. */
export interface CommandRule {
  /** The first words of each command, after its wrappers. */
  readonly command: readonly string[];
  /** They are all of its words. */
  readonly exact?: boolean | undefined;
}

/**
 * Whether a rule covers one command, as far as its words tell: it begins with the words of the rule, and what else it has are options that a rule
 * may allow for this program and paths in the workspace, also those in values of options. What the rule names word by word may be anything.
 *
 * @param cwd where the line starts, `''` for the workspace
 */
export function coversWords({ command, exact = false }: CommandRule, { words, paths, directories }: SimpleCommand, cwd: string): boolean {
  if (!command.every((word, index) => words[index] === word)) return false;
  const isInside = (path: string): boolean => resolveInside(cwd, path) !== undefined;
  if (exact) return words.length === command.length && paths.every((path) => isInside(path) || command.some((word) => word.endsWith(path)));
  const operands = readRuleOperands(words, command.length);
  if (operands === undefined || (operands.length > 0 && directories === undefined)) return false;
  return operands.every((path) => !/^[\\~]|^[A-Za-z]:/.test(path) && placesOf(directories, path).every(isInside));
}
