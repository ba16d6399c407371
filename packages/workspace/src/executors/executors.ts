import type { CanonicalTool } from '@codelab/tools';
import type { Executor } from './executor.js';
import { applyPatchReview } from './apply-patch-review.js';
import { applyPatch } from './apply-patch.js';
import { createDirectory } from './create-directory.js';
import { deleteFile } from './delete-file.js';
import { gitBranch } from './git-branch.js';
import { gitCommit } from './git-commit.js';
import { gitDiff } from './git-diff.js';
import { gitLog } from './git-log.js';
import { gitStatus } from './git-status.js';
import { listFiles } from './list-files.js';
import { killProcess } from './kill-process.js';
import { moveFile } from './move-file.js';
import { indexMap } from './capabilities/index-map.js';
import { indexSearch } from './capabilities/index-search.js';
import { kernelExecute } from './capabilities/kernel-execute.js';
import { kernelInterrupt, kernelRestart } from './capabilities/kernel-restart.js';
import { mediaRead } from './capabilities/media-read.js';
import { shellExec } from './capabilities/shell-exec.js';
import { shellRestart } from './capabilities/shell-restart.js';
import { processOutput } from './capabilities/process-output.js';
import { promptUser } from './prompt-user.js';
import { readFile } from './read-file.js';
import { runCommand } from './run-command.js';
import { runPersistent } from './run-persistent.js';
import { searchInProject } from './search-in-project.js';
import { writeFile } from './write-file.js';

/** Which file carries out which tool: a new tool is a file beside these and a line here. Capabilities that are not here, an editor has. */
export const EXECUTORS: { readonly [Tool in CanonicalTool]?: Executor<Tool> } = {
  read_file: readFile,
  write_file: writeFile,
  'git.diff': gitDiff,
  list_files: listFiles,
  search_in_project: searchInProject,
  create_directory: createDirectory,
  delete_file: deleteFile,
  move_file: moveFile,
  apply_patch: applyPatch,
  apply_patch_review: applyPatchReview,
  prompt_user: promptUser,
  'git.status': gitStatus,
  'git.log': gitLog,
  'git.branch': gitBranch,
  'git.commit': gitCommit,
  run_command: runCommand,
  run_persistent: runPersistent,
  kill_process: killProcess,
  'process.output': processOutput,
  'index.search': indexSearch,
  'index.map': indexMap,
  'media.read': mediaRead,
  'shell.exec': shellExec,
  'shell.restart': shellRestart,
  'kernel.execute': kernelExecute,
  'kernel.interrupt': kernelInterrupt,
  'kernel.restart': kernelRestart,
};

/** One of them. `never` is what it can be called with: the schema of its tool has checked the arguments. */
export type AnyExecutor = NonNullable<(typeof EXECUTORS)[CanonicalTool]>;
