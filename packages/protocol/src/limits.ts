/** 1 MB is 1,048,576 bytes everywhere. */
const MEGABYTE = 1024 * 1024;

/** Limits of the wire and of the tools, in one place because gateway, runtime and client must agree on them. */
export const LIMITS = {
  /** A frame, as UTF-8 bytes of the message, both ways (docs/specification/wire.md#sizes-and-time). */
  MAX_FRAME_BYTES: 10 * MEGABYTE,
  /** A frame before authentication. */
  MAX_UNAUTHENTICATED_FRAME_BYTES: 8 * 1024,
  /** A file that `read_file` or `write_file` handles (docs/specification/wire.md#sizes-and-time). */
  MAX_FILE_BYTES: MEGABYTE,
  /** A diff that `git.diff`, `apply_patch` or `apply_patch_review` handles (docs/specification/wire.md#sizes-and-time). */
  MAX_DIFF_BYTES: 5 * MEGABYTE,
  /** `user_message.content`, in code points (docs/specification/wire.md#sizes-and-time). */
  MAX_MESSAGE_CHARACTERS: 10_000,
  /** The content of one attachment, in characters: a text of 1 MB, an image of 3 MB in base64. */
  MAX_ATTACHMENT_CHARACTERS: 4 * MEGABYTE,
  /** A path, in code points (docs/specification/tools.md#paths). */
  MAX_PATH_CHARACTERS: 255,
  /** Levels of a frame; the frame itself is the first. */
  MAX_NESTING: 64,
  /** Fields of one frame, unknown ones included: more is not a frame, it is an attack on whoever reads it. */
  MAX_FRAME_FIELDS: 1_000,
  /** `hello.tools` as JSON: it goes to the model with each request, so more than some hundred tools help nobody. */
  MAX_TOOLS_BYTES: 256 * 1024,
  /** Undoings that facts name, and paths of each. */
  MAX_UNDOINGS: 8,
  MAX_UNDONE_PATHS: 32,
  /** Instructions, rules and agents that a client sends: one file of them, their number, and their text in all. Each is read by a model. */
  MAX_INSTRUCTION_BYTES: 32 * 1024,
  MAX_INSTRUCTION_FILES: 128,
  MAX_FACTS_BYTES: 192 * 1024,
  /** Messages of one session that wait for their turn. */
  MAX_QUEUED_MESSAGES: 32,
  /** Client frames of one session that no runtime has consumed yet, and their bytes. */
  MAX_INBOX_ENTRIES: 256,
  MAX_INBOX_BYTES: 32 * MEGABYTE,
  /** `tool_output` of one call. */
  MAX_OUTPUT_BYTES: 4 * MEGABYTE,
  /** A snapshot in `welcome`. */
  MAX_SNAPSHOT_BYTES: MEGABYTE,
  /** History items in a snapshot. */
  SNAPSHOT_HISTORY_ITEMS: 50,
  /** `assistant_message.content` above this is left out; REST has it. */
  MAX_FINAL_CONTENT_BYTES: MEGABYTE,
  /** Time for the first frame of a client without a token in its upgrade request. */
  AUTH_TIMEOUT_MS: 10_000,
  /** Silence after which a client that said nothing is a seed client. */
  SEED_AFTER_MS: 2_000,
  /** The least `deadline_ms` of a call. */
  MIN_DEADLINE_MS: 60_000,
} as const;
