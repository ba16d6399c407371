/** An entry of the table of tool errors: what the model, which reads it, should understand. */
export interface ToolErrorEntry {
  readonly meaning: string;
  /** Who says it. What only servers say is not taken from an executor by that name: see {@link SERVER_CODES}. */
  readonly from: 'executor' | 'servers' | 'both';
}

/**
 * Why a tool call has no result. The first eleven are the specification's (docs/specification/tools.md#error-codes), to the letter; the others are ours,
 * so that refusals, absences and unknown outcomes reach the model as different facts (H3, R2).
 */
export const TOOL_ERRORS = {
  FILE_NOT_FOUND: { from: 'executor', meaning: 'There is no file at this path.' },
  FILE_TOO_LARGE: { from: 'executor', meaning: 'The content is over the limit of the tool: 1 MB for a file, 5 MB for a diff.' },
  PERMISSION_DENIED: { from: 'executor', meaning: 'The operating system, or the user at the client, refuses it.' },
  INVALID_PATH: { from: 'executor', meaning: 'The path is not one the tool can use: too long, NUL, a link where a file is written.' },
  PATH_OUTSIDE_WORKSPACE: { from: 'executor', meaning: 'The path is absolute, has a `..` segment, or leads out of the workspace.' },
  GIT_NOT_INITIALIZED: { from: 'executor', meaning: 'The workspace is in no git repository.' },
  GIT_ERROR: { from: 'executor', meaning: 'git failed; the message has its words.' },
  PATCH_APPLY_FAILED: {
    from: 'executor',
    meaning: 'The patch does not fit the files, or the work tree is not clean. Nothing was changed.',
  },
  ENCODING_ERROR: { from: 'executor', meaning: 'The file is binary or not valid UTF-8.' },
  TOOL_NOT_FOUND: { from: 'both', meaning: 'The executor has no tool of this name.' },
  INVALID_ARGUMENTS: { from: 'both', meaning: 'The arguments do not fit the schema of the tool.' },
  DENIED_BY_USER: { from: 'servers', meaning: 'A human rejected the call; the message has the feedback.' },
  DENIED_BY_POLICY: { from: 'both', meaning: 'A rule, or the absence of a human, refuses the call.' },
  APPROVAL_TIMED_OUT: { from: 'servers', meaning: 'Nobody decided in the time that the session allows. Nobody refused it either.' },
  CLIENT_DISCONNECTED: { from: 'servers', meaning: 'The executor was away longer than the session allows. The call did not run.' },
  OUTCOME_UNKNOWN: { from: 'both', meaning: 'The call was begun and its end is not known. Look before trying again.' },
  CANCELLED: { from: 'both', meaning: 'The turn was cancelled before the call ran to its end.' },
  TIMEOUT: { from: 'both', meaning: 'The call ran longer than its deadline and was stopped.' },
  CONFLICT: { from: 'executor', meaning: 'The file is not what `expected_sha256` says. Nothing was written.' },
  APPROVAL_MISMATCH: { from: 'executor', meaning: 'The call or its files are not those that were approved. Nothing was done.' },
  TASK_FAILED: {
    from: 'servers',
    meaning: 'The agent that worked on this part did not come to its end; the message says why, and what it had.',
  },
  TOOL_FAILED: { from: 'both', meaning: 'The tool could not be reached, or failed by itself; the message says how.' },
  HTTP_ERROR: {
    from: 'both',
    meaning: 'The server of a tool or of a page gave no answer that can be used; the message says what it gave.',
  },
  NOT_CONFIGURED: {
    from: 'servers',
    meaning: 'Whoever runs the servers has not set up what the tool needs; the message names the settings.',
  },
} as const satisfies Record<string, ToolErrorEntry>;

/**
 * Codes that only the servers say: they are facts about a decision or a connection that an executor can't know (H3). In its `tool_result`
 * one of them counts as `PERMISSION_DENIED`, and the message names it: the result stands, and nobody reads that they refused.
 */
export const SERVER_CODES: ReadonlySet<string> = new Set(
  Object.entries(TOOL_ERRORS).flatMap(([code, { from }]) => (from === 'servers' ? [code] : [])),
);

/** A code of a failed tool call. */
export type ToolErrorCode = keyof typeof TOOL_ERRORS;
