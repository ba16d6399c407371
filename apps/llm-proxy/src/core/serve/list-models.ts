import { ApiError } from '@codelab/llm';
import type { Accounting } from '../accounting/accounting.js';
import type { ListedModel, ModelCatalog } from '../models/model-catalog.js';
import type { Exchange } from './route.js';

export interface ListPorts {
  readonly catalog: ModelCatalog;
  readonly accounting: Pick<Accounting, 'mayUse'>;
}

/** Nobody tells us when a model came out. */
const CREATED = 0;
const CREATED_AT = new Date(CREATED).toISOString();

const [USUAL_LIMIT, MAX_LIMIT] = [20, 1_000];

/**
 * `GET /v1/models`: the models that the caller may use, those that upstreams list among them, in the shape of the dialect that its headers
 * speak.
 */
export async function listModels(exchange: Exchange, { catalog, accounting }: ListPorts): Promise<void> {
  await catalog.refresh();
  const models = catalog.list().filter(({ id }) => accounting.mayUse(exchange.caller.owner, id));
  if (exchange.dialect === 'messages') return exchange.reply(200, toPage(models, exchange.url.searchParams));
  exchange.reply(200, { object: 'list', data: models.map(toOpenAi) });
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
  exchange.reply(200, exchange.dialect === 'messages' ? toAnthropic(model) : toOpenAi(model));
}

const toOpenAi = ({ id, upstream, contextTokens, maxOutputTokens }: ListedModel): object => ({
  ...{ id, object: 'model', created: CREATED, owned_by: upstream },
  ...(contextTokens !== undefined && { context_length: contextTokens }),
  ...(maxOutputTokens !== undefined && { max_output_tokens: maxOutputTokens }),
});

const toAnthropic = ({ id, contextTokens, maxOutputTokens }: ListedModel): object => ({
  ...{ type: 'model', id, display_name: id, created_at: CREATED_AT },
  ...(contextTokens !== undefined && { max_input_tokens: contextTokens }),
  ...(maxOutputTokens !== undefined && { max_tokens: maxOutputTokens }),
});

/** A page after or before the id that the caller has. */
function toPage(models: readonly ListedModel[], query: URLSearchParams): object {
  const limit = readLimit(query.get('limit'));
  const place = (id: string | null) => (id === null ? -1 : models.findIndex((model) => model.id === id));
  const [after, before] = [place(query.get('after_id')), place(query.get('before_id'))];
  const start = before === -1 ? after + 1 : Math.max(0, before - limit);
  const page = models.slice(start, before === -1 ? start + limit : before);
  return {
    data: page.map(toAnthropic),
    has_more: before === -1 ? start + page.length < models.length : start > 0,
    first_id: page[0]?.id ?? null,
    last_id: page.at(-1)?.id ?? null,
  };
}

function readLimit(text: string | null): number {
  if (text === null) return USUAL_LIMIT;
  const limit = Number(text);
  if (Number.isInteger(limit) && limit >= 1 && limit <= MAX_LIMIT) return limit;
  throw new ApiError('invalid_request', `limit: must be a whole number from 1 to ${MAX_LIMIT}`, { param: 'limit' });
}
