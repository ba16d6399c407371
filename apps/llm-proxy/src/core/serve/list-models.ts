import { ApiError, DIALECTS } from '@codelab/llm';
import type { Accounting } from '../accounting/accounting.js';
import type { ModelCatalog } from '../models/model-catalog.js';
import type { Exchange } from './route.js';

export interface ListPorts {
  readonly catalog: ModelCatalog;
  readonly accounting: Pick<Accounting, 'mayUse'>;
}

/**
 * `GET /v1/models`: the models that the caller may use, those that upstreams list among them, in the shape of the dialect that its headers
 * speak.
 */
export async function listModels(exchange: Exchange, { catalog, accounting }: ListPorts): Promise<void> {
  await catalog.refresh();
  const models = catalog.list().filter(({ id }) => accounting.mayUse(exchange.caller.owner, id));
  exchange.reply(200, DIALECTS[exchange.dialect].encodeModels(models, exchange.url.searchParams));
}

/** `GET /v1/models/{id}`, also for a name that is served without being listed. */
export async function showModel(exchange: Exchange, { catalog, accounting }: ListPorts): Promise<void> {
  const id = exchange.params.id ?? '';
  await catalog.refresh();
  const model = accounting.mayUse(exchange.caller.owner, id) ? catalog.find(id) : undefined;
  if (!model) {
    catalog.resolve(id); // throws with the nearest names
    throw new ApiError('not_found', `the model ${JSON.stringify(id)} is not one that this token may use`, { code: 'model_not_found' });
  }
  exchange.reply(200, DIALECTS[exchange.dialect].encodeModel(model));
}
