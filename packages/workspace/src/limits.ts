const MEGABYTE = 1024 * 1024;

/** Files in one patch: an approval lists each of them, and the wire carries 256 (`tool_preview.operands`). */
export const MAX_PATCH_FILES = 256;

/** A file that is replaced, patched or deleted, in bytes: its old content is read, compared and kept. */
export const MAX_REPLACED_BYTES = 64 * MEGABYTE;

/** All files of one patch together, old and new, in bytes: they are in memory at once. */
export const MAX_PATCHED_BYTES = 128 * MEGABYTE;

/** Old content kept for undoing, per workspace, in bytes; beyond it the oldest calls are forgotten. */
export const MAX_KEPT_BYTES = 256 * MEGABYTE;

/** What a preview shows, in characters: `tool_preview` carries a megabyte. */
export const MAX_PREVIEW_CHARACTERS = MEGABYTE - 1024;

/** What an approver waits for the comparison of two versions of a file, in milliseconds. */
export const PREVIEW_DIFF_MS = 1_000;

/** A file that lines are read of, in bytes: all of it is looked through. */
export const MAX_SCANNED_BYTES = 1024 * MEGABYTE;

/** Entries that a listing by time looks at. */
export const MAX_TIMED_ENTRIES = 200_000;

/** A `.gitignore` in bytes; a larger one is left alone. */
export const MAX_IGNORE_FILE_BYTES = 256 * 1024;

/** A file that is searched, in bytes; larger ones are data. */
export const MAX_SEARCHED_BYTES = 8 * MEGABYTE;

/** What one search shows, in bytes: it has to fit a frame, and a model reads it. */
export const MAX_FOUND_BYTES = 2 * MEGABYTE;

/** Characters of a line that a search shows. */
export const MAX_LINE_CHARACTERS = 500;

/** Entries of a directory that is deleted or moved. */
export const MAX_DELETED_ENTRIES = 10_000;

/** What ripgrep may take for one search before we do without it: memory of its own, output in bytes, and time in milliseconds. */
export const MAX_RIPGREP_BYTES = 256 * MEGABYTE;
export const MAX_RIPGREP_OUTPUT_BYTES = 64 * MEGABYTE;
export const RIPGREP_MS = 20_000;

/** Files that are matched at once in a search, and their bytes. */
export const MAX_BATCH_FILES = 256;
export const MAX_BATCH_BYTES = 8 * MEGABYTE;

/** Files that an approval of a deletion or a move is bound to one by one; the wire carries 256, and `move_file` has its target too. */
export const MAX_OPERANDS = 255;

/** Bytes that are read for that. */
export const MAX_OPERAND_BYTES = 64 * MEGABYTE;
