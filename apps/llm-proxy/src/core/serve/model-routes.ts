import { DIALECT_NAMES, DIALECTS, ApiError, asObject, LlmError, parseJson, type CountTokens, type DialectName } from '@codelab/llm';
import type { Route, Exchange } from './route.js';
import { serveModel, type ServePorts } from './serve-model.js';
import type { Accounting } from '../accounting/accounting.js';
import type { ModelCatalog, Target } from '../models/model-catalog.js';
import { readWhole } from '../upstreams/read-whole.js';
import { AskedModel, type AskedPorts } from './asked-model.js';
import { onwardOf } from './onward-headers.js';
import { printable } from './printable.js';

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

interface ListPorts {
  readonly catalog: ModelCatalog;
  readonly accounting: Pick<Accounting, 'mayUse'>;
}

/**
 * `GET /v1/models`: the models that the caller may use, those that upstreams list among them, in the shape of the dialect that its headers
 * speak.
 */
async function listModels(exchange: Exchange, { catalog, accounting }: ListPorts): Promise<void> {
  await catalog.refresh();
  const models = catalog.list().filter(({ id }) => accounting.mayUse(exchange.caller.owner, id));
  exchange.reply(200, DIALECTS[exchange.dialect].encodeModels(models, exchange.url.searchParams));
}

/** `GET /v1/models/{id}`, also for a name that is served without being listed. */
async function showModel(exchange: Exchange, { catalog, accounting }: ListPorts): Promise<void> {
  const id = exchange.params.id ?? '';
  await catalog.refresh();
  const model = accounting.mayUse(exchange.caller.owner, id) ? catalog.find(id) : undefined;
  if (!model) {
    catalog.resolve(id); // throws with the nearest names
    throw new ApiError('not_found', `the model ${JSON.stringify(id)} is not one that this token may use`, { code: 'model_not_found' });
  }
  exchange.reply(200, DIALECTS[exchange.dialect].encodeModel(model));
}

/** A number and a few words. */
const MAX_ANSWER_BYTES = 64 * 1024;

/**
 * Counts the tokens of a request: exactly where the upstream counts, else as an estimate. Never 404 for a model that is served: an upstream
 * without the endpoint, or one that fails, is no reason to leave the caller without a number.
 */
async function countTokens(exchange: Exchange, dialect: DialectName, counting: CountTokens, ports: AskedPorts): Promise<void> {
  exchange.facts.dialect = dialect;
  const asked = AskedModel.read(exchange, dialect, ports);
  const [target] = asked.targets;
  Object.assign(exchange.facts, { upstream: target.upstream.name, model: target.model });
  const counted = asked.relays(target) ? await ask(asked, target, { exchange, counting }) : undefined;
  const headers = { 'x-codelab-model': printable(target.model), 'x-codelab-upstream': printable(target.upstream.name) };
  if (counted !== undefined) return exchange.reply(200, counted, headers);
  exchange.reply(200, counting.encode(asked.estimate().inputTokens), { ...headers, 'x-codelab-estimated': 'true' });
}

/** The upstream's own answer; `undefined` where it has none. */
async function ask(
  { codec, dialect, raw, body }: AskedModel,
  { upstream, model, entry }: Target,
  { exchange, counting }: { readonly exchange: Exchange; readonly counting: CountTokens },
): Promise<string | undefined> {
  const quirks = { ...upstream.quirks, ...entry.quirks };
  const { text } = codec.prepareRelay(raw, body, { model, quirks, stream: false });
  const call = { dialect, endpoint: 'count_tokens', body: text, stream: false, signal: exchange.leaving } as const;
  try {
    const answer = await upstream.relay({ ...call, ...onwardOf(codec, exchange) });
    const counted = (await readWhole(answer, MAX_ANSWER_BYTES)).toString('utf8');
    return counting.isCount(asObject(parseJson(counted))) ? counted : undefined;
  } catch (error) {
    if (error instanceof LlmError && (error.code === 'invalid_request' || error.code === 'cancelled')) throw error;
    return undefined; // estimated then
  }
}
