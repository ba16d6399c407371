import { describeContext } from '../../../core/sessions/describe-context.js';
import { SessionApi } from '../../sessions/session-api.js';
import type { CommandContext, CommandEffect } from './command-effect.js';

type Context = Pick<CommandContext, 'connected' | 'say'> & { readonly place: Pick<CommandContext['place'], 'gateway'> };

export const showContext: CommandEffect<Context> = (chat) => async () => {
  const { client } = await chat.connected();
  chat.say(describeContext(await new SessionApi(chat.place.gateway).context(client.sessionId)));
};
