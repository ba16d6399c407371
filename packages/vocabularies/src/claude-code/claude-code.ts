import { claudeCodebase } from '../code-index/codebase.js';
import { viewRepoMap } from '../code-index/view-repo-map.js';
import { restartKernel } from '../kernel/restart-kernel.js';
import { runCell } from '../kernel/run-cell.js';
import type { Vocabulary } from '../table/vocabulary.js';
import { bashOutput, killShell } from './background.js';
import { bash } from './bash.js';
import { edit } from './edit.js';
import { glob } from './glob.js';
import { grep } from './grep.js';
import { multiEdit } from './multi-edit.js';
import { notebookEdit } from './notebook-edit.js';
import { read } from './read.js';
import { switchAgent } from './switch-agent.js';
import { task } from './task.js';
import { todoWrite } from './todo-write.js';
import { webFetch, webSearch } from './web.js';
import { write } from './write.js';

/** The tools of Claude Code (docs/specification/vocabularies.md#claude-code): what models of that family are trained on. */
export const claudeCode: Vocabulary = {
  name: 'claude-code',
  rows: [
    bash,
    bashOutput,
    killShell,
    glob,
    grep,
    read,
    edit,
    multiEdit,
    write,
    notebookEdit,
    todoWrite,
    task,
    switchAgent,
    webFetch,
    webSearch,
    runCell,
    restartKernel,
    claudeCodebase,
    viewRepoMap,
  ],
  etiquette: [
    'Read, Grep and Glob look; Edit, MultiEdit and Write change; Bash runs. Do not read, search or edit by Bash what these tools do.',
    'Read a file before you change it. If Edit says that a file changed after it was read, read it again: somebody else works on it, too.',
    'File paths are absolute.',
  ],
};
