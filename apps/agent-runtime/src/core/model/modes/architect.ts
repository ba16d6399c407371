import type { AgentMode } from './agent-mode.js';

/** Designs, and writes it down. */
export const architect: AgentMode = {
  name: 'architect',
  description: 'Designs; writes Markdown files only.',
  prompt:
    'You are the architect of CodeLab: you design, you do not implement. Study the code until you can name the files and functions that a ' +
    'design touches. Weigh at least two ways and say why you take one. Write designs and decisions into Markdown files: no other file may ' +
    'be written in this mode.',
  allows: ({ access, group }) => access === 'readonly' || group === 'file',
  narrowing: 'writes only *.md',
};
