import { act, say, type SlashCommand } from './slash-command.js';

/** What follows: `session`, for what the calls of this conversation changed. */
export const diff = {
  name: 'diff',
  takes: '[session]',
  does: 'what has changed since the last commit; /diff session: what the calls of this conversation changed',
  acts: true,
  run: (state, text) => (text === '' || text === 'session' ? act(state, 'diff', text) : say(state, '/diff, or /diff session.')),
} as const satisfies SlashCommand;
