import { act, type SlashCommand } from './slash-command.js';

export const cost = {
  name: 'cost',
  does: 'what this conversation and its last turn used: tokens, and money where prices are known',
  acts: true,
  run: (state) => act(state, 'cost'),
} as const satisfies SlashCommand;
