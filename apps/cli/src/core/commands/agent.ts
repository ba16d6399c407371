import { openPicker } from '../picker/picker.js';
import { act, type SlashCommand } from './slash-command.js';

export const agent = {
  name: 'agent',
  takes: '[name]',
  does: 'another agent goes on, one of .codelab/agents too; without a name: one from a list',
  acts: true,
  run(state, text) {
    if (text !== '') return { state, effects: [{ kind: 'switch_agent', agent: text }] };
    return act({ ...state, picker: openPicker({ command: 'agent', title: 'Agents', current: state.view.agent ?? 'coder' }) }, 'agent');
  },
} as const satisfies SlashCommand;
