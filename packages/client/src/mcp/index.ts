export { mcpExecutor, type McpExecutorOptions } from './mcp-executor.js';
export { fileToolPins, type ToolPins } from './tool-pins.js';
