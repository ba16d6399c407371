import { act, say, type SlashCommand } from './slash-command.js';
import { whyStay } from './why-stay.js';

export const newConversation = {
  name: 'new',
  does: 'begins another conversation here; /resume goes back to this one',
  acts: true,
  run(state) {
    const reason = whyStay(state);
    if (reason !== undefined) return say(state, reason);
    return act(state, 'new');
  },
} as const satisfies SlashCommand;
