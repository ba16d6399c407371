import 'reflect-metadata';
import type { AddressInfo } from 'node:net';
import type { Server } from 'node:http';
import type { ServiceConfig } from './config/service-config.js';
import { openTracing } from '@codelab/tracing';
import { Drain } from './lifecycle/drain.js';
import { Readiness } from './lifecycle/readiness.js';
import { createLogger } from './logger.js';
import { countSockets, createMetrics } from './metrics.js';
import type { RunningService, ServiceContext, ServiceDefinition } from './service-definition.js';
import { guardHost, guardServer } from './sockets/guard-server.js';
import { UnauthenticatedSockets } from './sockets/unauthenticated-sockets.js';
import { StartError } from './start-error.js';

/**
 * Builds and starts a service in this process, without touching signals or the exit code: `runService` does that, tests call this.
 * Rejects with `ConfigError` or `StartError`, both a sentence for the operator; then nothing is left open.
 */
export async function startService<C extends ServiceConfig>(definition: ServiceDefinition<C>): Promise<RunningService<C>> {
  const config = definition.config();
  const logger = createLogger(definition.name, config.logLevel);
  const program = { name: `codelab-${definition.name}`, version: definition.version };
  const tracing = await openTracing(program, config.exporting, (message) => logger.warn({ event: 'tracing.trouble', message }));
  const context: ServiceContext<C> = {
    identity: { name: definition.name, version: definition.version },
    config,
    logger,
    metrics: createMetrics(definition.name),
    readiness: new Readiness(),
    drain: new Drain(config.drainTimeoutMs, logger),
    sockets: new UnauthenticatedSockets(config.unauthenticated, config.trustedProxies),
    tracing,
  };
  if (tracing) context.drain.on('close', 'traces', () => tracing.close());
  const listening = context.readiness.gate('listening');
  const app = await createApplication(definition, context);
  const server = app.getHttpServer() as Server;
  guardServer(server, context.sockets, config.headersTimeoutMs);
  countSockets(context.metrics, context.sockets);
  try {
    await app.listen(definition.port.of(config), config.host);
  } catch (cause) {
    await context.drain.run(() => app.close());
    throw StartError.from(cause, config.host, definition.port.of(config), definition.port.variable);
  }
  listening.open();
  const { port } = server.address() as AddressInfo;
  let stopping: Promise<void> | undefined;
  const stop = async () => {
    context.readiness.gate('draining');
    const endConnections = stopListening(server);
    await context.drain.run(() => app.close().finally(endConnections));
  };
  return { context, app, port, url: `http://${urlHost(config.host)}:${port}`, stop: () => (stopping ??= stop()) };
}

/** Nest is imported here only: what else this package offers stays cheap to load. */
async function createApplication<C extends ServiceConfig>(definition: ServiceDefinition<C>, context: ServiceContext<C>) {
  const [{ NestFactory }, { shellModule }, { createNestLogger }] = await Promise.all([
    import('@nestjs/core'),
    import('./shell.module.js'),
    import('./nest-logger.js'),
  ]);
  const own = await definition.module(context);
  const root = {
    module: class ServiceModule {},
    imports: [shellModule(context.identity, context.readiness, context.metrics), own],
  } as Parameters<typeof NestFactory.create>[0];
  const app = await NestFactory.create(root, { ...definition.nest, logger: createNestLogger(context.logger), abortOnError: false });
  (app.getHttpAdapter().getInstance() as { disable(setting: string): void }).disable('x-powered-by');
  app.use(guardHost(context.config.sources));
  await definition.prepare?.(app, context);
  return app;
}

/**
 * Whoever connects from now on is refused by the system, and goes to another replica at once, whether or not a balancer knows that this one
 * is going. Requests that are under way end; idle connections don't hold the process. Returns what ends all that are left.
 */
function stopListening(server: Server): () => void {
  server.close(); // idle connections, too
  const idle = setInterval(() => server.closeIdleConnections(), 50);
  return () => {
    clearInterval(idle);
    server.closeAllConnections();
  };
}

function urlHost(host: string): string {
  if (host === '0.0.0.0' || host === '::') return '127.0.0.1';
  return host.includes(':') ? `[${host}]` : host;
}
