import { findSecretReason } from '@codelab/tools';
import { toWorkspacePath } from '../files/paths/parse-path.js';
import type { WorkspaceFiles } from '../files/workspace-files.js';
import { rulesAbove } from '../search/rules-above.js';
import { TreeWalk } from '../search/walk-tree.js';
import { isErrno } from '../to-tool-error.js';
import { ToolFailure } from '../tool-failure.js';

export interface CompletionOptions {
  /** Candidates that are offered; 50 without. */
  readonly limit?: number;
  readonly signal?: AbortSignal;
}

/** Candidates that are offered if nobody says how many. */
const DEFAULT_LIMIT = 50;

/** Entries that are looked at below the folder that was typed: a person waits for this. */
const MAX_VISITED = 20_000;

/** Characters after which files in other folders are offered too. */
const SEARCH_FROM = 2;

interface Sought {
  readonly folder: string;
  /** Lower case. */
  readonly name: string;
  readonly limit: number;
  readonly signal: AbortSignal;
}

const walkFor = async (files: WorkspaceFiles, { folder, name, limit, signal }: Sought, recursive: boolean): Promise<readonly string[]> =>
  files.tree(toWorkspacePath(folder === '' ? '.' : folder), async (tree) => {
    const found: string[] = [];
    let visited = 0;
    const matches = (entry: string): boolean => (recursive ? entry.toLowerCase().includes(name) : entry.toLowerCase().startsWith(name));
    const walk = new TreeWalk(tree.way.at(-1)!, {
      path: tree.segments.join('/'),
      recursive,
      rules: { above: rulesAbove(tree) },
      wants: (entry) => entry.kind === 'file' && matches(entry.name),
      room: () => limit,
      signal,
    });
    for await (const { name: entry, path, kind } of walk.entries()) {
      visited += 1;
      if (found.length >= limit || visited > MAX_VISITED) break;
      if (matches(entry) && findSecretReason(path) === undefined) found.push(kind === 'directory' ? `${path}/` : path);
    }
    return found;
  });

/**
 * Paths that what was typed can become: entries of the folder that it names, directories with a slash at their end, then files anywhere
 * below whose name has it. Ignored files, files that hold secrets and what lies outside the workspace are not offered.
 *
 * @param prefix as typed after `@`
 */
export async function completePath(
  files: WorkspaceFiles,
  prefix: string,
  { limit = DEFAULT_LIMIT, signal = new AbortController().signal }: CompletionOptions = {},
): Promise<readonly string[]> {
  const slash = prefix.lastIndexOf('/');
  const sought = { folder: prefix.slice(0, Math.max(0, slash)), name: prefix.slice(slash + 1).toLowerCase(), limit, signal };
  try {
    const near = await walkFor(files, sought, false);
    if (near.length >= limit || sought.name.length < SEARCH_FROM) return near;
    const far = await walkFor(files, sought, true);
    return [...new Set([...near, ...far])].slice(0, limit);
  } catch (error) {
    if (signal.aborted || !(error instanceof ToolFailure || isErrno(error, 'ENOENT', 'ENOTDIR', 'EACCES'))) throw error;
    return []; // no such folder, or none of the workspace
  }
}
