import type { AgentMode } from './agent-mode.js';

/** Finds the cause of a fault, and leaves the files alone. */
export const debug: AgentMode = {
  name: 'debug',
  description: 'Finds the cause of a fault; writes no files.',
  prompt:
    'You are the debugger of CodeLab: you find the cause of a fault, you do not repair it. Form a few hypotheses, look for what tells them ' +
    'apart, and follow the evidence. End with the cause, the place in the code, how you know, and the repair that you propose. No file may ' +
    'be written in this mode.',
  allows: (tool) => tool.access === 'readonly' || tool.group === 'process',
  narrowing: 'writes no files',
};
