import type { McpError, McpErrorCode } from '@codelab/mcp';
import type { ToolErrorCode } from '@codelab/protocol';
import type { ServerOutcome } from '../server-tool.js';

const CODES: Readonly<Record<McpErrorCode, ToolErrorCode>> = {
  UNKNOWN_SERVER: 'TOOL_NOT_FOUND',
  UNKNOWN_TOOL: 'TOOL_NOT_FOUND',
  NOT_CONNECTED: 'TOOL_FAILED',
  NEEDS_LOGIN: 'TOOL_FAILED',
  TIMEOUT: 'TIMEOUT',
  CANCELLED: 'CANCELLED',
  OUTCOME_UNKNOWN: 'OUTCOME_UNKNOWN',
  REFUSED: 'TOOL_FAILED',
  INVALID_ANSWER: 'TOOL_FAILED',
  TOO_LARGE: 'FILE_TOO_LARGE',
};

/** What a model reads of a call that got no result. */
export function toMcpFailure({ code, message }: McpError): ServerOutcome & { readonly ok: false } {
  const words = code === 'NEEDS_LOGIN' ? 'The MCP server refuses the credentials that the operator gave it.' : message;
  return { ok: false, error: { code: CODES[code], message: words } };
}
