import { defineRow } from '../table/row.js';
import { takes } from '../table/takes.js';

/** `SwitchAgent`: another agent goes on with the turn. Offered to the orchestrator alone. */
export const switchAgent = defineRow<{ readonly agent: string; readonly note: string }>({
  name: 'SwitchAgent',
  displayName: 'Hand over',
  description:
    'Hands the rest of this turn to another agent, which reads this conversation and your note, and answers the user itself. For when all that is left is ' +
    "the work of one agent; a part that comes back to you is a task. Call it alone and last. The user's next message comes to you again.",
  parameters: takes(['agent', 'note'], {
    agent: { type: 'string', minLength: 1, description: 'architect designs, coder changes code, debug finds causes, ask answers.' },
    note: { type: 'string', minLength: 1, maxLength: 4_000, description: 'What is decided and done, what is left, and how it is checked.' },
  }),
  aliases: { switch_agent: (args) => args },
  policy: 'allow',
  readonly: true,
  idempotency: 'unsafe',
  needs: ['switch_agent'],
  stands: 'switch_agent',
  check: ({ agent }, { agents, agent: own }) => {
    const others = agents.filter((name) => name !== own);
    return others.includes(agent) ? undefined : `agent: ${JSON.stringify(agent)}; expected ${others.join(', ')}`;
  },
  next: ({ agent, note }, _, { agent: own }) => ({
    text: `You are the agent ${agent} now, and go on with this turn. The agent ${own} leaves you this note:\n${note}`,
    handOver: { agent, note },
  }),
});
