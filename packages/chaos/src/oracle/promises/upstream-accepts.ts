import { checkRequest, type ChatRequest } from '@codelab/testkit';
import type { Promised } from '../violation.js';

export const upstreamAccepts: Promised = {
  name: 'upstream-accepts',
  says: 'Every use of a tool in what a model is shown has exactly one result, in an order that no provider refuses (R5).',
  *judge(story) {
    for (const { body, dialect, session, at, index } of story.of('model-request')) {
      try {
        checkRequest({ path: dialect === 'messages' ? '/v1/messages' : '/v1/chat/completions', body: body as ChatRequest });
      } catch (error) {
        yield { text: `${session ?? 'no session'}: ${(error as Error).message}`, at, events: [index] };
      }
    }
  },
};
