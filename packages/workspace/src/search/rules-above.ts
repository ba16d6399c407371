import type { Tree } from '../files/tree/tree.js';
import { isIgnored, type IgnoreRules } from './ignore-rules.js';
import { readRulesOf } from './walk-tree.js';

/**
 * The ignore rules of the directories above a tree. None, if they name the tree itself or a directory above it: who asks for `node_modules`
 * by name wants to see it.
 */
export function rulesAbove({ way, segments }: Tree): IgnoreRules | undefined {
  let rules: IgnoreRules | undefined;
  for (const [depth, name] of segments.entries()) {
    rules = readRulesOf(way[depth]!, segments.slice(0, depth).join('/'), rules);
    if (isIgnored(rules, segments.slice(0, depth + 1).join('/'), name, true)) return undefined;
  }
  return rules;
}
