import { act, say, type SlashCommand } from './slash-command.js';

/** What follows is a turn, or `yes`. */
export const undo = {
  name: 'undo',
  takes: '[turn]',
  does: 'shows what undoing the last turn would do to your files; /undo yes does it',
  acts: true,
  run(state, text) {
    if (state.view.turn) return say(state, 'A turn is running: wait for its end, or /cancel it.');
    return act(state, 'undo', text);
  },
} as const satisfies SlashCommand;
