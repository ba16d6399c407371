import { renderSessionList, sessionsOf } from '../../../core/sessions/session-entries.js';
import { readSessionSummary, type SessionSummary } from '../../../core/sessions/session-summary.js';
import { SessionApi } from '../../sessions/session-api.js';
import type { ChatPlace } from '../chat-place.js';
import type { CommandEffect } from './command-effect.js';

/** Sessions that are looked through for those of this folder, the last ones first: five requests. */
const MAX_LOOKED_AT = 500;

/** The conversations of the folder, the one that was used last first. Throws `CommandError` with what to do. */
export async function readOwnSessions({
  gateway,
  workspace,
}: Pick<ChatPlace, 'gateway' | 'workspace'>): Promise<readonly SessionSummary[]> {
  const sessions = await new SessionApi(gateway).list(MAX_LOOKED_AT);
  return sessionsOf(sessions.map(readSessionSummary), workspace.identity.id);
}

/** Shows them on a screen of their own. */
export const listOwnSessions: CommandEffect = (chat) => async () => {
  const sessions = await readOwnSessions(chat.place);
  const rows = renderSessionList(sessions, Date.now(), chat.console.size.columns - 1);
  chat.console.page({ title: 'conversations of this folder', rows, top: 0 });
};
