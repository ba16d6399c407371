import { ToolFailure } from '../../tool-failure.js';
import type { OpenDirectory } from '../paths/open-directory.js';
import { TreeDirectory } from './tree-directory.js';
import type { WorkspaceRoot } from '../paths/workspace-root.js';

/** A directory of the workspace that is walked, and those above it, whose ignore rules hold in it too. */
export interface Tree {
  /** From the workspace to the directory. */
  readonly way: readonly TreeDirectory[];
  /** Its path without links; empty for the workspace. */
  readonly segments: readonly string[];
  close(): void;
}

/**
 * Opens the directories of a path one by one, none through a link.
 *
 * @param top the workspace, held by its caller as long as the tree is
 * @throws ToolFailure `CONFLICT` if one of them was swapped since the path was resolved, or may not be read
 */
export function openTree(root: WorkspaceRoot, top: OpenDirectory, segments: readonly string[]): Tree {
  const way = [TreeDirectory.top(top.entry('.'), root)];
  const close = (): void => way.forEach((directory) => directory.close());
  for (const name of segments) {
    const child = way.at(-1)!.openChild(name);
    if (child === undefined) {
      close();
      throw new ToolFailure('CONFLICT', `The directory ${segments.join('/')} cannot be opened, or was replaced meanwhile.`);
    }
    way.push(child);
  }
  return { way, segments, close };
}
