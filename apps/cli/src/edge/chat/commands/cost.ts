import type { SessionView } from '@codelab/client/view';
import { describeCost } from '../../../core/sessions/describe-cost.js';
import { readUse } from '../../models/read-use.js';
import type { CommandContext, CommandEffect } from './command-effect.js';

type Context = Pick<CommandContext, 'connected' | 'say'> & {
  readonly place: Pick<CommandContext['place'], 'gateway'>;
  readonly console: { readonly state: { readonly view: SessionView } };
};

export const showCost: CommandEffect<Context> = (chat) => async () => {
  const { sessionId } = (await chat.connected()).client;
  const counted = await readUse(chat.place.gateway, sessionId).catch(() => undefined); // it is away, or the token may not ask: what was seen here counts
  chat.say(describeCost(chat.console.state.view, counted));
};
