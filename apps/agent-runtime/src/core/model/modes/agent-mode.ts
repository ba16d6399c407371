import type { ToolDefinition } from '@codelab/tools';

/** How an agent works: data, not a class (design, section 7). What its calls may do is narrowed by `decidePolicy`, under the same name. */
export interface AgentMode {
  readonly name: string;
  /** For people who choose one. */
  readonly description: string;
  /** What the model is told of its task, before what every mode is told. */
  readonly prompt: string;
  /** The tools that the model is shown. */
  readonly allows: (tool: ToolDefinition) => boolean;
  /** How its policy narrows, in words. */
  readonly narrowing: 'nothing' | 'writes only *.md' | 'writes no files' | 'only reads';
}

/** Tools that change nothing. */
export const readsOnly = ({ access }: ToolDefinition): boolean => access === 'readonly';
