import { countTokens } from './count-tokens.js';
import { listModels, showModel } from './list-models.js';
import type { Route } from './route.js';
import { serveModel, type ServePorts } from './serve-model.js';

/** The endpoints that ask models, and those that say which there are. */
export function modelRoutes(ports: ServePorts): readonly Route[] {
  return [
    { method: 'POST', path: '/v1/chat/completions', scope: 'llm', handle: (exchange) => serveModel(exchange, 'chat', ports) },
    { method: 'POST', path: '/v1/messages', scope: 'llm', handle: (exchange) => serveModel(exchange, 'messages', ports) },
    { method: 'POST', path: '/v1/responses', scope: 'llm', handle: (exchange) => serveModel(exchange, 'responses', ports) },
    { method: 'POST', path: '/v1/messages/count_tokens', scope: 'llm', handle: (exchange) => countTokens(exchange, ports) },
    { method: 'GET', path: '/v1/models', scope: 'llm', handle: (exchange) => listModels(exchange, ports) },
    { method: 'GET', path: '/v1/models/{id+}', scope: 'llm', handle: (exchange) => showModel(exchange, ports) },
  ];
}
