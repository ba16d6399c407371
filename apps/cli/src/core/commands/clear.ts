import type { SlashCommand } from './slash-command.js';

export const clear = {
  name: 'clear',
  does: 'the model forgets what was said so far; the record stays',
  run: (state) => ({ state, effects: [{ kind: 'send', content: '/clear', command: 'clear' }] }),
} as const satisfies SlashCommand;
