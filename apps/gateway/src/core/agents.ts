/** The agent modes, as `GET /api/v1/agents` shows them (docs/specification/policy.md#agents). What each may do is the runtime's to know. */
export const AGENTS = [
  { name: 'orchestrator', description: 'Plans, and gives parts of the work to the others.' },
  { name: 'coder', description: 'Reads, writes and runs: the default.' },
  { name: 'architect', description: 'Designs; writes Markdown files only.' },
  { name: 'debug', description: 'Looks for causes; writes no files.' },
  { name: 'ask', description: 'Answers questions; only reads.' },
] as const;

/** Why a name is not one of an agent mode; `undefined` if it is. */
export const faultOfAgent = (name: string): string | undefined =>
  AGENTS.some((agent) => agent.name === name)
    ? undefined
    : `there is no agent of this name; the agents are ${AGENTS.map((agent) => agent.name).join(', ')}`;
