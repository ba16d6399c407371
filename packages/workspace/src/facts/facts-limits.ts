/** Bytes of one instruction file that a model is given, as it reads them: the rest is cut, and the model is told. */
export const MAX_FILE_BYTES = 32 * 1024;

/** Larger files are not opened: nobody writes instructions of 1 MB. */
export const MAX_OPENED_BYTES = 1024 * 1024;

/** Bytes of instructions in all, and of agents, as JSON. */
export const MAX_INSTRUCTIONS_BYTES = 64 * 1024;
export const MAX_AGENTS_BYTES = 64 * 1024;

/** Files of one directory of rules or agents, and instruction files below the root. */
export const MAX_FILES_OF_DIRECTORY = 32;
export const MAX_NESTED = 24;

/** How long the search for nested files may take, in milliseconds, and how long what it found is used. */
export const SEARCH_MS = 500;
export const SEARCH_AGAIN_MS = 60_000;

/** What is shown of the top of the tree. */
export const MAX_TREE_LINES = 60;
export const MAX_TREE_CHILDREN = 8;
export const MAX_TREE_CHARACTERS = 1_600;

/** What is shown of git: files that are not as in the last commit, and commits, with what of each line. */
export const MAX_STATUS_LINES = 20;
export const MAX_COMMITS = 5;
export const MAX_LINE_CHARACTERS = 100;
