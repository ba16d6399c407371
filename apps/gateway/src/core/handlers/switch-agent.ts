import type { SessionDeliveries, SessionWorkspace } from '@codelab/bus';
import { ERRORS, refuse, type ClientFrameOf } from '@codelab/protocol';
import { encodeServerFrame } from '../delivery/encode-server-frame.js';
import { faultOfAgent, type Handler } from './handler.js';
import { answerLogged } from './outcome.js';
import { toMessage } from './user-message.js';

/**
 * Goes on with another agent mode. A message that comes with it names the mode itself, and is stored first: if it is refused, the mode stays
 * as it was.
 */
export const handleSwitchAgent =
  (store: SessionDeliveries & Pick<SessionWorkspace, 'readFacts'>): Handler<'switch_agent'> =>
  async ({ agent, content }, { session }) => {
    const fault = await faultOfAgent(store, session, agent);
    if (fault !== undefined) return refuse('INVALID_FIELD', `switch_agent.agent: ${fault}`);
    if (content !== undefined) {
      const message: ClientFrameOf<'user_message'> = { type: 'user_message', content, agent };
      const delivered = await store.deliverMessage(session, toMessage(message));
      if (delivered.kind === 'refused') return refuse(delivered.code, ERRORS[delivered.code].meaning);
    }
    return answerLogged(await store.switchAgent(session, agent, encodeServerFrame({ type: 'agent_switched', agent })));
  };
