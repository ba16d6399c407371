import { openPicker } from '../picker/picker.js';
import { act, say, type SlashCommand } from './slash-command.js';

export const model = {
  name: 'model',
  takes: '[name]',
  does: 'another model, from the next message on; without a name: one from a list',
  acts: true,
  run(state, text) {
    if (text !== '') return say({ ...state, chosenModel: text }, `${text} answers from the next message on.`);
    const current = state.chosenModel ?? state.view.model;
    return act({ ...state, picker: openPicker({ command: 'model', title: 'Models', current, takesText: true }) }, 'model');
  },
} as const satisfies SlashCommand;
