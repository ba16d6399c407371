import type { JsonObject } from '../arguments/json.js';
import { maskSecrets } from '../secrets/mask-secrets.js';
import { findTool } from '../tools/tools.js';
import { pathsOfCall } from './call-paths.js';

/** Characters of a command, or of a list of paths, that a row of the audit trail shows. */
const MAX_CHARACTERS = 120;

const MAX_PATHS = 3;

/**
 * What a call acts on, as the audit trail shows it: its paths, the head of its command, the name of a process or branch. One line of at most
 * 120 characters, secrets masked; '' where nothing is known, as for a tool of another program. File contents are never part of it.
 */
export function auditTarget(toolName: string, args: JsonObject): string {
  const tool = findTool(toolName);
  if (tool === undefined) return '';
  const whole = tool.target?.(args) ?? listPaths(pathsOfCall(tool, args) ?? []);
  const { text } = maskSecrets(whole, new Set()); // before the cut: half a secret has no shape to know it by
  const line = text.trim().split(/[\r\n]/, 1)[0]!;
  const head = [...line].slice(0, MAX_CHARACTERS - 2).join('');
  return head === text.trim() ? head : `${head} …`;
}

const listPaths = (paths: readonly string[]): string => {
  const more = paths.length - MAX_PATHS;
  return `${paths.slice(0, MAX_PATHS).join(', ')}${more > 0 ? ` and ${String(more)} more` : ''}`;
};
