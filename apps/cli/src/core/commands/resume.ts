import { openPicker } from '../picker/picker.js';
import { act, say, type SlashCommand } from './slash-command.js';
import { whyStay } from './why-stay.js';

/** What follows is a session, or the beginning of its id. */
export const resume = {
  name: 'resume',
  takes: '[id]',
  does: 'goes on with an earlier conversation of this folder: one from a list, or the one named',
  acts: true,
  run(state, text) {
    const reason = whyStay(state);
    if (reason !== undefined) return say(state, reason);
    if (text !== '') return act(state, 'resume', text);
    const current = state.view.sessionId;
    return act({ ...state, picker: openPicker({ command: 'resume', title: 'Conversations of this folder', current }) }, 'resume');
  },
} as const satisfies SlashCommand;
