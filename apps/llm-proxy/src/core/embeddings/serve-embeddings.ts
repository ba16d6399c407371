import { ApiError, DIALECTS, type Usage } from '@codelab/llm';
import type { Accounting } from '../accounting/accounting.js';
import { askChain, type ChainPorts } from '../chain/ask-chain.js';
import { withCost } from '../models/cost-of.js';
import type { ModelCatalog, Target } from '../models/model-catalog.js';
import { failureWord } from '../serve/failure.js';
import { headersForCaller, onwardOf } from '../serve/onward-headers.js';
import { printable } from '../serve/printable.js';
import { RelayStream } from '../serve/relay-stream.js';
import type { Exchange, Route } from '../serve/route.js';
import { EmbeddingsWatch } from './embeddings-watch.js';
import { OFFLINE_NOTE, offlineEmbeddings } from './offline-embeddings.js';
import { readEmbeddings, type EmbeddingsRequest } from './read-embeddings.js';

export interface EmbeddingsPorts {
  readonly catalog: ModelCatalog;
  readonly accounting: Accounting;
  readonly chain: ChainPorts;
}

/** `POST /v1/embeddings`, in OpenAI's shape whatever the headers speak. */
export const embeddingsRoutes = (ports: EmbeddingsPorts): readonly Route[] => [
  { method: 'POST', path: '/v1/embeddings', scope: 'llm', handle: (exchange) => serveEmbeddings(exchange, ports) },
];

async function serveEmbeddings(exchange: Exchange, { catalog, accounting, chain }: EmbeddingsPorts): Promise<void> {
  exchange.facts.dialect = 'embeddings';
  const request = readEmbeddings(exchange);
  const targets = embedding(catalog.resolve(request.model), request.model);
  const [first] = targets;
  Object.assign(exchange.facts, { upstream: first.upstream.name, model: first.model });
  const { owner } = exchange.caller;
  const estimated: Usage = { inputTokens: request.tokens, outputTokens: 0 };
  const admission = await accounting.admit(
    { owner, sessionId: request.sessionId },
    { model: request.model, leadsTo: first.model, estimate: () => costed(estimated, first) },
  );
  const came: Came = {};
  try {
    await answer(exchange, request, { targets, chain, came });
  } finally {
    const used = came.target && { model: came.target.model, usage: costed(came.usage ?? estimated, came.target) };
    if (used) Object.assign(exchange.facts, { usage: used.usage, ...(!came.usage && { estimated: true }) });
    admission.settle(used && { ...used, ...(!came.usage && { estimated: true }) });
  }
}

/** What came of a request, for whoever pays. */
interface Came {
  target?: Target;
  usage?: Usage;
}

interface Asking {
  readonly targets: readonly Target[];
  readonly chain: ChainPorts;
  readonly came: Came;
}

/** An answer that has begun: from elsewhere, or ours. */
type Embedded = { readonly relay: RelayStream; readonly headers: Readonly<Record<string, string>> } | { readonly body: object };

async function answer(exchange: Exchange, request: EmbeddingsRequest, { targets, chain, came }: Asking): Promise<void> {
  const { facts } = exchange;
  const startedMs = chain.now();
  const options = {
    ...chain,
    get signal() {
      return exchange.signal;
    },
  };
  try {
    const attempt = (target: Target) => {
      Object.assign(facts, { upstream: target.upstream.name, model: target.model, attempts: (facts.attempts ?? 0) + 1 });
      return ask(exchange, request, target);
    };
    const { target, value } = await askChain(targets, attempt, options);
    facts.upstreamFirstByteMs = chain.now() - startedMs;
    came.target = target;
    const own = {
      ...{ 'x-codelab-model': printable(target.model), 'x-codelab-upstream': printable(target.upstream.name) },
      ...((facts.attempts ?? 1) > 1 && { 'x-codelab-attempts': String(facts.attempts) }),
    };
    if ('body' in value) return exchange.reply(200, value.body, { ...own, 'x-codelab-notes': OFFLINE_NOTE });
    await relay(exchange, value.relay, { ...value.headers, ...own });
    came.usage = value.relay.watch.usage;
  } finally {
    facts.upstreamMs = chain.now() - startedMs;
  }
}

async function relay(exchange: Exchange, relayed: RelayStream, headers: Readonly<Record<string, string>>): Promise<void> {
  const writer = exchange.pour(headers);
  try {
    await relayed.pipe(writer);
    writer.end();
  } catch (error) {
    exchange.facts.error = failureWord(error);
    writer.breakOff(); // JSON can't say that it is cut
  }
}

async function ask(exchange: Exchange, request: EmbeddingsRequest, { upstream, model }: Target): Promise<Embedded> {
  if (upstream.embeddings === 'built-in') return { body: await offlineEmbeddings(request, exchange.leaving) };
  const call = { dialect: 'chat', endpoint: 'embeddings', body: request.onward(model), stream: false, signal: exchange.leaving } as const;
  const came = await upstream.relay({ ...call, ...onwardOf(DIALECTS.chat, exchange) });
  const relayed = new RelayStream(came, new EmbeddingsWatch());
  await relayed.begun();
  return { relay: relayed, headers: headersForCaller(came.headers) };
}

/** Those of the targets that have embeddings. Throws `ApiError` where none has. */
function embedding(targets: readonly Target[], name: string): readonly [Target, ...Target[]] {
  const [first, ...rest] = targets.filter(({ upstream }) => upstream.embeddings !== undefined);
  if (first) return [first, ...rest];
  const what = `the model ${JSON.stringify(name.slice(0, 100))} is of the upstream "${targets[0]?.upstream.name ?? ''}", which has no embeddings`;
  throw new ApiError('invalid_request', `model: ${what}: name one of an OpenAI-compatible upstream, or offline`, { param: 'model' });
}

/** What is written of a text counts as input; `embedding` is its price where the models file names it. */
function costed(usage: Usage, { entry: { price } }: Target): Usage {
  return withCost(usage, price && { ...price, input: price.embedding ?? price.input });
}
