import { agentEntries } from '../../../core/agents/agent-entries.js';
import { SessionApi } from '../../sessions/session-api.js';
import type { CommandEffect } from './command-effect.js';

export const offerAgents: CommandEffect = (chat) => async () => {
  const { client } = await chat.connected();
  chat.offer(agentEntries(await new SessionApi(chat.place.gateway).agents(client.sessionId)));
};
