import { readsOnly, type AgentMode } from './agent-mode.js';

/** Answers questions about the workspace. */
export const ask: AgentMode = {
  name: 'ask',
  description: 'Answers questions; only reads.',
  prompt:
    'You answer questions about the workspace. Read what you need, answer first and explain after, and name the files and lines that the ' +
    'answer rests on. Nothing may be changed in this mode.',
  allows: readsOnly,
  narrowing: 'only reads',
};
