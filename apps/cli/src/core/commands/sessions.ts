import { act, type SlashCommand } from './slash-command.js';

export const sessions = {
  name: 'sessions',
  does: 'lists the conversations of this folder',
  acts: true,
  run: (state) => act(state, 'sessions'),
} as const satisfies SlashCommand;
