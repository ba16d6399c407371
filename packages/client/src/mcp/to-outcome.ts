import { McpError, type CallToolResult, type McpErrorCode } from '@codelab/mcp';
import type { ToolErrorCode } from '@codelab/protocol';
import type { ToolOutcome } from '../calls/tool-executor.js';

/** What a model is told of a call that its server did not answer as it should. */
const CODES: Readonly<Record<McpErrorCode, ToolErrorCode>> = {
  UNKNOWN_SERVER: 'TOOL_NOT_FOUND',
  UNKNOWN_TOOL: 'TOOL_NOT_FOUND',
  NOT_CONNECTED: 'TOOL_NOT_FOUND',
  NEEDS_LOGIN: 'PERMISSION_DENIED',
  TIMEOUT: 'OUTCOME_UNKNOWN',
  CANCELLED: 'CANCELLED',
  OUTCOME_UNKNOWN: 'OUTCOME_UNKNOWN',
  REFUSED: 'INVALID_ARGUMENTS',
  INVALID_ANSWER: 'OUTCOME_UNKNOWN',
  TOO_LARGE: 'FILE_TOO_LARGE',
};

/** The outcome of something that was asked of a server. Its failures are outcomes; anything else is a fault of ours and thrown. */
export async function toOutcome(asked: Promise<CallToolResult>): Promise<ToolOutcome> {
  try {
    return { ok: true, result: await asked };
  } catch (error) {
    if (!(error instanceof McpError)) throw error;
    return { ok: false, error: { code: CODES[error.code], message: error.message } };
  }
}
