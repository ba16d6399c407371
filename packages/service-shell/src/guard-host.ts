import type { IncomingMessage, ServerResponse } from 'node:http';
import { hostOf, judgeSource, type SourceRules } from '@codelab/auth';

/** What a refusal for the sake of the `Host` header says: which setting helps. */
const FOREIGN_HOST = 'this service is not known by the name in the Host header: list it in CODELAB_ALLOWED_HOSTS';

/** Refuses every request by a name that is not ours, health and metrics included: a page elsewhere reads nothing by DNS rebinding. */
export const guardHost =
  (rules: SourceRules) =>
  (request: IncomingMessage, response: ServerResponse, next: () => void): void => {
    if (judgeSource({ host: hostOf(request) }, rules) === 'welcome') return next();
    response.statusCode = 403;
    response.setHeader('content-type', 'application/json; charset=utf-8');
    response.setHeader('connection', 'close');
    response.end(JSON.stringify({ error: { code: 'FORBIDDEN', message: FOREIGN_HOST, retryable: false } }));
  };
