import type { SlashCommand } from './slash-command.js';

export const compact = {
  name: 'compact',
  takes: '[what to keep]',
  does: 'sums up what is older, so that there is room again',
  run(state, text) {
    return { state, effects: [{ kind: 'send', content: `/compact ${text}`.trim(), command: 'compact' }] };
  },
} as const satisfies SlashCommand;
