import type { KeyEntry } from '../models/models-file.js';
import { matchesName } from './catalog/match-name.js';

/** Whether a key may see and use a tool: `block` beats `allow`, and without an `allow` everything is allowed that is not blocked. */
export function mayUseTool(entry: KeyEntry | undefined, name: string): boolean {
  const { allow, block } = entry?.tools ?? {};
  const isIn = (patterns: readonly string[]): boolean => patterns.some((pattern) => matchesName(pattern, name));
  if (block !== undefined && isIn(block)) return false;
  return allow === undefined || isIn(allow);
}
