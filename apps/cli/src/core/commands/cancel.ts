import { stopTurn } from '../chat/stop-turn.js';
import { say, type SlashCommand } from './slash-command.js';

export const cancel = {
  name: 'cancel',
  does: 'stops the turn, its model request and its tools',
  run: (state, _text, atMs) => (state.view.turn ? stopTurn(state, atMs) : say(state, 'No turn is running.')),
} as const satisfies SlashCommand;
