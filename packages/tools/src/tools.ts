import { applyPatch } from './definitions/apply-patch.js';
import { applyPatchReview } from './definitions/apply-patch-review.js';
import { createDirectory } from './definitions/create-directory.js';
import { deleteFile } from './definitions/delete-file.js';
import { gitBranch } from './definitions/git-branch.js';
import { gitCommit } from './definitions/git-commit.js';
import { gitDiff } from './definitions/git-diff.js';
import { gitLog } from './definitions/git-log.js';
import { gitStatus } from './definitions/git-status.js';
import { killProcess } from './definitions/kill-process.js';
import { listFiles } from './definitions/list-files.js';
import { moveFile } from './definitions/move-file.js';
import { promptUser } from './definitions/prompt-user.js';
import { readFile } from './definitions/read-file.js';
import { runCommand } from './definitions/run-command.js';
import { runPersistent } from './definitions/run-persistent.js';
import { searchInProject } from './definitions/search-in-project.js';
import { writeFile } from './definitions/write-file.js';
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
