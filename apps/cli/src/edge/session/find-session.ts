import { CommandError } from '../../core/command-error.js';
import { readSessionSummary } from '../../core/sessions/session-summary.js';
import { SessionApi } from '../sessions/session-api.js';
import type { Gateway } from './gateway.js';

const USAGE = 2;
/** Ids that are named of those that a beginning could mean. */
const MAX_NAMED = 5;

/**
 * The conversation that was meant by its id or by the beginning of it. A caller that may not list conversations is taken at its word. Throws
 * `CommandError` where there is none, or more than one.
 */
export async function findSession(gateway: Pick<Gateway, 'http' | 'token'>, given: string): Promise<string> {
  const sessions = await new SessionApi(gateway).list().catch(() => undefined); // the connection says what is wrong with the gateway
  if (sessions === undefined || given === 'new') return given;
  const ids = sessions.map((session) => readSessionSummary(session).id);
  if (ids.includes(given)) return given;
  const [found, ...others] = given === '' ? [] : ids.filter((id) => id.startsWith(given));
  if (found === undefined)
    throw new CommandError(`There is no conversation ${JSON.stringify(given)}: \`codelab sessions\` lists them.`, USAGE);
  if (others.length === 0) return found;
  const named = [found, ...others].slice(0, MAX_NAMED).join(', ');
  throw new CommandError(
    `${JSON.stringify(given)} begins ${others.length + 1} conversations (${named}${others.length >= MAX_NAMED ? ', …' : ''}): give more of it.`,
    USAGE,
  );
}
