import type { SlashCommand } from './slash-command.js';

export const quit = {
  name: 'quit',
  aliases: ['exit'],
  does: 'leaves; codelab chat --continue comes back',
  run: (state) => ({ state, effects: [{ kind: 'leave' }] }),
} as const satisfies SlashCommand;
