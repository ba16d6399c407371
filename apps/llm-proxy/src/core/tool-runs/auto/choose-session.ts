import type { SessionMeta } from '@codelab/bus';
import { ApiError } from '@codelab/llm';

/** How a person knows a session: its name, and the folder that is open in it. */
const describe = ({ ref, workspace, title }: SessionMeta): string => {
  const folder = workspace === '' ? '' : (JSON.parse(workspace) as { readonly name?: string }).name;
  const known = [folder, title].filter((text) => text !== undefined && text !== '');
  return known.length === 0 ? ref.sessionId : `${ref.sessionId} (${known.join(': ')})`;
};

const CONNECT = 'Connect an IDE to the gateway, or run `codelab chat` in the folder that the tools should work on, and ask again.';

/**
 * The one session whose IDE runs the tools of a request. Throws `ApiError` (`conflict`): none is connected, several are and the request
 * names none, or the one that it names is not among them.
 */
export function chooseSession(connected: readonly SessionMeta[], sessionId: string | undefined): SessionMeta {
  const listed = connected.map(describe).join(', ');
  const [only, ...others] = connected;
  if (only === undefined)
    throw new ApiError('conflict', `There is no IDE of yours connected to run tools. ${CONNECT}`, { code: 'no_ide_connected' });
  if (sessionId !== undefined) {
    const named = connected.find(({ ref }) => ref.sessionId === sessionId);
    if (named !== undefined) return named;
    const message = `No IDE of yours is connected to the session ${sessionId}. Connected are: ${listed}.`;
    throw new ApiError('conflict', message, { param: 'session_id', code: 'session_not_connected' });
  }
  if (others.length === 0) return only;
  const message = `Several IDEs of yours are connected. Name the one to run the tools in \`session_id\`: ${listed}.`;
  throw new ApiError('conflict', message, { param: 'session_id', code: 'several_ides_connected' });
}
