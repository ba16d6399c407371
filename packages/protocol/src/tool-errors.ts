/** An entry of the table of tool errors: what the model, which reads it, should understand. */
export interface ToolErrorEntry {
  readonly meaning: string;
  /** Who answers a call with it. */
  readonly from: 'executor' | 'runtime';
}

/**
 * Why a tool call has no result. The first eleven are the specification's (seed 003, "Коды ошибок"), to the letter; the others are ours,
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
  TOOL_NOT_FOUND: { from: 'executor', meaning: 'The executor has no tool of this name.' },
  INVALID_ARGUMENTS: { from: 'executor', meaning: 'The arguments do not fit the schema of the tool.' },
  DENIED_BY_USER: { from: 'runtime', meaning: 'A human rejected the call; the message has the feedback.' },
  DENIED_BY_POLICY: { from: 'runtime', meaning: 'A rule, or the absence of a human, refuses the call.' },
  APPROVAL_TIMED_OUT: { from: 'runtime', meaning: 'Nobody decided in the time that the session allows. Nobody refused it either.' },
  CLIENT_DISCONNECTED: { from: 'runtime', meaning: 'The executor was away longer than the session allows. The call did not run.' },
  OUTCOME_UNKNOWN: { from: 'runtime', meaning: 'The call was begun and its end is not known. Look before trying again.' },
  CANCELLED: { from: 'runtime', meaning: 'The turn was cancelled before the call ran to its end.' },
  TIMEOUT: { from: 'executor', meaning: 'The call ran longer than its deadline and was stopped.' },
  CONFLICT: { from: 'executor', meaning: 'The file is not what `expected_sha256` says. Nothing was written.' },
  APPROVAL_MISMATCH: { from: 'executor', meaning: 'The call or its files are not those that were approved. Nothing was done.' },
} as const satisfies Record<string, ToolErrorEntry>;

/** A code of a failed tool call. */
export type ToolErrorCode = keyof typeof TOOL_ERRORS;
