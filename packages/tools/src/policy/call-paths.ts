import { LIMITS } from '@codelab/protocol';
import type { CanonicalTool } from '../tools/canonical-tools.js';
import type { JsonObject } from '../arguments/json.js';
import { parsePatch } from '../patch/parse-patch.js';
import { pathsOfPatch } from '../patch/patch.js';

/** The arguments of each tool that are paths. */
const PATH_ARGUMENTS: Partial<Record<CanonicalTool, readonly string[]>> = {
  read_file: ['path'],
  write_file: ['path'],
  'git.diff': ['path'],
  list_files: ['path'],
  search_in_project: ['path'],
  create_directory: ['path'],
  delete_file: ['path'],
  move_file: ['from', 'to'],
  'git.status': ['path'],
  'git.log': ['path'],
};

/** Tools that act on the whole workspace where no path is named. */
const WHOLE_BY_DEFAULT: ReadonlySet<string> = new Set<CanonicalTool>(['list_files', 'search_in_project', 'git.status', 'git.log']);

/** Tools that take a list of further paths. */
const LIST_ARGUMENTS: Partial<Record<CanonicalTool, string>> = { 'git.diff': 'paths', 'git.commit': 'files' };

/** Tools that act on all that lies below a path, too. */
const DEEP: ReadonlySet<string> = new Set<CanonicalTool>([
  ...(['list_files', 'search_in_project', 'git.diff', 'git.status', 'git.log', 'git.commit', 'delete_file', 'move_file'] as const),
]);

/** Tools that touch no path at all. */
const WITHOUT_PATHS: ReadonlySet<string> = new Set<CanonicalTool>(['prompt_user', 'git.branch', 'kill_process']);

/** A longer path is refused by every executor, and not worth matching. */
const isUsable = (path: unknown): path is string => typeof path === 'string' && path.length <= 2 * LIMITS.MAX_PATH_CHARACTERS;

const pathsOfDiff = (diff: unknown): readonly string[] | undefined => {
  try {
    const paths = typeof diff === 'string' ? pathsOfPatch(parsePatch(diff)) : undefined;
    return paths?.every(isUsable) ? paths : undefined;
  } catch {
    return undefined; // not a patch: the executor will refuse it, and until then nothing is known of it
  }
};

/**
 * The workspace paths that a call names, as it names them; for a patch those inside it. `undefined` where they can't be known: a command,
 * a patch that doesn't parse, an argument that is no path.
 */
export function pathsOfCall(tool: CanonicalTool, args: JsonObject): readonly string[] | undefined {
  if (tool === 'apply_patch' || tool === 'apply_patch_review') return pathsOfDiff(args['diff']);
  const names = PATH_ARGUMENTS[tool];
  const list = LIST_ARGUMENTS[tool];
  if (names === undefined && list === undefined) return WITHOUT_PATHS.has(tool) ? [] : undefined;
  const single = (names ?? []).map((name) => args[name]).filter((path) => path !== undefined && path !== null);
  const more = list === undefined ? [] : (args[list] ?? []);
  if (!Array.isArray(more)) return undefined;
  const paths: readonly unknown[] = [...single, ...(more as readonly unknown[])];
  if (!paths.every(isUsable)) return undefined;
  if (paths.length === 0) return WHOLE_BY_DEFAULT.has(tool) ? ['.'] : undefined;
  return paths;
}

/** Whether the call acts on all that lies below its paths. */
export const actsBelow = (tool: CanonicalTool): boolean => DEEP.has(tool);

/** Whether rules about paths can allow calls of the tool. */
export const hasPaths = (tool: CanonicalTool): boolean =>
  tool === 'apply_patch' || tool === 'apply_patch_review' || PATH_ARGUMENTS[tool] !== undefined || LIST_ARGUMENTS[tool] !== undefined;
