import { act, type SlashCommand } from './slash-command.js';

export const help = {
  name: 'help',
  does: 'shows this',
  acts: true,
  run: (state) => act(state, 'help'),
} as const satisfies SlashCommand;
