import { isSame } from '../../files/paths/identity.js';
import type { WorkspacePath } from '../../files/paths/parse-path.js';
import { resolvePath } from '../../files/paths/resolve-path.js';
import type { WorkspaceRoot } from '../../files/paths/workspace-root.js';
import { about } from '../../to-tool-error.js';
import { ToolFailure } from '../../tool-failure.js';

/** A directory of the workspace that is held open, for a program to run in. */
export interface WorkingDirectory {
  /** As the caller named it. */
  readonly text: string;
  /** Where it lies in the workspace, without links. */
  readonly segments: readonly string[];
  /** Leads to it whatever takes its name meanwhile, as long as it is held. */
  readonly path: string;
  /** Fails if its name has come to lead to another directory. */
  assertStill(): Promise<void>;
  close(): Promise<void>;
}

/**
 * Opens a directory by the walk that everything in the workspace is found by: links are followed as long as they stay inside (W1).
 *
 * @throws ToolFailure `FILE_NOT_FOUND`, `INVALID_PATH` or `PATH_OUTSIDE_WORKSPACE`
 */
export async function openWorkingDirectory(root: WorkspaceRoot, path: WorkspacePath): Promise<WorkingDirectory> {
  const inside = { text: path.text, segments: [...path.segments, '.'] }; // the directory itself, as an entry of it
  return about(path.text, async () => {
    const place = await resolvePath(root, inside, { purpose: 'read', links: 'follow', leaf: 'keep' });
    const { directory, name } = place;
    return {
      text: path.text,
      segments: directory.segments,
      path: directory.entry(name),
      assertStill: async () => {
        const now = await resolvePath(root, inside, { purpose: 'read', links: 'follow', leaf: 'keep' });
        await now.close();
        if (!isSame(now.directory.identity, directory.identity))
          throw new ToolFailure('APPROVAL_MISMATCH', `${path.text} has become another directory since it was approved; nothing was run.`);
      },
      close: () => place.close(),
    };
  });
}
