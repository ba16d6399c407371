export type {
  McpConfigProblem,
  McpServerConfig,
  OAuthSettings,
  ParsedMcpConfig,
  RemoteServer,
  StdioServer,
} from './config/mcp-server-config.js';
export { expandVariables, variablesIn, type VariableLookup } from './config/expand-variables.js';
export { parseMcpConfig, type ParseOptions } from './config/parse-mcp-config.js';
export { readServer, type FieldPath, type ReadContext } from './config/read-server.js';
export { cleanLine, cleanText } from './lists/clean-text.js';
export { fileOAuthStore } from './oauth/file-oauth-store.js';
export { memoryOAuthStore } from './oauth/memory-oauth-store.js';
export { LOGIN_WAIT_MS } from './oauth/receive-redirect.js';
export type { OAuthStore, StoredLogin } from './oauth/oauth-store.js';
export { resourceContents, resourceList } from './results/resource-results.js';
export { MCP_ERROR_CODES, McpError, type McpErrorCode } from './servers/mcp-error.js';
export type { Elicitation, McpHooks, McpLogEvent, McpRoot, ServerRequest } from './servers/mcp-hooks.js';
export type { McpServerState, McpServerStatus, McpTool } from './servers/mcp-server-state.js';
export { openMcpServers, type OpenMcpServersOptions } from './servers/open-mcp-servers.js';
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
