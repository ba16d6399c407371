import { type AgentName, isAgent, type ToolDefinition } from '@codelab/tools';

/** What an agent is shown: data, not a class (docs/specification/policy.md#agents). What it is told stands in `prompt/texts.ts`; what its calls may do is narrowed by `decidePolicy`, under the same name. */
export interface AgentMode {
  readonly name: AgentName;
  /** The tools that the model is shown. */
  readonly allows: (tool: ToolDefinition) => boolean;
}

const everyTool = (): boolean => true;

/** Plans large tasks and works through them part by part. */
const orchestrator: AgentMode = {
  name: 'orchestrator',
  allows: everyTool,
};

/** Writes code: the default. */
const coder: AgentMode = {
  name: 'coder',
  allows: everyTool,
};

/** Designs, and writes it down: Markdown files only. */
const architect: AgentMode = {
  name: 'architect',
  allows: ({ access, group }) => access === 'readonly' || group === 'file',
};

/** Finds the cause of a fault, and leaves the files alone. */
const debug: AgentMode = {
  name: 'debug',
  allows: ({ access, group }) => access === 'readonly' || group === 'process',
};

/** Answers questions about the workspace. */
const ask: AgentMode = {
  name: 'ask',
  allows: ({ access }) => access === 'readonly',
};

/** Every agent mode. */
const MODES: { readonly [Name in AgentName]: AgentMode } = { orchestrator, coder, architect, debug, ask };

/** The mode of this name; the coder for a name that none has. */
export const findMode = (name: string): AgentMode => (isAgent(name) ? MODES[name] : coder);
