import type { NameEffects } from '../../backups/name-effects.js';
import { about, isErrno } from '../../to-tool-error.js';
import { ToolFailure } from '../../tool-failure.js';
import type { CommitRecord } from '../content/commit-changes.js';
import type { WorkspacePath } from '../paths/parse-path.js';
import { resolveDirectory } from '../paths/resolve-path.js';
import type { WorkspaceRoot } from '../paths/workspace-root.js';

const OPTIONS = { purpose: 'change', links: 'follow' } as const;

/** The directories that a path lacks, as their paths without links, outermost first. */
export async function missingDirectories(root: WorkspaceRoot, path: WorkspacePath): Promise<readonly string[]> {
  for (let depth = path.segments.length; ; depth -= 1) {
    try {
      const segments = path.segments.slice(0, depth);
      const place = await resolveDirectory(root, { text: path.text, segments }, OPTIONS);
      await place.close();
      const rest = path.segments.slice(depth);
      return rest.map((_, index) => [...place.directory.segments, ...rest.slice(0, index + 1)].join('/'));
    } catch (error) {
      if (depth === path.segments.length && isErrno(error, 'ENOTDIR', 'ELOOP'))
        throw new ToolFailure('CONFLICT', `${path.text} exists already, and is no directory or lies below a file.`);
      if (!isErrno(error, 'ENOENT')) throw error;
    }
  }
}

/**
 * Makes a directory and those above it.
 *
 * @param keep notes what is about to be made
 * @returns whether there was anything to make
 */
export function makeDirectory(
  root: WorkspaceRoot,
  path: WorkspacePath,
  keep: (effects: NameEffects) => Promise<CommitRecord>,
): Promise<boolean> {
  return about(path.text, async () => {
    const missing = await missingDirectories(root, path);
    if (missing.length === 0) return false;
    const record = await keep({ created_directories: missing });
    try {
      const place = await resolveDirectory(root, path, { ...OPTIONS, createDirectories: true });
      try {
        await place.directory.assertInPlace();
        for (const { parent } of place.created) await parent.sync();
      } finally {
        await place.close();
      }
    } catch (error) {
      await record.drop().catch(() => undefined); // what was made on the way was removed again
      throw error;
    }
    await record.done().catch(() => undefined); // the effect is there; the record is set right when the workspace is next opened
    return true;
  });
}
