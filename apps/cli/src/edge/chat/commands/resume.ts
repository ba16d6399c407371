import { sessionEntries } from '../../../core/sessions/session-entries.js';
import { readSessionSummary } from '../../../core/sessions/session-summary.js';
import { findSession } from '../../session/find-session.js';
import { SessionApi } from '../../sessions/session-api.js';
import type { CommandEffect } from './command-effect.js';
import { readOwnSessions } from './sessions.js';

/** Offers the conversations of this folder, or goes on with the one that was picked or named. */
export const resumeSession: CommandEffect = (chat) => async (text) => {
  const { gateway } = chat.place;
  if (text === '') return chat.offer(sessionEntries(await readOwnSessions(chat.place), Date.now()));
  const sessionId = await findSession(gateway, text);
  if (sessionId === (await chat.connected()).client.sessionId) return chat.say('This is the conversation that you are in.');
  const { title } = readSessionSummary(await new SessionApi(gateway).show(sessionId));
  return chat.switchTo(sessionId, `Back in: ${title || sessionId}`);
};
