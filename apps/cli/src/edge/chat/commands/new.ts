import type { CommandEffect } from './command-effect.js';

export const beginNew: CommandEffect = (chat) => () => chat.switchTo('new', 'A new conversation. /resume goes back to an earlier one.');
