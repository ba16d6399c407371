import { act, type SlashCommand } from './slash-command.js';

export const rules = {
  name: 'rules',
  does: 'shows the rules by which calls run, ask or are refused',
  acts: true,
  run: (state) => act(state, 'rules'),
} as const satisfies SlashCommand;
