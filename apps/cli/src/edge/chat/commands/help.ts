import { SLASH_COMMANDS } from '../../../core/commands/commands.js';
import { renderHelp } from '../../../core/commands/render-help.js';
import type { CommandEffect } from './command-effect.js';

/** Shows the commands and keys on a screen of their own. */
export const showHelp: CommandEffect = (chat) => async () => {
  const customs = await chat.customs();
  chat.console.page({ title: 'help', rows: renderHelp(SLASH_COMMANDS, customs, chat.console.size.columns - 1), top: 0 });
};
