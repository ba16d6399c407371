import { agentCodebase } from '../code-index/codebase.js';
import { viewRepoMap } from '../code-index/view-repo-map.js';
import { restartKernel } from '../kernel/restart-kernel.js';
import { runCell } from '../kernel/run-cell.js';
import type { Vocabulary } from '../table/vocabulary.js';
import { applyPatch } from './apply-patch.js';
import { killProcess, processOutput, runCommand } from './commands.js';
import { createDirectory, deleteFile, editFile, readFile, writeFile } from './files.js';
import { gitBranch, gitCommit, gitDiff, gitLog, gitStatus } from './git.js';
import { listFiles } from './list-files.js';
import { askUser, moveFile, switchAgent, task, updateTodos, webFetch, webSearch } from './others.js';
import { search } from './search.js';

/** Ours, for models of no family that has a vocabulary of its own (docs/specification/vocabularies.md#agent): made to be worked with. */
export const agent: Vocabulary = {
  name: 'agent',
  rows: [
    ...[readFile, editFile, applyPatch, writeFile, search, listFiles, runCommand, processOutput, killProcess],
    ...[gitStatus, gitDiff, gitLog, gitCommit, gitBranch, deleteFile, moveFile, createDirectory],
    ...[updateTodos, task, switchAgent, askUser, webFetch, webSearch, runCell, restartKernel],
    ...[agentCodebase, viewRepoMap],
  ],
  etiquette: [
    'search and list_files find, read_file reads, edit_file and write_file change, run_command runs. Do not read, search or edit by run_command.',
    'Put what does not need the result of something else into one answer: edits of a file and commands run in the order in which they stand, and one that fails ' +
      'does not stop those behind it.',
    'Paths are relative to the root of the workspace.',
  ],
};
