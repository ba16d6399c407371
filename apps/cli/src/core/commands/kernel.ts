import { act, say, type SlashCommand } from './slash-command.js';

export const kernel = {
  name: 'kernel',
  takes: '[restart|interrupt]',
  does: 'the notebook kernel of this conversation: what it is, without its variables, without the cell that runs',
  acts: true,
  run: (state, text) =>
    ['', 'restart', 'interrupt'].includes(text) ? act(state, 'kernel', text) : say(state, '/kernel, /kernel restart or /kernel interrupt.'),
} as const satisfies SlashCommand;
