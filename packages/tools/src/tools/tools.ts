import { applyPatch } from './apply-patch.js';
import { applyPatchReview } from './apply-patch-review.js';
import { createDirectory } from './create-directory.js';
import { deleteFile } from './delete-file.js';
import { gitBranch } from './git-branch.js';
import { gitCommit } from './git-commit.js';
import { gitDiff } from './git-diff.js';
import { gitLog } from './git-log.js';
import { gitStatus } from './git-status.js';
import { killProcess } from './kill-process.js';
import { listFiles } from './list-files.js';
import { moveFile } from './move-file.js';
import { promptUser } from './prompt-user.js';
import { readFile } from './read-file.js';
import { runCommand } from './run-command.js';
import { runPersistent } from './run-persistent.js';
import { searchInProject } from './search-in-project.js';
import { writeFile } from './write-file.js';
import type { CanonicalDefinition } from './tool-definition.js';

/** The 18 tools of the specification (docs/specification/tools.md#versions), in the order of the versions that brought them. */
export const TOOLS: readonly CanonicalDefinition[] = [
  readFile,
  writeFile,
  gitDiff,
  applyPatch,
  applyPatchReview,
  promptUser,
  listFiles,
  searchInProject,
  runCommand,
  createDirectory,
  gitStatus,
  gitLog,
  gitCommit,
  deleteFile,
  moveFile,
  runPersistent,
  killProcess,
  gitBranch,
];

const BY_NAME: ReadonlyMap<string, CanonicalDefinition> = new Map(TOOLS.map((tool) => [tool.name, tool]));

/** The tool of this canonical name. */
export const findTool = (name: string): CanonicalDefinition | undefined => BY_NAME.get(name);
