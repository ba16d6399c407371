import { act, type SlashCommand } from './slash-command.js';

export const context = {
  name: 'context',
  does: 'what fills the next request: tokens, and the files with instructions',
  acts: true,
  run: (state) => act(state, 'context'),
} as const satisfies SlashCommand;
