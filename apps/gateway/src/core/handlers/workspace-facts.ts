import type { SessionWorkspace } from '@codelab/bus';
import { LIMITS, refuse } from '@codelab/protocol';
import type { Handler } from './handler.js';
import { NO_ANSWER } from './outcome.js';

/**
 * Keeps what the executor says of the workspace, for the model of the turns to come. It is of lower trust than anything a person says: it is
 * shown to models as what it is, and nothing is decided by it (H1).
 */
export const handleWorkspaceFacts =
  (store: SessionWorkspace): Handler<'workspace_facts'> =>
  async ({ type: _, ...facts }, { session, clientId }) => {
    const text = JSON.stringify(facts);
    const bytes = Buffer.byteLength(text);
    if (bytes > LIMITS.MAX_FACTS_BYTES) {
      const why = `the facts take ${String(bytes)} bytes as JSON, at most ${String(LIMITS.MAX_FACTS_BYTES)} are taken`;
      return refuse('INVALID_FIELD', `workspace_facts.files: ${why}: cut files, or leave some out`);
    }
    const kept = clientId === undefined ? 'forbidden' : await store.keepFacts(session, { clientId, text });
    if (kept === 'kept') return NO_ANSWER;
    return kept === 'gone'
      ? refuse('SESSION_NOT_FOUND', 'the session was deleted')
      : refuse('FORBIDDEN', 'only the executor of the session may say what its workspace is like');
  };
