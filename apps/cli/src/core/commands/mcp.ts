import { act, type SlashCommand } from './slash-command.js';

export const mcp = {
  name: 'mcp',
  takes: '[what server]',
  does: 'shows the MCP servers; reconnect, login, logout, disable or enable NAME acts on one',
  acts: true,
  run: (state, text) => act(state, 'mcp', text),
} as const satisfies SlashCommand;
