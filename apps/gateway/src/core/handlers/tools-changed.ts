import type { SessionMembership } from '@codelab/bus';
import { refuse } from '@codelab/protocol';
import { faultOfTools } from '../opening/fault-of-tools.js';
import type { Handler } from './handler.js';
import { NO_ANSWER } from './outcome.js';

/** Keeps which tools the executor has from now on, where `hello.tools` is kept. Open calls stay what they are. */
export const handleToolsChanged =
  (store: Pick<SessionMembership, 'changeTools'>): Handler<'tools_changed'> =>
  async ({ tools }, { session, clientId, isExecutor }) => {
    const text = JSON.stringify(tools);
    const fault = faultOfTools(tools, text);
    if (fault !== undefined) return refuse('INVALID_FIELD', `tools_changed.${fault}`);
    const kept = clientId === undefined || !isExecutor ? 'forbidden' : await store.changeTools(session, { clientId, tools: text });
    if (kept === 'kept') return NO_ANSWER;
    return kept === 'gone'
      ? refuse('SESSION_NOT_FOUND', 'the session was deleted')
      : refuse('FORBIDDEN', 'only the executor of the session may say which tools it has');
  };
