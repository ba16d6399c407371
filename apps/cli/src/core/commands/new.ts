import { act, say, type SlashCommand } from './slash-command.js';

export const newConversation = {
  name: 'new',
  does: 'begins another conversation here; /resume goes back to this one',
  acts: true,
  run(state) {
    if (state.view.turn) return say(state, 'A turn is running: wait for its end, or stop it with Esc.');
    return act(state, 'new');
  },
} as const satisfies SlashCommand;
