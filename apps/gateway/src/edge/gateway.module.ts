import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import type { DynamicModule, INestApplication } from '@nestjs/common';
import { createBus, type Bus } from '@codelab/bus/redis';
import { systemClock } from '@codelab/clock';
import { refuse } from '@codelab/protocol';
import { loadAuthenticate, reportService, trustedAddresses, type ServiceContext } from '@codelab/service-shell';
import { Semaphore } from 'async-mutex';
import { ConnectionLimits } from '../core/admission/connection-limits.js';
import { BrowserSignIns } from '../core/console/browser-sign-ins.js';
import { SealedRecords } from '../core/console/sealed-records.js';
import { WrongTokens } from '../core/console/wrong-tokens.js';
import type { GatewayPorts } from '../core/gateway-ports.js';
import { ApprovalInbox } from '../core/inbox/approval-inbox.js';
import { OidcController } from './console/oidc.controller.js';
import { OidcSignIn } from './console/oidc-sign-in.js';
import { readOidc } from './console/read-oidc.js';
import { SignInController } from './console/sign-in.controller.js';
import { ConsoleFiles, findConsole } from './console/console-files.js';
import { serveConsole } from './console/serve-console.js';
import type { ConsolePorts } from './console/console-ports.js';
import { FrameTraces } from '../core/tracing/frame-traces.js';
import { OutboxBudget } from '../core/outbox/outbox-budget.js';
import { OutputMasks } from '../core/handlers/output-masks.js';
import { StoreAbsence } from '../core/connection/store-absence.js';
import { SessionHub } from '../core/session/session-hub.js';
import { SharedTools } from '../core/opening/shared-tools.js';
import { GatewayStats } from '../core/stats.js';
import { steadyClock } from '../core/steady-clock.js';
import type { GatewayConfig } from './config.js';
import { FrameGateway, type GatewayTiming } from './socket/frame-gateway.js';
import { toGatewayLimits } from './gateway-limits.js';
import { buildOpenApi } from './openapi/build-openapi.js';
import { RawWsAdapter, type Admission } from './socket/raw-ws-adapter.js';
import { measureRequests, registerMetrics } from './register-metrics.js';
import { registerQueueMetrics } from './register-queue-metrics.js';
import { registerStorageMetrics } from './register-storage-metrics.js';
import { ErrorFilter } from './rest/error.filter.js';
import { OpenApiController } from './rest/openapi.controller.js';
import { admitRequests } from './rest/admit-request.js';
import type { Records } from './rest/overview/records.js';
import { traceRequests } from './trace-requests.js';
import { ROUTES } from './rest/routes.js';
import { sendRefusal } from './rest/send-refusal.js';
import { APPROVAL_INBOX, RECORDS, CONSOLE_PORTS, ADMISSION, GATEWAY_PORTS, GATEWAY_TIMING, OPENAPI } from './tokens.js';

class GatewayModule {}

/** Sessions that are opened at the same time: enough to keep Redis busy. */
const OPENINGS = 16;
/** For health, metrics and REST beside the sockets, and for upgrades that wait to be judged. */
const SPARE_HTTP_CONNECTIONS = 1_024;

/** Wires the gateway: the core over Redis, the admission, the routes. */
export async function gatewayModule(context: ServiceContext<GatewayConfig>): Promise<DynamicModule> {
  const { config, logger, metrics, identity, tracing } = context;
  const oidc = readOidc(config);
  const authenticate = await loadAuthenticate(config, logger);
  const bus = createBus({ url: config.redisUrl, ...config.retention, logger, quotas: config.quotas });
  context.drain.on('close', 'redis', () => bus.close());
  const stats = new GatewayStats();
  const budget = new OutboxBudget(config.outboxTotalBytes);
  registerMetrics(metrics, stats, budget);
  const masks = new OutputMasks();
  registerStorageMetrics(metrics, bus.storage, config.quotas);
  registerQueueMetrics(metrics, bus.serviceReports);
  const ports: GatewayPorts = {
    ...{
      store: bus.store,
      rules: bus.rules,
      audit: bus.audit,
      children: bus.children,
      streams: bus.streams,
      clock: systemClock,
      steady: steadyClock,
      storeClock: { now: () => bus.nowMs() },
    },
    hub: new SessionHub(bus.store, bus.streams, stats, bus.children, masks, config.executorGraceMs),
    ...{ authenticate, stats, logger, budget, limits: toGatewayLimits(config) },
    ...{ openings: new Semaphore(OPENINGS), sharedTools: new SharedTools(), masks },
    absence: new StoreAbsence(systemClock),
    traces: tracing && new FrameTraces(tracing, bus.store),
  };
  const limits = new ConnectionLimits({ all: config.maxConnections, ofOwner: config.maxConnectionsPerOwner });
  const isTrusted = trustedAddresses(config.trustedProxies);
  const records = new SealedRecords(bus.signIns);
  const browsers = new BrowserSignIns(records, authenticate, config.allowedOrigins, systemClock);
  const admission: Admission = {
    ...{ authenticate, browsers, isTrusted },
    sources: config.sources,
    sockets: context.sockets,
    limits,
    stats,
    closedBecause: watchAdmission(context, bus),
  };
  const inbox = new ApprovalInbox({ store: bus.store, children: bus.children, clock: systemClock });
  context.drain.on('stop', 'approval inbox', () => inbox.stop());
  const { ledger, toolCalls, publishedTools, serviceReports } = bus;
  const bookkeeping: Records = { ledger, toolCalls, publishedTools, serviceReports };
  reportService(context, serviceReports);
  const timing: GatewayTiming = config;
  const consolePorts: ConsolePorts = {
    ...{ logger, oidc: oidc && new OidcSignIn(oidc, records, authenticate) },
    ...{ authenticate, browsers, isTrusted, sockets: context.sockets, version: identity.version },
    wrongTokens: new WrongTokens(steadyClock),
    begunSignIns: new WrongTokens(steadyClock, { most: 60, regainMs: 1_000 }),
  };
  return {
    module: GatewayModule,
    controllers: [...ROUTES, OpenApiController, SignInController, OidcController],
    providers: [
      { provide: GATEWAY_PORTS, useValue: ports },
      { provide: GATEWAY_TIMING, useValue: timing },
      { provide: ADMISSION, useValue: admission },
      { provide: CONSOLE_PORTS, useValue: consolePorts },
      { provide: APPROVAL_INBOX, useValue: inbox },
      { provide: RECORDS, useValue: bookkeeping },
      { provide: BUS_STATUS, useValue: bus },
      { provide: OPENAPI, useValue: buildOpenApi(ROUTES, identity.version) },
      FrameGateway,
    ],
  };
}

/** Last touch before the gateway listens: who is let in, and what everybody is told when the store or the gateway goes away. */
export function prepareGateway(app: INestApplication, { config, logger, drain, metrics, tracing }: ServiceContext<GatewayConfig>): void {
  const admission = app.get<Admission>(ADMISSION);
  const bus = app.get<Bus>(BUS_STATUS);
  const frames = app.get(FrameGateway);
  const server = app.getHttpServer() as Server;
  server.maxConnections = config.maxConnections + SPARE_HTTP_CONNECTIONS;
  (app.getHttpAdapter().getInstance() as { set(name: string, value: unknown): void }).set('query parser', readQuery);
  app.useWebSocketAdapter(new RawWsAdapter(server, admission));
  app.use(serveConsole(new ConsoleFiles(config.consoleDir ?? findConsole())));
  app.use('/ws', demandUpgrade);
  if (tracing) app.use('/api/v1', traceRequests(tracing));
  app.use('/api/v1', measureRequests(metrics));
  app.use('/api/v1', admitRequests(admission));
  app.useGlobalFilters(new ErrorFilter(logger));
  bus.onStatus((status) => frames.announceStore(status === 'ready'));
  drain.on('stop', 'sockets', (signal) => frames.drain(signal));
}

/** A query as texts by their names: of a name that comes twice the last one counts, so that none is a list or an object. */
const readQuery = (text: string | null | undefined): Readonly<Record<string, string>> =>
  Object.assign(Object.create(null) as object, Object.fromEntries(new URLSearchParams(text ?? '')));

const BUS_STATUS = Symbol('bus status');

/** Answers a request that should have been an upgrade. */
function demandUpgrade(_request: IncomingMessage, response: ServerResponse): void {
  response.setHeader('upgrade', 'websocket').setHeader('connection', 'close');
  sendRefusal(response, refuse('INVALID_TYPE', 'this is a WebSocket endpoint: connect with ws:// or wss://'), { status: 426 });
}

/** Opens the gate `redis` while the bus is healthy, and says why nobody is let in when it doesn't, or when the gateway stops. */
function watchAdmission({ readiness, drain }: ServiceContext<GatewayConfig>, bus: Bus): Admission['closedBecause'] {
  let isStopping = false;
  drain.on('stop', 'admission', () => void (isStopping = true));
  readiness.follow('redis', bus);
  return () => {
    if (isStopping) return 'this gateway is going away: connect to another, or wait for the next';
    return bus.status() === 'ready' ? undefined : 'the store is away: try again';
  };
}
