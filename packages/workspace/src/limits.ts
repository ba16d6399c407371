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
