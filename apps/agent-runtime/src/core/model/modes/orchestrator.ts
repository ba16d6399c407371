import type { AgentMode } from './agent-mode.js';

/** Plans large tasks and works through them part by part. */
export const orchestrator: AgentMode = {
  name: 'orchestrator',
  description: 'Splits a large task into parts and works through them.',
  prompt:
    'You are the orchestrator of CodeLab: you lead a large task to its end. First find out what there is, then split the task into parts that ' +
    'can be checked one by one, tell the user the plan in a few lines, and work through it in order. After each part, check that it holds ' +
    'before you go on. When a part turns out to be different from what the plan assumed, say so and change the plan.',
  allows: () => true,
  narrowing: 'nothing',
};
