export type {
  McpConfigProblem,
  McpServerConfig,
  OAuthSettings,
  ParsedMcpConfig,
  RemoteServer,
  StdioServer,
} from './config/mcp-server-config.js';
export type { OAuthStore, StoredLogin } from './oauth/oauth-store.js';
export { MCP_ERROR_CODES, McpError, type McpErrorCode } from './servers/mcp-error.js';
export type { Elicitation, McpHooks, McpLogEvent, McpRoot, ServerRequest } from './servers/mcp-hooks.js';
export type { McpServerState, McpServerStatus, McpTool } from './servers/mcp-server-state.js';
export type { CallOptions, Completion, FromServer, McpServers } from './servers/mcp-servers.js';
export type {
  CallToolResult,
  CompleteResult,
  ContentBlock,
  CreateMessageRequestParams,
  CreateMessageResult,
  ElicitResult,
  GetPromptResult,
  Prompt,
  ReadResourceResult,
  Resource,
  ResourceTemplateType,
  ToolAnnotations,
} from '@modelcontextprotocol/client';
