import { tell } from '../chat/tell.js';
import { act, say, type SlashCommand } from './slash-command.js';

export const model = {
  name: 'model',
  takes: '[name]',
  does: 'another model, from the next message on; without a name: which one, and which there are',
  acts: true,
  run(state, text) {
    if (text !== '') return say({ ...state, chosenModel: text }, `${text} answers from the next message on.`);
    const current = state.chosenModel ?? state.view.model ?? 'the one that the server prefers';
    return act(tell(state, `The model is ${current}. /model NAME takes another one.`), 'model');
  },
} as const satisfies SlashCommand;
