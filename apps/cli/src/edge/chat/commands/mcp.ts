import { CommandError } from '../../../core/command-error.js';
import { renderServers } from '../../../core/mcp/render-servers.js';
import type { CommandEffect } from './command-effect.js';

const ACTIONS = ['reconnect', 'login', 'logout', 'disable', 'enable'] as const;
type Action = (typeof ACTIONS)[number];

/** Shows the MCP servers on a screen of their own, or does something about one of them. */
export const actOnServers: CommandEffect = (chat) => async (text) => {
  const { mcp } = chat;
  if (text === '') {
    const rows = renderServers(mcp.list(), chat.console.size.columns - 1, Date.now());
    return chat.console.page({ title: 'MCP servers', rows, top: 0 });
  }
  const [action, name = '', more] = text.split(/\s+/);
  if (!isAction(action) || name === '' || more !== undefined)
    throw new CommandError(`/mcp takes nothing, or one of ${ACTIONS.join(', ')} and the name of a server.`);
  const known = mcp.servers.servers().map((server) => server.name);
  if (!known.includes(name))
    throw new CommandError(`There is no MCP server ${name}. There ${known.length === 0 ? 'is none' : `are ${known.join(', ')}`}.`);
  chat.say(await mcp.act(action, name));
};

const isAction = (word: string | undefined): word is Action => (ACTIONS as readonly (string | undefined)[]).includes(word);
