import { DIALECT_NAMES, DIALECTS } from '@codelab/llm';
import { countTokens } from './count-tokens.js';
import { listModels, showModel } from './list-models.js';
import type { Route } from './route.js';
import { serveModel, type ServePorts } from './serve-model.js';

/** The endpoints that ask models, and those that say which there are. */
export function modelRoutes(ports: ServePorts): readonly Route[] {
  const asking = DIALECT_NAMES.flatMap((name): Route[] => {
    const { path, countTokens: counting } = DIALECTS[name];
    const counts: Route[] = counting
      ? [{ method: 'POST', path: counting.path, scope: 'llm', handle: (exchange) => countTokens(exchange, name, counting, ports) }]
      : [];
    return [{ method: 'POST', path, scope: 'llm', handle: (exchange) => serveModel(exchange, name, ports) }, ...counts];
  });
  return [
    ...asking,
    { method: 'GET', path: '/v1/models', scope: 'llm', handle: (exchange) => listModels(exchange, ports) },
    { method: 'GET', path: '/v1/models/{id+}', scope: 'llm', handle: (exchange) => showModel(exchange, ports) },
  ];
}
