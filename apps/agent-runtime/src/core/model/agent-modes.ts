import { type AgentName, AGENTS, findUserAgent, isAgent, modeOfAgent, type ToolDefinition, type UserAgent } from '@codelab/tools';
import type { SessionFacts } from '../session/session-facts.js';

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

/** An agent of a turn: a mode, or one that people describe in a file, which is based on a mode and only narrows it. */
export interface Agent extends AgentMode {
  /** The name that it was chosen by. */
  readonly title: string;
  /** What people say of it. */
  readonly own?: UserAgent;
}

/** The agent of this name, as what is known of the workspace says. One that is not known there may only read: it was chosen to be narrower. */
export function findAgent({ knowledge: { first, latest } }: Pick<SessionFacts, 'knowledge'>, name: string): Agent {
  if (isAgent(name)) return { ...MODES[name], title: name };
  const own = findUserAgent(latest.agents, name) ?? findUserAgent(first.agents, name);
  if (own !== undefined) return { ...MODES[modeOfAgent(own)], title: name, own };
  return name === '' ? { ...coder, title: 'coder' } : { ...ask, title: name };
}

/** Every agent that can be named. */
export const agentNames = ({ knowledge: { latest } }: Pick<SessionFacts, 'knowledge'>): readonly string[] => [
  ...new Set([...AGENTS, ...latest.agents].map(({ name }) => name)),
];
