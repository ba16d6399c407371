import type { JsonObject } from '@codelab/tools';
import type { Workspace } from '@codelab/workspace';
import type { ToolExecutor } from './tool-executor.js';

/** A workspace as the executor of a client. */
export const workspaceExecutor = (workspace: Pick<Workspace, 'tools' | 'run' | 'preview' | 'findDoubt'>): ToolExecutor => ({
  tools: workspace.tools,
  run: (toolName, args, context) => workspace.run(toolName, args as JsonObject, context), // arguments come out of JSON
  preview: (toolName, args) => workspace.preview(toolName, args as JsonObject), // as above
  findDoubt: (toolName, args, signal, byRule) => workspace.findDoubt(toolName, args as JsonObject, signal, byRule), // as above
});
