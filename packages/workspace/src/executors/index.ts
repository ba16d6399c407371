import type { Executor } from '../executor.js';
import { applyPatchReview } from './apply-patch-review.js';
import { applyPatch } from './apply-patch.js';
import { gitDiff } from './git-diff.js';
import { promptUser } from './prompt-user.js';
import { readFile } from './read-file.js';
import { runCommand } from './run-command.js';
import { writeFile } from './write-file.js';

/** Which file carries out which tool: a new tool is a file beside these and a line here. `never`: the schema has checked the arguments. */
export const EXECUTORS: Readonly<Record<string, Executor<never>>> = {
  read_file: readFile,
  write_file: writeFile,
  'git.diff': gitDiff,
  apply_patch: applyPatch,
  apply_patch_review: applyPatchReview,
  prompt_user: promptUser,
  run_command: runCommand,
};
