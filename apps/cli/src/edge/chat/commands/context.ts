import { describeContext } from '../../../core/sessions/describe-context.js';
import { SessionApi } from '../../sessions/session-api.js';
import type { CommandEffect } from './command-effect.js';

export const showContext: CommandEffect = (chat) => async () => {
  const { client } = await chat.connected();
  chat.say(describeContext(await new SessionApi(chat.place.gateway).context(client.sessionId)));
};
