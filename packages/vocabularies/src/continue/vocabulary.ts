import { restartKernel } from '../kernel/restart-kernel.js';
import { runCell } from '../kernel/run-cell.js';
import type { Vocabulary } from '../table/vocabulary.js';
import { createNewFile } from './files/create-new-file.js';
import { editExistingFile } from './files/edit-existing-file.js';
import { multiEdit } from './files/multi-edit.js';
import { readCurrentlyOpenFile } from './files/read-currently-open-file.js';
import { readFileRange } from './files/read-file-range.js';
import { readFile } from './files/read-file.js';
import { searchAndReplaceInFile } from './files/search-and-replace-in-file.js';
import { singleFindAndReplace } from './files/single-find-and-replace.js';
import { createRuleBlock } from './project/create-rule-block.js';
import { readSkill } from './project/read-skill.js';
import { requestRule } from './project/request-rule.js';
import { viewDiff } from './project/view-diff.js';
import { fetchUrlContent, searchWeb } from './project/web.js';
import { codebase, viewRepoMap, viewSubdirectory } from './search/code-index.js';
import { fileGlobSearch } from './search/file-glob-search.js';
import { grepSearch } from './search/grep-search.js';
import { ls } from './search/ls.js';
import { readTerminalOutput, stopTerminal } from './terminal/background.js';
import { runTerminalCommand } from './terminal/run-terminal-command.js';

/** The tools of Continue, with the names, arguments and policies of its specification (seeds `000…` and `001…`). */
export const continueVocabulary: Vocabulary = {
  name: 'continue',
  rows: [
    readFile,
    readFileRange,
    readCurrentlyOpenFile,
    createNewFile,
    editExistingFile,
    searchAndReplaceInFile,
    singleFindAndReplace,
    multiEdit,
    grepSearch,
    fileGlobSearch,
    ls,
    viewDiff,
    runTerminalCommand,
    readTerminalOutput,
    stopTerminal,
    searchWeb,
    fetchUrlContent,
    createRuleBlock,
    requestRule,
    readSkill,
    codebase,
    viewRepoMap,
    viewSubdirectory,
    runCell,
    restartKernel,
  ],
  etiquette: [
    'Find code with grep_search and file_glob_search, then read_file, before you change anything.',
    'Change files with single_find_and_replace or multi_edit, copying the old text from what you read; create_new_file is for new files only.',
    'Give old text with enough lines around it to be unique; after an error read the file again instead of guessing.',
    'Run commands with run_terminal_command, each in a fresh shell at the workspace root; never to read or edit files.',
  ],
};
