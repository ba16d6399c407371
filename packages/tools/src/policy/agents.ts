import type { PolicyCall } from './policy-call.js';

/** The agent modes (docs/specification/policy.md#agents), as people are told of them. How each works is the runtime's to know. */
export const AGENTS = [
  { name: 'orchestrator', description: 'Plans a large task, and works through it part by part.' },
  { name: 'coder', description: 'Reads, writes and runs: the default.' },
  { name: 'architect', description: 'Designs; writes Markdown files only.' },
  { name: 'debug', description: 'Looks for causes; writes no files.' },
  { name: 'ask', description: 'Answers questions; only reads.' },
] as const;

export type AgentName = (typeof AGENTS)[number]['name'];

/** Whether an agent mode has this name. */
export const isAgent = (name: string): name is AgentName => AGENTS.some((agent) => agent.name === name);

type Limit = (call: PolicyCall) => string | undefined;

const isMarkdown = (path: string): boolean => /\.md$/i.test(path);

/**
 * What the agent modes refuse, as data: a sentence, or nothing. They only narrow. A tool that is not ours may write,
 * whatever it says of itself.
 */
const LIMITS: { readonly [Name in AgentName]?: Limit } = {
  architect: ({ row, about, paths }) => {
    if (row?.touches === 'nothing') return undefined;
    const ok = about?.complete === true && paths !== undefined && paths.length > 0 && paths.every(isMarkdown);
    return ok ? undefined : 'the architect agent writes only *.md files';
  },
  debug: ({ row }) => (row?.touches === 'files' ? 'the debug agent writes no files' : undefined),
  ask: ({ row }) => (row?.touches === 'nothing' ? undefined : 'the ask agent only reads'),
};

/** Why the session's agent must not make this call; `undefined` if it may, as every agent without limits may. */
export const findAgentLimit = (agent: string, call: PolicyCall): string | undefined => (isAgent(agent) ? LIMITS[agent]?.(call) : undefined);

/** Whether an agent may do less than all, so that whoever chose it wanted less; so may one that a file describes. */
export const isLimited = (agent: string): boolean => !isAgent(agent) || LIMITS[agent] !== undefined;
