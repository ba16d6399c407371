/**
 * Why something that was asked of a server did not happen.
 * - `UNKNOWN_SERVER`, `UNKNOWN_TOOL`: nothing of that name
 * - `NOT_CONNECTED`: the server is not there; nothing was sent
 * - `NEEDS_LOGIN`: it wants a login first; nothing was sent
 * - `TIMEOUT`: no answer in time; the call was cancelled, its outcome is unknown
 * - `CANCELLED`: the caller's signal; the server was told, the outcome is unknown
 * - `OUTCOME_UNKNOWN`: the connection ended under the call; it is never repeated
 * - `REFUSED`: the server answered with an error, or lacks the feature
 * - `INVALID_ANSWER`: what came back is no answer of the protocol
 * - `TOO_LARGE`: what would be sent, or came back, is over a limit
 */
export const MCP_ERROR_CODES = [
  'UNKNOWN_SERVER',
  'UNKNOWN_TOOL',
  'NOT_CONNECTED',
  'NEEDS_LOGIN',
  'TIMEOUT',
  'CANCELLED',
  'OUTCOME_UNKNOWN',
  'REFUSED',
  'INVALID_ANSWER',
  'TOO_LARGE',
] as const;
export type McpErrorCode = (typeof MCP_ERROR_CODES)[number];

/** The one error that the manager throws for what a server, or its absence, did. Its message names the server and says what to do. */
export class McpError extends Error {
  override readonly name = 'McpError';

  constructor(
    readonly code: McpErrorCode,
    message: string,
    options?: ErrorOptions,
  ) {
    super(message, options);
  }
}
