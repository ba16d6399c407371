import type { Server, RequestListener } from 'node:http';
import { setTimeout as delay } from 'node:timers/promises';
import { newId } from '@codelab/bus';
import { createBus, type Bus } from '@codelab/bus/redis';
import { Egress, parseEgressAllow } from '@codelab/egress';
import { LlmError } from '@codelab/llm';
import { ConfigError, ignoredModelsFile, loadAuthenticate, reportService, type Logger, type ServiceContext } from '@codelab/service-shell';
import type { DynamicModule, INestApplication } from '@nestjs/common';
import { createAccounting } from '../core/accounting/create-accounting.js';
import { KeyEntries } from '../core/accounting/key-entries.js';
import { toolCallRoutes } from '../core/accounting/tool-call-routes.js';
import { usageRoutes } from '../core/accounting/usage-routes.js';
import type { ChainPorts } from '../core/chain/ask-chain.js';
import { Breakers } from '../core/chain/breaker.js';
import { AnswerItems } from '../core/serve/answer-items.js';
import { embeddingsRoutes } from '../core/embeddings/serve-embeddings.js';
import { modelRoutes } from '../core/serve/model-routes.js';
import { HistoryCache } from '../core/step/history-cache.js';
import { createRuntimeTools, type RuntimeTools } from '../core/tool-runs/catalog/runtime-tools.js';
import { toolRoutes } from '../core/tool-runs/tool-routes.js';
import { readVariable, type ProxyConfig } from './config.js';
import { HttpApi } from './http/http-api.js';
import { RequestLog } from './http/request-log.js';
import { TokenJudge } from './http/token-judge.js';
import { HttpMetrics } from './metrics-http.js';
import { openListedTools } from './listed-tools.js';
import { ProxyMetrics } from './metrics.js';
import { ModelWorker } from './model-worker.js';
import { openModels } from './models.js';
import { publishFacts } from './publish-facts.js';
import { createToolRuns } from '../core/tool-runs/create-tool-runs.js';
import type { ToolRuns } from '../core/serve/tool-runs.js';
import { serveModel, type ServePorts } from '../core/serve/serve-model.js';

class LlmProxyModule {}

const HTTP_API = Symbol('http api');

/**
 * Wires the proxy: the models, the HTTP API, and the worker for the requests of agents. Told to stop, it lets go of what the worker serves,
 * so that another replica asks again; takes no new request by HTTP and waits for those that run; then lets go of upstreams and of Redis.
 */
export async function llmProxyModule(context: ServiceContext<ProxyConfig>): Promise<DynamicModule> {
  const { config, logger, metrics: registry, drain, tracing } = context;
  const judge = new TokenJudge(await loadAuthenticate(config, logger));
  const { catalog, upstreams, file, ...models } = await openModels(config, readVariable, (upstream, error) =>
    logger.warn({ event: 'upstream.models_unknown', upstream, code: error instanceof LlmError ? error.code : 'internal' }),
  );
  drain.on('close', 'upstreams', () => models.close());
  const bus = createBus({ url: config.redisUrl, ...config.retention, logger, quotas: config.quotas });
  drain.on('close', 'redis', () => bus.close());
  const stopPublishing = publishFacts(bus, catalog);
  drain.on('stop', 'model facts', () => Promise.resolve(stopPublishing()));
  reportService(context, bus.serviceReports);
  const metrics = new ProxyMetrics(registry);
  const chain = openChain(logger, metrics);
  const keys = new KeyEntries(file.keys);
  const accounting = createAccounting({ ledger: bus.ledger, keys, now: Date.now });
  const egress = openEgress(config.egressAllow);
  drain.on('close', 'egress', () => egress.close());
  const listed = await openListedTools(config, logger);
  const ignored = ignoredModelsFile(config);
  if (ignored !== undefined) logger.warn({ event: 'models_file.ignored', hint: ignored });
  logger.info({ event: 'proxy.configured', default_model: catalog.defaultModel, upstreams });

  const step = { catalog, chain, histories: new HistoryCache(config.historyCacheCharacters), accounting, limits: config.contextLimits };
  const options = { consumer: newId('worker'), concurrency: config.concurrency };
  serveAgents(context, bus, new ModelWorker({ models: bus.models, step, logger, metrics, tracing }, options));

  const serve = { catalog, chain, accounting, items: new AnswerItems(), lenient: config.lenient };
  const runtimeTools = createRuntimeTools(bus.publishedTools, () => performance.now());
  const toolRuns = openToolRuns({ bus, keys, runtimeTools, serve, logger, autoTimeoutMs: config.autoTimeoutMs });
  const watcher = new RequestLog(logger, new HttpMetrics(registry));
  drain.on('close', 'request log', () => watcher.flush());
  const api = new HttpApi({
    routes: [
      ...modelRoutes({ ...serve, toolRuns }),
      ...embeddingsRoutes(serve),
      ...usageRoutes({ ledger: bus.ledger, now: Date.now }),
      ...toolCallRoutes({ toolCalls: bus.toolCalls }),
      ...toolRoutes({ children: bus.children, serverTools: bus.serverTools, runtimeTools, store: bus.store, keys, egress, listed }),
    ],
    judge,
    sources: config.sources,
    sockets: context.sockets,
    watcher,
    tracing,
    ...{ keepaliveMs: config.keepaliveMs, maxBodyBytes: config.maxBodyBytes, bodyTimeoutMs: config.bodyTimeoutMs },
  });
  drain.on('stop', 'http door', () => api.endConnections());
  drain.on('finish', 'http requests', (signal) => api.finish(signal));
  return { module: LlmProxyModule, providers: [{ provide: HTTP_API, useValue: api }] };
}

/** Last touch before the proxy listens. */
export function prepareLlmProxy(app: INestApplication, { config }: ServiceContext<ProxyConfig>): void {
  mountHttpApi(app.getHttpServer() as Server, app.get<HttpApi>(HTTP_API), config);
}

/** Opens the gate `redis` while the bus is healthy. The worker begins when it first serves. */
function serveAgents({ readiness, drain }: ServiceContext<ProxyConfig>, bus: Bus, worker: ModelWorker): void {
  drain.on('stop', 'model requests', () => worker.close());
  readiness.follow('redis', bus);
  const begin = (): void => (bus.status() === 'ready' ? worker.begin() : undefined);
  bus.onStatus(begin);
  begin();
}

/** The one way out to addresses that others name. Throws `ConfigError` where what is allowed can't be read. */
function openEgress(allowed: string | undefined): Egress {
  try {
    return new Egress({ allow: parseEgressAllow(allowed ?? '') });
  } catch (error) {
    throw new ConfigError([`CODELAB_EGRESS_ALLOW is not valid: ${(error as Error).message}.`]);
  }
}

/** How upstreams are asked in this process, with what is told of it. */
function openChain(logger: Logger, metrics: ProxyMetrics): ChainPorts {
  const now = () => performance.now();
  return {
    breakers: new Breakers({
      now,
      onBreaker: (upstream, state) => {
        metrics.breaker(upstream, state);
        logger.warn({ event: 'upstream.breaker', upstream, state });
      },
    }),
    now,
    wait: (ms, signal) => delay(ms, undefined, { signal }),
    random: Math.random,
    onRetry: ({ error: { code }, delayMs, target }) => {
      metrics.retried(code);
      logger.warn({ event: 'provider.retried', upstream: target.upstream.name, code, delay_ms: Math.round(delayMs) });
    },
    onFallback: ({ code }, from, to) => {
      metrics.fellBack(from.upstream.name, to.upstream.name);
      logger.warn({ event: 'provider.fallback', code, from: from.upstream.name, to: to.upstream.name, model: to.model });
    },
  };
}

/** What requests for tools need of this process. */
interface ToolRunParts {
  readonly bus: Pick<Bus, 'children' | 'serverTools' | 'store' | 'streams' | 'handovers' | 'toolCalls'>;
  readonly keys: KeyEntries;
  readonly runtimeTools: RuntimeTools;
  /** How requests are answered that ask for no tools. */
  readonly serve: Omit<ServePorts, 'toolRuns'>;
  readonly logger: Logger;
  readonly autoTimeoutMs: number;
}

/** Wires the requests that ask for the tools of IDEs. */
function openToolRuns({ bus, serve, logger, ...parts }: ToolRunParts): ToolRuns {
  return createToolRuns({
    ...{
      children: bus.children,
      serverTools: bus.serverTools,
      store: bus.store,
      streams: bus.streams,
      handovers: bus.handovers,
      toolCalls: bus.toolCalls,
    },
    ...parts,
    ...{ asked: serve, accounting: serve.accounting, now: Date.now },
    answer: (exchange, dialect) => serveModel(exchange, dialect, serve),
    // by its name only: a message can quote what it stumbled over (L1)
    onFault: (error) => logger.warn({ event: 'auto.fault', name: error instanceof Error ? error.name : 'unknown' }),
  });
}

/** Longer than the pools of usual clients keep a connection: who of the two closes it last is not surprised by the other. */
const KEEP_ALIVE_MS = 65_000;

/** Node's own limit on a whole request stays a little above ours, which answers in the caller's dialect. */
const SPARE_MS = 60_000;

/** Puts the API before what listens on the server already, which gets the requests that are not for it. */
function mountHttpApi(server: Server, api: HttpApi, { bodyTimeoutMs }: { readonly bodyTimeoutMs: number }): void {
  const others = server.listeners('request') as RequestListener[];
  server.removeAllListeners('request');
  server.on('request', (request, response) => {
    if (api.take(request, response)) return;
    for (const listener of others) listener.call(server, request, response);
  });
  server.keepAliveTimeout = KEEP_ALIVE_MS;
  server.requestTimeout = bodyTimeoutMs + SPARE_MS;
}
