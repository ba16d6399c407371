import type { JsonSchema } from '@codelab/protocol';
import { findTool } from '../tools/tools.js';

/** What the arguments of a tool of ours look like; undefined for a tool from outside. */
export function schemaOfTool(toolName: string): JsonSchema | undefined {
  const tool = findTool(toolName);
  return tool && (tool.additions?.parameters ?? tool.parameters);
}
