import { describeCost } from '../../../core/sessions/describe-cost.js';
import { readUse } from '../../models/read-use.js';
import type { CommandEffect } from './command-effect.js';

export const showCost: CommandEffect = (chat) => async () => {
  const { sessionId } = (await chat.connected()).client;
  const counted = await readUse(chat.place.gateway, sessionId).catch(() => undefined); // it is away, or the token may not ask: what was seen here counts
  chat.say(describeCost(chat.console.state.view, counted));
};
