import { say, type SlashCommand } from './slash-command.js';

export const agent = {
  name: 'agent',
  takes: '[name]',
  does: 'coder, architect, debug, ask or orchestrator; without a name: which one',
  run(state, text) {
    if (text === '') return say(state, `The agent is ${state.view.agent ?? 'coder'}. /agent NAME takes another one.`);
    return { state, effects: [{ kind: 'switch_agent', agent: text }] };
  },
} as const satisfies SlashCommand;
