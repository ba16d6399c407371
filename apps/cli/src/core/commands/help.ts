import { describeHelp } from './describe-help.js';
import { say, type SlashCommand } from './slash-command.js';

export const help = {
  name: 'help',
  does: 'shows this',
  run: (state, _text, { commands }) => say(state, describeHelp(commands)),
} as const satisfies SlashCommand;
